# SPDX-License-Identifier: MIT
"""Large inputs: after the first megabytes only the neighbourhood of candidate lines is read closely.

What is passed over can't hold a signal or an error; a sample of it is still read, so that progress between a
fault and the end is seen, and the last lines always are.
"""
from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from .database import Database
from .events import Collector
from .lines import split
from .prefilter import Prefilter
from .reading import Block
from .words import OFTEN, WORDS

#: Bytes at the start of an input that are read line by line, and how many when the input is known to be large (whole blocks, the first at least).
CLOSELY, CLOSELY_IF_LARGE = 2 << 20, 1 << 10
#: From this size on an input is large.
LARGE = 8 << 20
#: Lines read before and after a candidate: a traceback with its frames, a launcher's block.
BEFORE, AFTER = 40, 60
#: Neighbourhoods read for lines that no entry knows, and how many of them as wide; a log full of them says the same again.
MOST_UNKNOWN, WIDE_UNKNOWN = 120, 20
#: Lines read before and after the others.
LESS_BEFORE, LESS_AFTER = 5, 20
#: Lines read of a sample, and of the end.
SAMPLE, END = 16, 200
_WORDS = [word.encode() for word in WORDS]


def prefilter(database: Database) -> Prefilter:
    """What finds the candidate lines of a large input: all wordings, and the words with their limits."""
    return Prefilter(database.needles, {database.wordings + number: limit for number, limit in enumerate(WORDS.values())})


class Skimmer:
    """Reads the later blocks of one input for a collector."""

    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        self._known = collector.database.wordings
        self._prefilter = prefilter(collector.database)
        self._always = self._known + list(WORDS.values()).index(OFTEN)  # the first word of those that are always read
        self._unknown = 0
        self._blocks = 0
        self._next_sample = 1
        self._left: _Left | None = None
        self._after = 0

    def feed(self, block: Block, file: str, order: int, found: Mapping[int, tuple[int, ...]] | None = None) -> None:
        """Take a block; ``order`` is that of its first line, ``found`` what a scout's prefilter says of it."""
        self._blocks += 1
        left = _Left(block, file, order)
        candidates = self._prefilter.find(block.bare) if found is None else self._prefilter.again(found, lambda number: left.rows[number])
        windows = [window for number, keys in candidates.items() if (window := self._window(number, left.rows[number], keys))]
        if windows or self._after:
            self._windows(left, windows)
        elif self._blocks >= self._next_sample:
            self._next_sample = self._blocks + max(6, self._blocks // 6)
            self._read(left, 0, SAMPLE)
        self._left = left

    def _window(self, number: int, row: bytes, keys: tuple[int, ...]) -> tuple[int, int] | None:
        """The lines to read around a candidate, if it is really a signal's line or one of the first errors that no entry knows."""
        known = [key for key in keys if key < self._known]
        if known and self._collector.recognises(row, known):
            return number - BEFORE, number + AFTER
        words = [key for key in keys if key >= self._known and _WORDS[key - self._known] in row]
        if not words:
            return None
        self._unknown += 1
        if self._unknown == MOST_UNKNOWN:
            self._prefilter.drop(range(self._known, self._always))
        if self._unknown <= WIDE_UNKNOWN or words[-1] >= self._always:
            return number - BEFORE, number + AFTER
        return (number - LESS_BEFORE, number + LESS_AFTER) if self._unknown <= MOST_UNKNOWN else None

    def _windows(self, left: _Left, windows: list[tuple[int, int]]) -> None:
        """Read the lines around candidates, also those in the block before and those still to come."""
        first = min((start for start, _end in windows), default=0)
        if first < 0 and self._left is not None:
            self._read(self._left, len(self._left.rows) + first, len(self._left.rows))
        end = self._after
        start = 0
        for before, after in windows:
            if before > end:
                self._read(left, start, end)
                start = before
            end = max(end, after)
        self._read(left, max(0, start), end)
        self._after = max(0, end - len(left.rows))

    def _read(self, left: _Left, start: int, end: int) -> None:
        """Read some lines of a block, except those that were read."""
        start = max(start, left.read_to)
        rows = left.rows[start:end]
        if rows:
            left.read_to = start + len(rows)
            self._collector.feed(split(b"\n".join(rows), left.file, left.block.number + start, left.order + start))

    def close(self) -> None:
        """The input is complete: read its end, unless it was read already."""
        if self._left is not None:
            self._read(self._left, len(self._left.rows) - END, len(self._left.rows))
        self._left, self._after = None, 0


class _Left:
    """A block, its lines once they are asked for, and the first line that was not read."""

    def __init__(self, block: Block, file: str, order: int) -> None:
        self.block, self.file, self.order, self.read_to = block, file, order, 0

    @cached_property
    def rows(self) -> list[bytes]:
        """The lines of the block."""
        return self.block.data.removesuffix(b"\n").split(b"\n")
