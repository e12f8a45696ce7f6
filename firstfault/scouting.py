# SPDX-License-Identifier: MIT
"""The second part of a large file is looked through by a second process, while the first reads the first part.

The scout tells of every block how long it is, how many lines it has, and which of them may hold something; blocks without
such lines are not even read by the first process.  It decides nothing: what it did not get to is read as ever, and without
a scout the result is the same.
"""
from __future__ import annotations

import marshal
import os
import stat
import sys
from collections.abc import Callable, Iterator
from typing import BinaryIO

from .prefilter import Prefilter
from .reading import Reader, kind_of

#: A smaller file is read before a second process would have begun.
LARGE = 32 << 20
#: Where the second part begins, in parts of a hundred: the first process has more to do than to look.
_SPLIT = 36
_PIECE = 1 << 16
#: What is told of a block: its bytes, its lines, and the keys of the candidates among them.
Told = tuple[int, int, dict[int, tuple[int, ...]]]
#: Bytes that the pipe holds where the system allows it: the first process begins to read it late.
_PIPE = 1 << 20


class Scout:
    """A second process at work; ask for what it found when the reader gets to where it began."""

    def __init__(self, process: int, pipe: int) -> None:
        self._process, self._pipe = process, pipe

    def found(self) -> Iterator[Told]:
        """Block after block, as they come; fewer than there are where the process failed."""
        with open(self._pipe, "rb") as pipe:  # noqa: PTH123 - a descriptor
            while True:
                try:
                    yield marshal.load(pipe)  # noqa: S302 - from a copy of this very process
                except (EOFError, ValueError):
                    break
        os.waitpid(self._process, 0)


def split(data: BinaryIO, head: bytes) -> int | None:
    """Where the second part of a large file begins, at a line; None of a small file, a pipe, packed or wide text.

    Blocks are cut there whether or not a scout can be sent, so that the result is the same on every machine.
    """
    size = _size(data)
    return _line_after(data, size * _SPLIT // 100) if size >= LARGE and kind_of(head) == "text" else None


def send(data: BinaryIO, offset: int, chunk: int, prefilter: Callable[[], Prefilter]) -> Scout | None:
    """Start a scout behind an offset; ``chunk`` is how much will be read at a time there.  None with one processor, without fork, or beside other threads."""
    threading = sys.modules.get("threading")
    if not hasattr(os, "fork") or (os.cpu_count() or 1) < 2 or (threading is not None and threading.active_count() > 1):
        return None
    reading, writing = os.pipe()
    _widen(writing)
    process = os.fork()
    if process:
        os.close(writing)
        return Scout(process, reading)
    status = 1
    try:
        os.close(reading)
        _look(data.fileno(), offset, chunk, prefilter(), writing)
        status = 0
    finally:
        os._exit(status)  # nothing of the first process may run twice: no buffers, no cleanup


def _widen(pipe: int) -> None:
    """Let the scout go on while nobody reads yet."""
    try:
        import fcntl

        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE)
    except (ImportError, AttributeError, OSError):
        return  # it waits now and then


def _size(data: BinaryIO) -> int:
    """The size of a regular file, 0 for anything else."""
    try:
        facts = os.fstat(data.fileno())
    except (OSError, ValueError, AttributeError):
        return 0
    return facts.st_size if stat.S_ISREG(facts.st_mode) else 0


def _line_after(data: BinaryIO, position: int) -> int | None:
    """Where the first line behind a position begins, if it is near."""
    near = os.pread(data.fileno(), _PIECE, position)
    at = near.find(b"\n")
    return None if at < 0 else position + at + 1


def _look(file: int, offset: int, chunk: int, prefilter: Prefilter, pipe: int) -> None:
    """Tell of every whole block behind the offset."""
    reader = Reader("", "text")
    for piece in _pieces(file, offset, chunk):
        for block in reader.feed(piece):
            told = marshal.dumps((block.size, block.lines, prefilter.find(block.bare)))
            while told:
                told = told[os.write(pipe, told):]


def _pieces(file: int, offset: int, chunk: int) -> Iterator[bytes]:
    while piece := os.pread(file, chunk, offset):
        yield piece
        offset += len(piece)
