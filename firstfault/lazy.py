# SPDX-License-Identifier: MIT
"""Regular expressions that are compiled when they are first used: one log needs few of them, and compiling all takes longer than reading a short log."""
from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any


class Pattern:
    """Stands for ``re.compile(source, flags)``; after the first use, its methods are those of the compiled expression."""

    #: The two that are given, then those of the compiled expression.
    __slots__ = ("source", "flags", "match", "search", "fullmatch", "finditer", "findall", "sub", "split", "groups")  # noqa: RUF023 - in that order
    match: Callable[..., re.Match[str] | None]
    search: Callable[..., re.Match[str] | None]
    fullmatch: Callable[..., re.Match[str] | None]
    finditer: Callable[..., Any]
    findall: Callable[..., list[Any]]
    sub: Callable[..., str]
    split: Callable[..., list[str]]
    groups: int

    def __init__(self, source: str, flags: int = 0) -> None:
        self.source, self.flags = source, flags

    def __getattr__(self, name: str) -> Any:
        """Compile: a method is asked for that is not there yet."""
        if name not in self.__slots__:
            raise AttributeError(name)
        compiled = re.compile(self.source, self.flags)
        for method in self.__slots__[2:]:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)
