# SPDX-License-Identifier: MIT
"""Stands for what calls Python from JavaScript; the part that matches loose arguments would import `inspect`."""
from collections.abc import Callable

from _pyodide._base import CodeRunner, eval_code, eval_code_async, find_imports, should_quiet

__all__ = ["CodeRunner", "eval_code", "eval_code_async", "find_imports", "relaxed_call", "should_quiet"]


def relaxed_call(func: Callable[..., object], *args: object, **kwargs: object) -> object:
    """Call a function."""
    return func(*args, **kwargs)
