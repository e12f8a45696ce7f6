# SPDX-License-Identifier: MIT
"""Stands for `inspect`, of which Pyodide's core and `dataclasses` want one function each, and never their answers."""

_COROUTINE = 0x80


def iscoroutinefunction(thing: object) -> bool:
    """Whether calling it gives a coroutine."""
    return bool(getattr(getattr(thing, "__code__", None), "co_flags", 0) & _COROUTINE)


def signature(*_: object, **__: object) -> None:
    """A signature is only shown to readers of help texts; who asks must do without, as for built-in functions."""
    raise ValueError("the browser's library knows no signatures")
