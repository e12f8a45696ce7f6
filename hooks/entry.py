# SPDX-License-Identifier: MIT
"""The loaded entry: plain data plus where each field stands in its file, so that a problem can name a line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .problems import Problem


@dataclass
class Entry:
    """One failure as its file says it."""

    file: str
    folder: str
    data: dict[str, Any]
    spans: dict[str, tuple[int, int]] = field(default_factory=dict)
    source: list[str] = field(default_factory=list)
    schema_problems: list[Problem] | None = None

    @property
    def id(self) -> str:
        """The id that the entry claims."""
        return str(self.data.get("id", ""))

    @property
    def kind(self) -> str:
        """Failure, wrapper or benign."""
        return str(self.data.get("kind", ""))

    def line(self, path: str) -> int:
        """Give the line of a field, or of its nearest parent that has one."""
        while path:
            if path in self.spans:
                return self.spans[path][0]
            path = path[: max(path.rfind("."), path.rfind("["), 0)]
        return 1

    def line_of(self, path: str, needle: str) -> int:
        """Give the line inside a field on which `needle` stands, or the field's own."""
        first, last = self.spans.get(path, (self.line(path), self.line(path)))
        for number in range(first, min(last, len(self.source)) + 1):
            if needle in self.source[number - 1]:
                return number
        return first

    def problem(self, path: str, what: str, why: str, todo: str, *, at: str = "") -> Problem:
        """Report a problem with the field at `path`, on the line that holds `at` when that is given."""
        line = self.line_of(path, at) if at else self.line(path)
        return Problem(self.file, line, path, what, why, todo)


def walk(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every (path, scalar) of nested data, in order."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from walk(item, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from walk(item, f"{path}[{number}]")
    else:
        yield path, value
