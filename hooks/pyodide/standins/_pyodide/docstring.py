# SPDX-License-Identifier: MIT
"""Stands for what gives the methods of JavaScript objects their help texts; there is nobody to read them."""


def get_cmeth_docstring(func) -> str:
    """Give a text of the form that the interpreter's core insists on."""
    return f"{func.__name__}(*args)\n--\n\n"
