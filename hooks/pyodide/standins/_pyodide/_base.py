# SPDX-License-Identifier: MIT
"""Stands for Pyodide's way to run source text, which imports `ast` and `tokenize`: here little text is run, at the start."""
from importlib import import_module


def eval_code(source: str, globals=None, locals=None, *, filename="<exec>", **_):
    """Run statements; give the value of what stands behind the last semicolon, where that is an expression."""
    space = {} if globals is None else globals
    statements, _, last = source.rpartition(";")
    try:
        expression = compile(last.strip(), filename, "eval")
    except SyntaxError:
        statements, expression = source, None
    exec(compile(statements, filename, "exec"), space, locals)
    return eval(expression, space, locals) if expression else None


def pyimport_impl(path: str):
    """Import a module."""
    return import_module(path)


def _absent(*_: object, **__: object) -> None:
    raise NotImplementedError("the browser's library has no event loop and no packages")


CodeRunner = eval_code_async = find_imports = should_quiet = _absent
