# SPDX-License-Identifier: MIT
"""The whole pipeline in one screen: bytes -> lines -> events -> verdict.  Start reading here."""
from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from . import clocks, folds, ranktable
from .database import Database
from .events import Collector, FileFacts
from .flightrecorder import FEW_RECORDS, MANY_RECORDS, Dump, Intake
from .lines import split
from .reading import NO_LOGS, Block, Reader, ReadingError
from .skimming import CLOSELY, CLOSELY_IF_LARGE, LARGE, Skimmer, prefilter
from .verdict import gather, judge

if TYPE_CHECKING:
    from .scouting import Scout

_HEAD, _CHUNK = 1 << 15, 1 << 17
Progress = Callable[[str, int], None]


class Intaking(Protocol):
    """What inputs are read into: a diagnosis, or one side of a comparison."""

    notes: list[str]

    def open(self, name: str, size: int | None = None) -> None:
        """Begin an input."""

    def feed(self, data: bytes) -> None:
        """Take more of it."""

    def close(self) -> None:
        """It is complete."""


class Session:
    """One diagnosis: open an input, feed its bytes, close it; then ask for the result.

    >>> session = Session(database)
    >>> session.open("train.log"); session.feed(b"..."); session.close()
    >>> session.result()["verdict"]
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self.collector = Collector(database)
        self.notes: list[str] = []
        self._reader: Reader | None = None
        self._intake: Intake | None = None
        self._skimmer: Skimmer | None = None
        self._read = self._undecodable = 0
        self._closely = CLOSELY
        self._order = 0
        self._bytes = 0
        self._files = 0
        self._lines = 0
        self._started = time.perf_counter()

    def open(self, name: str, size: int | None = None) -> None:
        """Begin an input; its size in bytes, where it is known, tells at once that it is large."""
        self._reader = Reader(name)
        self._intake = Intake(name)
        self._closely = CLOSELY_IF_LARGE if size is not None and size >= LARGE else CLOSELY
        self._read = self._undecodable = 0

    def feed(self, data: bytes) -> None:
        """Take more bytes of the open input."""
        assert self._reader is not None and self._intake is not None
        text = self._intake.offer(bytes(data))
        if text:
            self._take(self._reader.feed(text))

    def skip(self, size: int, lines: int, found: Mapping[int, tuple[int, ...]], read: Callable[[], bytes]) -> None:
        """Pass over the next block of the open input, as a scout has looked at it; its bytes are asked for only where they are needed."""
        assert self._reader is not None
        self._take_block(self._reader.skip(size, lines, read), found)

    def close(self) -> None:
        """The open input is complete."""
        assert self._reader is not None and self._intake is not None
        reader = self._reader
        try:
            dump, text = self._intake.close()
            if dump is not None:
                self._record(dump)
            elif text:
                self._take(reader.feed(text))
            self._take(reader.close())
            if self._skimmer is not None:
                self._skimmer.close()
        finally:
            self._reader = None
            self.notes.extend(reader.notes)
            if self._undecodable:
                part = f" (of the first {self._closely >> 10} KiB)" if self._read > self._closely else ""
                self.notes.append(f"{reader.name}: {self._undecodable} places{part} are no UTF-8 and are shown as \ufffd")
            self._bytes += reader.bytes + self._intake.recorded
            self._lines += reader.lines
            self._files += 1

    def _record(self, dump: Dump) -> None:
        """Keep a flight-recorder dump for the comparison of the ranks."""
        if dump.rank is None:
            self.notes.append(f"{dump.file}: a flight-recorder dump, but its name does not end in a rank (nccl_trace_rank_3); it was not compared")
        held = sum(known.count() for known in self.collector.dumps)
        if held + dump.count() > MANY_RECORDS:
            dump.trim(FEW_RECORDS)
        dump.order = self._order
        self._order += 1
        self.collector.dumps.append(dump)
        self.collector.files[dump.file] = FileFacts(dump.file, ranks=set() if dump.rank is None else {dump.rank})
        world = max((len(group.members) for group in dump.groups.values()), default=0)
        if 1 < world < 1_000_000:
            self.collector.launchers.world = max(self.collector.launchers.world or 0, world)

    def _take(self, blocks: Iterator[Block]) -> None:
        for block in blocks:
            self._take_block(block)

    def _take_block(self, block: Block, found: Mapping[int, tuple[int, ...]] | None = None) -> None:
        assert self._reader is not None
        name = self._reader.name
        if self._read < self._closely:
            self._undecodable += _undecodable(block.data)
            self.collector.feed(split(block.data, name, block.number, self._order))
        else:
            if self._skimmer is None:
                self._skimmer = Skimmer(self.collector)
            self._skimmer.feed(block, name, self._order, found)
        self._read += block.size
        self._order += block.lines

    def result(self) -> dict[str, Any]:
        """The verdict on all inputs so far, as the JSON of the contract."""
        events = gather(self.collector, self.database)
        result = judge(self.collector, self.database, events)
        folds.add(result, events)
        ranktable.add(result, self.collector, events)
        result["notes"] = [*self.notes, *clocks.sentences(self.collector.ahead)][:100]
        result["stats"] = {"files": self._files, "lines": self._lines, "bytes": self._bytes, "seconds": round(time.perf_counter() - self._started, 3)}
        result["database"] = {"entries": len(self.database.entries), "version": self.database.version}
        return result


def _undecodable(data: bytes) -> int:
    """Places of a block that are no UTF-8."""
    if data.isascii():
        return 0
    return data.decode("utf-8", "replace").count("\ufffd") - data.count("\ufffd".encode())


def diagnose_paths(paths: Iterable[str | os.PathLike[str]], database: Database, progress: Progress | None = None) -> dict[str, Any]:
    """Diagnose files, folders, archives and standard input (`-`) together.

    Raises OSError for what cannot be opened, :class:`ReadingError` for a single input that is no log; inside a
    folder or archive such files are noted and passed over.
    """
    session = Session(database)
    read_paths(session, paths, progress)
    return session.result()


def read_paths(session: Intaking, paths: Iterable[str | os.PathLike[str]], progress: Progress | None = None) -> None:
    """Feed everything that the paths hold to a session."""
    for path in paths:
        if str(path) == "-":
            _read_one(session, "stdin", sys.stdin.buffer, progress)
        elif os.path.isdir(path):  # noqa: PTH112 - pathlib takes milliseconds to import
            _read_folder(session, path, progress)
        else:
            with open(path, "rb") as data:  # noqa: PTH123 - pathlib takes milliseconds to import
                _read_one(session, str(path), data, progress)


def _read_folder(session: Intaking, path: str | os.PathLike[str], progress: Progress | None) -> None:
    from pathlib import Path

    folder = Path(path)
    files = [path for path in sorted(folder.rglob("*"), key=_natural) if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts)]
    taken = [path for path in files if path.suffix.lower() not in NO_LOGS]
    if not taken:
        raise ReadingError(f"{folder}: holds no file that could be a log; give the folder with the run's output")
    if others := len(files) - len(taken):
        kinds = sorted({path.suffix.lower() for path in files} & NO_LOGS)
        said = "file was not read: by its name it is no log" if others == 1 else "files were not read: by their names they are no logs"
        session.notes.append(f"{folder}: {others:,} {said} ({', '.join(kinds[:6])})")
    for path in taken:
        name = str(path.relative_to(folder.parent) if folder.parent != Path() else path)
        try:
            with path.open("rb") as data:
                _read_one(session, name, data, progress)
        except (ReadingError, OSError) as error:
            session.notes.append(f"{error}; passed over")


def _natural(path: os.PathLike[str]) -> list[tuple[int, str]]:
    """Sort key under which `rank10` follows `rank9`."""
    parts: list[tuple[int, str]] = []
    number = ""
    for character in str(path):
        if character.isdecimal():
            number += character
            continue
        if number:
            parts.append((int(number[:15]), ""))
            number = ""
        parts.append((-1, character))
    if number:
        parts.append((int(number[:15]), ""))
    return parts


def _read_one(session: Intaking, name: str, data: BinaryIO, progress: Progress | None) -> None:
    """Read one input; an archive gives several."""
    head = data.read(_HEAD)
    if is_archive(head):
        _read_archive(session, name, head, data, progress)
        return
    size = _size(data)
    session.open(name, size)
    behind, scout = _parts(session, data, head) if isinstance(session, Session) and size is not None and size >= LARGE else (None, None)
    try:
        session.feed(head)
        position = len(head)
        while piece := data.read(_CHUNK if behind is None or position >= behind else min(_CHUNK, behind - position)):
            session.feed(piece)
            position += len(piece)
            if progress:
                progress(name, len(piece))
            if scout is not None and position == behind:
                _skip(session, name, data, behind, scout, progress)
    except OSError as error:
        session.notes.append(f"{name}: reading stopped ({error.strerror or error}); what came before was read")
    session.close()


def _parts(session: Session, data: BinaryIO, head: bytes) -> tuple[int | None, Scout | None]:
    """Where the second part of a large file begins, and the second process that looks ahead into it, where there can be one."""
    from . import scouting  # most logs are small

    behind = scouting.split(data, head)
    return behind, None if behind is None else scouting.send(data, behind, _CHUNK, lambda: prefilter(session.database))


def _skip(session: Session, name: str, data: BinaryIO, position: int, scout: Scout, progress: Progress | None) -> None:
    """Pass over what the scout has looked through; it leaves the unfinished last line, and all that was written since."""
    for size, lines, found in scout.found():
        session.skip(size, lines, found, partial(os.pread, data.fileno(), size, position))
        position += size
        if progress:
            progress(name, size)
    data.seek(position)


def is_archive(head: bytes) -> bool:
    """Whether an input is a zip or tar; the module that reads them is loaded only when its first bytes allow it."""
    if not head.startswith((b"PK", b"\x1f\x8b", b"\xfd7zXZ", b"BZh")) and head[257:262] != b"ustar":
        return False
    from . import archives

    return archives.is_archive(head)


def _size(data: BinaryIO) -> int | None:
    """The size of a regular file; None for a pipe."""
    try:
        return os.fstat(data.fileno()).st_size or None
    except (OSError, ValueError, AttributeError):
        return None


def _read_archive(session: Intaking, name: str, head: bytes, data: BinaryIO, progress: Progress | None) -> None:
    """Read every member of a zip or tar; damaged ones are noted."""
    from .archives import ArchiveError, open_archive

    source: Any = data
    if data.seekable():
        data.seek(0)
    else:
        source = io.BytesIO(head + data.read())
    try:
        for member, pieces, note in open_archive(name, source):
            if note:
                session.notes.append(note)
                continue
            _read_member(session, member, pieces, progress)
    except ArchiveError as error:
        raise ReadingError(str(error)) from error


def _read_member(session: Intaking, member: str, pieces: Iterable[bytes], progress: Progress | None) -> None:
    session.open(member)
    try:
        for piece in pieces:
            session.feed(piece)
            if progress:
                progress(member, len(piece))
        session.close()
    except ReadingError as error:
        session.notes.append(f"{error}; passed over")
