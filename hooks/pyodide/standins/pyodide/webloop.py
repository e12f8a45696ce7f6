# SPDX-License-Identifier: MIT
"""Stands for Pyodide's event loop: the engine is called and answers, it never waits."""


def _initialize_event_loop() -> None:
    """Called when the package is imported."""
