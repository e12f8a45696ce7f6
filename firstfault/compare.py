# SPDX-License-Identifier: MIT
"""A failed run beside a good one: the first line whose words the good log never says.

Numbers, addresses, paths and times differ between any two runs, so lines are compared by the words that are left.  Reading
is linear, and memory is bounded by the kinds of lines, of which even long logs have few.
"""
from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from . import generic
from .lines import split
from .reading import Reader

#: Kinds of lines that are learnt, those of them that are remembered by their text, and rows of each list.
MOST_KINDS, MOST_TEXTS, MOST_ROWS = 400_000, 20_000, 20
_LONGEST = 600
_KEPT = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789\n")
_WORDS = bytes(code if code in _KEPT or code > 127 else code + 32 if 65 <= code <= 90 else 32 for code in range(256))
_NUMBERED = re.compile(rb"(?<![a-z0-9])[a-z]*+[0-9][0-9a-z]*+")
_DATES = re.compile(rb"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|am|pm|utc)\b")
#: Words of a line that name a place or carry a value, which two runs need not share.
_PLACES = re.compile(rb"\S*[/\\@]\S*|(?<==)\S+|\b[\w-]+\.[\w.-]+\b")


def words(data: bytes) -> list[bytes]:
    """For each line its words in lower case, without those that hold a digit."""
    bare = _NUMBERED.sub(b"", data.translate(_WORDS))
    return [b" ".join(row.split()) for row in bare.split(b"\n")]


def loosely(line: bytes) -> bytes:
    """The same for one line, without places, values and names of months and days too."""
    return b" ".join(_DATES.sub(b"", words(_PLACES.sub(b" ", line[:_LONGEST]))[0]).split())


class Side:
    """One of the two runs: several inputs, read in pieces, whose lines are looked at kind by kind."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.files = self.lines = self.bytes = 0
        self.kinds: set[int] = set()
        self._reader: Reader | None = None

    def open(self, name: str, size: int | None = None) -> None:
        """Begin an input."""
        self._reader = Reader(name)

    def feed(self, data: bytes) -> None:
        """Take more of it."""
        assert self._reader is not None
        self._take(self._reader, self._reader.feed(bytes(data)))

    def close(self) -> None:
        """It is complete."""
        assert self._reader is not None
        reader, self._reader = self._reader, None
        self._take(reader, reader.close())
        self.notes += reader.notes
        self.files, self.lines, self.bytes = self.files + 1, self.lines + reader.lines, self.bytes + reader.bytes

    def _take(self, reader: Reader, blocks: Iterable[Any]) -> None:
        for block in blocks:
            data = block.data.removesuffix(b"\n")
            raw: list[bytes] | None = None
            for index, row in enumerate(words(data)):
                kind = hash(row)
                if not row or kind in self.kinds:
                    continue
                if raw is None:
                    raw = data.split(b"\n")
                if len(self.kinds) < MOST_KINDS:
                    self.kinds.add(kind)
                self._new(kind, hash(loosely(raw[index])), reader.name, block.number + index, raw[index])

    def _new(self, kind: int, loose: int, file: str, line: int, raw: bytes) -> None:
        raise NotImplementedError


class Good(Side):
    """The run that went well: which kinds of lines it has."""

    def __init__(self) -> None:
        super().__init__()
        self.loose: set[int] = set()
        self.texts: list[tuple[int, int, str, int, bytes]] = []

    def _new(self, kind: int, loose: int, file: str, line: int, raw: bytes) -> None:
        if len(self.loose) < MOST_KINDS:
            self.loose.add(loose)
        if len(self.texts) < MOST_TEXTS:
            self.texts.append((kind, loose, file, line, raw[:_LONGEST]))


class Bad(Side):
    """The run that failed: its lines whose kind the good one never shows."""

    def __init__(self, good: Good) -> None:
        super().__init__()
        self._good = good
        self.loose: set[int] = set()
        self.rows: list[dict[str, Any]] = []
        self.trouble: dict[str, Any] | None = None
        self.count = 0

    def _new(self, kind: int, loose: int, file: str, line: int, raw: bytes) -> None:
        known = loose in self.loose
        if len(self.loose) < MOST_KINDS:
            self.loose.add(loose)
        if known or kind in self._good.kinds or loose in self._good.loose:
            return
        self.count += 1
        if len(self.rows) < MOST_ROWS:
            self.rows.append(_row(file, line, raw))
        if self.trouble is None and any(generic.of_line(each) for each in split(raw[:_LONGEST], file, line, 0)):
            self.trouble = _row(file, line, raw)


def outcome(good: Good, bad: Bad) -> dict[str, Any]:
    """What the comparison says, as JSON: the first new line, the first new line that is an error, what is missing."""
    missing = [_row(file, line, raw) for kind, loose, file, line, raw in good.texts if kind not in bad.kinds and loose not in bad.loose]
    notes = [*good.notes, *bad.notes]
    if len(good.kinds) >= MOST_KINDS:
        notes.append(f"the good log holds over {MOST_KINDS:,} kinds of lines; what it says after them counts as never said")
    return {
        "first": bad.rows[0] if bad.rows else None, "first_error": bad.trouble, "new": bad.rows, "new_kinds": bad.count,
        "missing": missing[:MOST_ROWS], "missing_kinds": len(missing), "good": _stats(good), "bad": _stats(bad), "notes": notes[:100],
    }


def _row(file: str, line: int, raw: bytes) -> dict[str, Any]:
    shown = split(raw[:_LONGEST], file, line, 0)
    return {"file": file, "line": line, "text": shown[0].text if shown else ""}


def _stats(side: Side) -> dict[str, int]:
    return {"files": side.files, "lines": side.lines, "bytes": side.bytes, "kinds": len(side.kinds)}
