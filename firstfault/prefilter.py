# SPDX-License-Identifier: MIT
"""Which lines can hold a signal at all, at a cost that hardly grows with the number of signals.

Works on bytes.  One ``translate`` per block deletes what varies between copies of a line (digits, a to f,
blanks, punctuation, and with ESC, `m` and `K` also colour codes), so repeated lines become equal and are seen
once.  Of each signal's literal a short window that begins with a rare letter is kept; one small regular
expression lists the windows of the new lines, and a dictionary tells which literal they may belong to.
"""
from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any

#: Letters of a window, its start included.  A literal without a rare letter that far from its end is searched by itself.
WINDOW = 7
#: Distinct projected lines remembered; beyond it, repeated lines are looked at again.  Longer ones are never remembered.
MOST_SEEN, LONGEST_SEEN = 160_000, 2000
_DELETED = bytes(
    byte for byte in range(256)
    if byte not in (10, 13) and (byte >= 128 or byte < 32 or not chr(byte).isalpha() or chr(byte) in "abcdefmK")
)


def project(data: bytes) -> bytes:
    """The part of the bytes by which lines are compared; line ends stay."""
    return data.translate(None, _DELETED)


def bare(data: bytes) -> list[bytes]:
    """The projected lines of a block of whole lines; one for each line feed."""
    rows = data.translate(None, _DELETED).split(b"\n")
    rows.pop()
    return rows


class Needles:
    """What is looked for: the literal runs of every key, prepared once and shared by any number of prefilters.

    ``plan`` comes from :mod:`firstfault.needles`, where it is made ahead; ``runs`` gives the runs that a line must hold
    for a key, in any order.
    """

    def __init__(self, plan: Mapping[str, Any], runs: Callable[[int], Sequence[str]]) -> None:
        self._runs = runs
        self._pieces: dict[int, tuple[bytes, ...]] = {}
        self.windows: dict[str, list[int]] = plan["windows"]
        self.common: dict[str, list[int]] = plan["common"]
        self.listing = re.compile(plan["listing"])

    def pieces(self, key: int) -> tuple[bytes, ...]:
        """The projected runs of a key, the longest first."""
        known = self._pieces.get(key)
        if known is None:
            projected = sorted((project(run.encode()) for run in self._runs(key)), key=len, reverse=True)
            known = self._pieces[key] = tuple(piece for piece in projected if piece)
        return known


class Prefilter:
    """Finds candidate lines, and remembers the lines it has seen.

    ``limits`` says of some keys how often equal projected lines are given at all; a line stays unlimited while it
    holds any key without a limit.  Keys in ``without`` are not looked for.
    """

    def __init__(self, needles: Needles, limits: Mapping[int, int] | None = None, without: Container[int] = ()) -> None:
        self._needles = needles
        self._limits = limits or {}
        self._without = without
        self._limit_of: dict[tuple[int, ...], int | None] = {}
        self._left: dict[bytes, int] = {}
        self._seen: set[bytes] = set()
        self._hits: dict[bytes, tuple[int, ...]] = {}

    def lines(self, data: bytes) -> dict[int, tuple[int, ...]]:
        """For each candidate line of some text (0 for the first), the keys whose literal it may hold."""
        return self.find(project(data).split(b"\n"))

    def find(self, rows: list[bytes]) -> dict[int, tuple[int, ...]]:
        """The same, of lines that are projected already."""
        distinct = set(rows)
        new = distinct - self._seen
        if new:
            self._scan(new)
            self._remember(new)
        wanted = distinct & self._hits.keys() if self._hits else None
        if not wanted:
            return {}
        found = {number: self._hits[row] for number, row in enumerate(rows) if row in wanted and self._may(row, self._hits[row])}
        for row in wanted:
            if len(row) > LONGEST_SEEN or self._left.get(row, 1) <= 0:
                del self._hits[row]
        return found

    def again(self, found: Mapping[int, tuple[int, ...]], line: Callable[[int], bytes]) -> dict[int, tuple[int, ...]]:
        """What this one would find in lines of which an equal prefilter, which had seen other lines before, has told what it found."""
        wanted = ((number, tuple(key for key in keys if key not in self._without)) for number, keys in found.items())
        return {number: keys for number, keys in wanted if keys and (self._limit(keys) is None or self._may(project(line(number)), keys))}

    def drop(self, keys: Container[int]) -> None:
        """Look no longer for some keys."""
        self._without = keys
        kept = {row: tuple(key for key in found if key not in keys) for row, found in self._hits.items()}
        self._hits = {row: found for row, found in kept.items() if found}

    def _may(self, row: bytes, keys: tuple[int, ...]) -> bool:
        """Whether a line with these keys is given once more."""
        limit = self._limit(keys)
        if limit is None or len(row) > LONGEST_SEEN:
            return True
        if len(self._left) > MOST_SEEN:
            self._left.clear()
        left = self._left[row] = self._left.get(row, limit) - 1
        return left >= 0

    def _limit(self, keys: tuple[int, ...]) -> int | None:
        """How often a line with these keys is given; None where one of them has no limit."""
        if keys not in self._limit_of:
            self._limit_of[keys] = max(self._limits[key] for key in keys) if all(key in self._limits for key in keys) else None
        return self._limit_of[keys]

    def _remember(self, new: set[bytes]) -> None:
        """Don't look at these lines again, within bounds of memory."""
        if len(self._seen) + len(new) > MOST_SEEN:
            self._seen.clear()
        if len(max(new, key=len)) > LONGEST_SEEN:
            new = {row for row in new if len(row) <= LONGEST_SEEN}
        self._seen |= new

    def _scan(self, rows: set[bytes]) -> None:
        """Note the keys of each new projected line that has any."""
        text = b"\n".join(rows)
        letters = text.decode("latin-1")
        hits: dict[bytes, set[int]] = {}
        needles = self._needles
        for window in set(filter(needles.windows.__contains__, needles.listing.findall(letters))):
            for key in needles.windows[window]:
                self._collect(text, key, hits)
        for run, keys in needles.common.items():
            if run in letters:
                for key in keys:
                    self._collect(text, key, hits)
        for row, found in hits.items():
            self._hits[row] = tuple(sorted(found))

    def _collect(self, text: bytes, key: int, hits: dict[bytes, set[int]]) -> None:
        """Note every line of ``text`` that holds all runs of a key."""
        if key in self._without:
            return
        longest, *others = self._needles.pieces(key)
        at = text.find(longest)
        while at >= 0:
            start = text.rfind(b"\n", 0, at) + 1
            end = text.find(b"\n", at)
            end = len(text) if end < 0 else end
            row = text[start:end]
            if all(piece in row for piece in others):
                hits.setdefault(row, set()).add(key)
            at = text.find(longest, end)
