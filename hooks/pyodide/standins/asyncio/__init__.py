# SPDX-License-Identifier: MIT
"""Stands for the standard library's event loops, fifty modules that Pyodide's core imports for what nobody calls here."""


def _absent(*_: object, **__: object) -> None:
    raise RuntimeError("the browser's library has no event loop")


get_event_loop = get_running_loop = _absent


class Future:
    """The core compares types with it."""
