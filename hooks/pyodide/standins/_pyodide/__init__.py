# SPDX-License-Identifier: MIT
"""Stands for Pyodide's package of the same name, whose hook for exceptions would import `traceback`."""
from . import _base, _importhook

__all__ = ["_base", "_importhook", "set_excepthook"]


def set_excepthook() -> None:
    """Leave the interpreter's own: nothing that it prints is shown."""
