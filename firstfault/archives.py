# SPDX-License-Identifier: MIT
"""Zip and tar archives, read member by member as streams: nothing is extracted to disk, every bound has a message."""
from __future__ import annotations

import bz2
import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO

#: Bounds of one archive: members read, unpacked bytes in all, unpacked bytes per packed byte of one member.
MOST_MEMBERS = 20_000
MOST_BYTES = 8 << 30
MOST_RATIO = 1200
#: Unpacked bytes of a whole archive that need no excuse; beyond, its own size bounds them.
_FREE = 64 << 20
_CHUNK = 1 << 20
_ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")


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


def open_archive(name: str, data: IO[bytes]) -> Iterator[tuple[str, Iterator[bytes], str]]:
    """Yield (member name, its chunks, note) for each regular file; the note is empty unless something is amiss."""
    head = data.read(4)
    data.seek(0)
    if head.startswith(b"PK"):
        yield from _zip(name, data)
    else:
        yield from _tar(name, data)


def _zip(name: str, data: IO[bytes]) -> Iterator[tuple[str, Iterator[bytes], str]]:
    try:
        archive = zipfile.ZipFile(data)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise ArchiveError(f"{name}: not a readable zip ({error}); pack it again, or give the files themselves") from error
    members = archive.infolist()
    if any(info.filename.endswith("/data.pkl") for info in members[:10]):
        raise ArchiveError(f"{name}: this is a checkpoint that PyTorch saved, not logs; give the text that the run printed")
    most = min(MOST_BYTES, _FREE + MOST_RATIO * data.seek(0, io.SEEK_END))
    left = most
    for count, info in enumerate(members):
        label = f"{name}!{info.filename}"
        if info.is_dir():
            continue
        if count >= MOST_MEMBERS:
            yield label, iter(()), f"{name}: more than {MOST_MEMBERS} members; the rest was not read"
            return
        if info.flag_bits & 1:
            yield label, iter(()), f"{label}: encrypted, not read"
            continue
        if info.file_size > _FREE and info.file_size > MOST_RATIO * max(info.compress_size, 1):
            yield label, iter(()), f"{label}: would unpack to over {MOST_RATIO} times its size, not read"
            continue
        left -= info.file_size
        if left < 0:
            yield label, iter(()), f"{name}: unpacks to more than {most >> 20} MiB; the rest was not read"
            return
        try:
            member = _Member(archive.open(info))
        except (zipfile.BadZipFile, NotImplementedError, OSError, RuntimeError, ValueError, struct.error) as error:
            yield label, iter(()), f"{label}: damaged ({error}), not read"
            continue
        yield label, iter(member), ""
        if member.damage:
            yield label, iter(()), f"{label}: damaged ({member.damage}), read up to there"


def _tar(name: str, data: IO[bytes]) -> Iterator[tuple[str, Iterator[bytes], str]]:
    count, left = 0, MOST_BYTES
    try:
        with tarfile.open(fileobj=data, mode="r|*") as archive:
            for info in archive:
                if not info.isfile():
                    continue
                count, left = count + 1, left - info.size
                if count > MOST_MEMBERS or left < 0:
                    yield f"{name}!{info.name}", iter(()), f"{name}: more than {MOST_MEMBERS} members or {MOST_BYTES >> 30} GiB; the rest was not read"
                    return
                source = archive.extractfile(info)
                if source is not None:
                    member = _Member(source)
                    yield f"{name}!{info.name}", iter(member), ""
                    if member.damage:
                        yield name, iter(()), f"{name}!{info.name}: damaged ({member.damage}), read up to there"
    except (tarfile.TarError, EOFError, OSError, zlib.error, lzma.LZMAError, ValueError, TypeError, AttributeError) as error:
        # The last two are tarfile's own, where the header of its compression is damaged.
        if not count:
            raise ArchiveError(f"{name}: not a readable tar ({error}); pack it again, or give the files themselves") from error
        yield name, iter(()), f"{name}: the archive is damaged after {count} members ({error})"
