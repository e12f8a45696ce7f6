# SPDX-License-Identifier: MIT
"""Stands for Pyodide's event loop: the engine is called and answers, it never waits.

The import is what a snapshot of the memory is checked against: JavaScript's objects stand in it by number, in this order.
"""
from pyodide_js._api import scheduleCallback

__all__ = ["scheduleCallback"]


def _initialize_event_loop() -> None:
    """Called when the package is imported."""
