# SPDX-License-Identifier: MIT
"""Zip and tar archives, read member by member as streams: nothing is extracted to disk, every bound has a message.

An archive inside an archive is opened like the outer one, a few levels deep. All levels share one budget, which the size
of the outermost file sets: however a bomb is wrapped, it unpacks no further than that.
"""
from __future__ import annotations

import bz2
import io
import lzma
import os
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from itertools import chain
from typing import IO, Any

from .reading import NO_LOGS

#: Bounds of one archive with all that is nested in it: members read, unpacked bytes in all, unpacked bytes per packed byte of one member.
MOST_MEMBERS = 20_000
MOST_BYTES = 8 << 30
MOST_RATIO = 1200
#: Unpacked bytes of a whole archive that need no excuse; beyond, its own size bounds them.
_FREE = 64 << 20
#: Archives that lie in one another are opened so many levels deep, the outermost included; a zip among them is held in memory.
DEEPEST = 3
MOST_HELD = 64 << 20
_CHUNK = 1 << 20
_ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")


Opened = Iterator[tuple[str, Iterator[bytes], str]]


class ArchiveError(ValueError):
    """An archive that cannot be read at all; the message says why and what to do."""


class _Member:
    """The bytes of a member in pieces; damage ends it with what was read, and is kept for the report."""

    def __init__(self, member: IO[bytes]) -> None:
        self._member = member
        self.damage = ""

    def __iter__(self) -> Iterator[bytes]:
        while True:
            try:
                piece = self._member.read(_CHUNK)
            except (zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError) as error:
                self.damage = str(error) or type(error).__name__
                return
            if not piece:
                return
            yield piece


class _Budget:
    """What may still be read of an archive of this many bytes, with everything nested in it."""

    def __init__(self, name: str, size: int) -> None:
        self.name = name
        self.most = self._left = min(MOST_BYTES, _FREE + MOST_RATIO * size)
        self._members = 0

    def spent(self, size: int) -> str:
        """Take a member of this size; gives a note instead when that is too much."""
        self._members += 1
        self._left -= size
        if self._members > MOST_MEMBERS:
            return f"{self.name}: more than {MOST_MEMBERS} members; the rest was not read"
        return f"{self.name}: unpacks to more than {self.most >> 20} MiB; the rest was not read" if self._left < 0 else ""


class _Joined:
    """Pieces as a file that is read from its front."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces, self._held, self._at = pieces, b"", 0

    def read(self, size: int) -> bytes:
        """As a file's."""
        got = self._held[self._at:self._at + size]
        self._at += len(got)
        while len(got) < size and (piece := next(self._pieces, None)) is not None:
            self._held, self._at = piece, size - len(got)
            got += piece[:self._at]
        return got


def is_archive(head: bytes) -> bool:
    """Whether an input that begins with these bytes is a zip or tar, also a compressed tar."""
    return head.startswith(_ZIP) or head[257:262] == b"ustar" or _unpacked(head)[257:262] == b"ustar"


def _unpacked(head: bytes) -> bytes:
    """The first unpacked bytes of a compressed input."""
    try:
        if head.startswith(b"\x1f\x8b"):
            return zlib.decompressobj(31).decompress(head, 512)
        if head.startswith(b"\xfd7zXZ"):
            return lzma.LZMADecompressor().decompress(head, 512)
        if head.startswith(b"BZh"):
            return bz2.BZ2Decompressor().decompress(head, 512)
    except (zlib.error, lzma.LZMAError, EOFError, OSError, ValueError):
        pass
    return b""


def open_archive(name: str, data: IO[bytes]) -> Opened:
    """Yield (member name, its chunks, note) for each regular file that may be a log; the note is empty unless something is amiss."""
    size = data.seek(0, io.SEEK_END)
    data.seek(0)
    head = data.read(4)
    data.seek(0)
    yield from (_zip if head.startswith(b"PK") else _tar)(name, data, _Budget(name, size), 1)


def _member(label: str, source: IO[bytes], budget: _Budget, depth: int) -> Opened:
    """One member: a log, or an archive whose members are given in its place."""
    if os.path.splitext(label)[1].lower() in NO_LOGS:  # noqa: PTH122 - pathlib takes milliseconds to import
        return
    member = _Member(source)
    pieces = iter(member)
    head = next(pieces, b"")
    whole = chain((head,), pieces) if head else pieces
    if not is_archive(head):
        yield label, whole, ""
    elif depth >= DEEPEST:
        yield label, iter(()), f"{label}: archives inside archives are opened {DEEPEST} levels deep, not further; unpack it, or give it by itself"
    else:
        yield from _nested(label, head, whole, budget, depth + 1)
    if member.damage:
        yield label, iter(()), f"{label}: damaged ({member.damage}), read up to there"


def _nested(label: str, head: bytes, pieces: Iterator[bytes], budget: _Budget, depth: int) -> Opened:
    """The members of an archive that is a member itself."""
    try:
        if not head.startswith(b"PK"):
            yield from _tar(label, _Joined(pieces), budget, depth)
            return
        held = io.BytesIO()  # its list of members stands at its end
        for piece in pieces:
            if held.write(piece) and held.tell() > MOST_HELD:
                yield label, iter(()), f"{label}: a zip of over {MOST_HELD >> 20} MiB inside an archive is not opened; unpack it, or give it by itself"
                return
        yield from _zip(label, held, budget, depth)
    except ArchiveError as error:
        yield label, iter(()), f"{error}; passed over"


def _zip(name: str, data: IO[bytes], budget: _Budget, depth: int) -> Opened:
    try:
        archive = zipfile.ZipFile(data)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise ArchiveError(f"{name}: not a readable zip ({error}); pack it again, or give the files themselves") from error
    members = archive.infolist()
    if any(info.filename.endswith("/data.pkl") for info in members[:10]):
        raise ArchiveError(f"{name}: this is a checkpoint that PyTorch saved, not logs; give the text that the run printed")
    for info in members:
        label = f"{name}!{info.filename}"
        if info.is_dir():
            continue
        if info.flag_bits & 1:
            yield label, iter(()), f"{label}: encrypted, not read"
            continue
        if info.file_size > _FREE and info.file_size > MOST_RATIO * max(info.compress_size, 1):
            yield label, iter(()), f"{label}: would unpack to over {MOST_RATIO} times its size, not read"
            continue
        if note := budget.spent(info.file_size):
            yield label, iter(()), note
            return
        try:
            source = archive.open(info)
        except (zipfile.BadZipFile, NotImplementedError, OSError, RuntimeError, ValueError, struct.error) as error:
            yield label, iter(()), f"{label}: damaged ({error}), not read"
            continue
        yield from _member(label, source, budget, depth)


def _tar(name: str, data: Any, budget: _Budget, depth: int) -> Opened:
    count = 0
    try:
        with tarfile.open(fileobj=data, mode="r|*") as archive:
            for info in archive:
                if not info.isfile():
                    continue
                count += 1
                label = f"{name}!{info.name}"
                if note := budget.spent(info.size):
                    yield label, iter(()), note
                    return
                source = archive.extractfile(info)
                if source is not None:
                    yield from _member(label, source, budget, depth)
    except (tarfile.TarError, EOFError, OSError, zlib.error, lzma.LZMAError, ValueError, TypeError, AttributeError) as error:
        # The last two are tarfile's own, where the header of its compression is damaged.
        if not count:
            raise ArchiveError(f"{name}: not a readable tar ({error}); pack it again, or give the files themselves") from error
        yield name, iter(()), f"{name}: the archive is damaged after {count} members ({error})"
