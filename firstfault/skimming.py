# SPDX-License-Identifier: MIT
"""Large inputs: after the first megabytes only the neighbourhood of candidate lines is read closely.

What is passed over can't hold a signal or an error; a sample of it is still read, so that progress between a
fault and the end is seen, and the last lines always are.
"""
from __future__ import annotations

from functools import lru_cache

from .database import Database
from .events import Collector, literals
from .lines import split
from .prefilter import Needles, Prefilter
from .reading import Block

#: Bytes at the start of an input that are read line by line, and how many when the input is known to be large.
CLOSELY, CLOSELY_IF_LARGE = 2 << 20, 128 << 10
#: From this size on an input is large.
LARGE = 8 << 20
#: Lines read before and after a candidate: a traceback with its frames, a launcher's block.
BEFORE, AFTER = 40, 60
#: Neighbourhoods read for lines that no entry knows; a log full of them says the same again.
MOST_UNKNOWN = 300
#: Lines read of a sample, and of the end.
SAMPLE, END = 40, 200
#: Words of lines that matter without an entry.  How often equal lines (digits aside) are read: errors seldom, facts about ranks always.
_SELDOM, _OFTEN = 6, 20_000
WORDS = {
    **dict.fromkeys((
        "Traceback (most recent call last)", "RuntimeError: ", "ValueError: ", "FileNotFoundError", "ImportError: ", "OutOfMemoryError", "AssertionError", "TimeoutError", "ConnectionError", "NCCL WARN",
        "NVRM: Xid (", "SXid (PCI", "Out of memory: Killed", "invoked oom-killer", "Segmentation fault", "core dumped", "terminate called after", "Fatal Python error",
        "command not found", "No space left on device", "Resource temporarily unavailable", "Too many open files", "Disk quota exceeded", "Input/output error", "Permission denied",
        "slurmstepd: error:", "srun: error:", "CANCELLED AT", "AER: Uncorrected", "Training finished", "Training completed", "train_runtime", "completed successfully", "finished successfully",
        "restarting worker group", "Resuming from", "Resuming training from", "has been requeued",
    ), _SELDOM),
    **dict.fromkeys((" nranks ", "exitcode  :", "failed (exitcode:", "local_rank: ", "Root Cause (first observed failure)"), _OFTEN),
}


@lru_cache(maxsize=8)
def _needles(database: Database) -> Needles:
    """The needles of a database and the words, prepared once."""
    known = literals(database)
    return Needles([*known, *((len(known) + number, (word,)) for number, word in enumerate(WORDS))])


class Skimmer:
    """Reads the later blocks of one input for a collector."""

    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        self._known = len(collector.literals)
        limits = {self._known + number: limit for number, limit in enumerate(WORDS.values())}
        self._prefilter = Prefilter(_needles(collector.database), limits)
        self._always = self._known + list(WORDS.values()).index(_OFTEN)
        self._unknown = 0
        self._blocks = 0
        self._next_sample = 1
        self._left: tuple[Block, str, int, int] | None = None

    def feed(self, block: Block, file: str, order: int) -> None:
        """Take a block; ``order`` is that of its first line."""
        self._blocks += 1
        candidates = self._prefilter.lines(block.data)
        read_to = 0
        rows = block.data.split(b"\n") if candidates else []
        numbers = [number for number, keys in candidates.items() if self._worth(rows[number], keys)]
        if numbers:
            read_to = self._windows(rows, numbers, block, file, order)
        elif self._blocks >= self._next_sample:
            self._next_sample = self._blocks + max(1, self._blocks // 8)
            rows = block.data.split(b"\n", SAMPLE)[:SAMPLE]
            self._read(rows, 0, len(rows), block, file, order)
            read_to = len(rows)
        self._left = (block, file, order, read_to)

    def _worth(self, row: bytes, keys: tuple[int, ...]) -> bool:
        """Whether a candidate is really a signal's line, or one of the first errors that no entry knows."""
        known = [key for key in keys if key < self._known]
        if known and self._collector.recognises(row, known):
            return True
        if len(known) == len(keys):
            return False
        self._unknown += 1
        return self._unknown <= MOST_UNKNOWN or any(self._always <= key for key in keys)

    def _windows(self, rows: list[bytes], numbers: list[int], block: Block, file: str, order: int) -> int:
        """Read the lines around candidates; gives the first line not read."""
        start, end = max(0, numbers[0] - BEFORE), numbers[0] + AFTER
        for number in numbers[1:]:
            if number - BEFORE > end:
                self._read(rows, start, end, block, file, order)
                start = number - BEFORE
            end = number + AFTER
        self._read(rows, start, end, block, file, order)
        return end

    def _read(self, rows: list[bytes], start: int, end: int, block: Block, file: str, order: int) -> None:
        data = b"\n".join(rows[start:end])
        if data:
            self._collector.feed(split(data + b"\n", file, block.number + start, order + start))

    def close(self) -> None:
        """The input is complete: read its end, unless it was read already."""
        if self._left is None:
            return
        block, file, order, read_to = self._left
        rows = block.data.split(b"\n")
        self._read(rows, max(read_to, len(rows) - END), len(rows), block, file, order)
        self._left = None
