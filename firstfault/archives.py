# SPDX-License-Identifier: MIT
"""Zip and tar archives, read member by member as streams: nothing is extracted to disk, every bound has a message."""
from __future__ import annotations

import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO

#: Bounds of one archive: members read, unpacked bytes in all, unpacked bytes per packed byte of one member.
MOST_MEMBERS = 20_000
MOST_BYTES = 8 << 30
MOST_RATIO = 1200
_CHUNK = 1 << 20


class ArchiveError(ValueError):
    """An archive that cannot be read at all; the message says why and what to do."""


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
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise ArchiveError(f"{name}: not a readable zip ({error}); pack it again, or give the files themselves") from error
    left = MOST_BYTES
    for count, info in enumerate(archive.infolist()):
        label = f"{name}!{info.filename}"
        if info.is_dir():
            continue
        if count >= MOST_MEMBERS:
            yield label, iter(()), f"{name}: more than {MOST_MEMBERS} members; the rest was not read"
            return
        if info.flag_bits & 1:
            yield label, iter(()), f"{label}: encrypted, not read"
            continue
        if info.file_size > _CHUNK * 64 and info.file_size > MOST_RATIO * max(info.compress_size, 1):
            yield label, iter(()), f"{label}: would unpack to over {MOST_RATIO} times its size, not read"
            continue
        left -= info.file_size
        if left < 0:
            yield label, iter(()), f"{name}: unpacks to more than {MOST_BYTES >> 30} GiB; the rest was not read"
            return
        try:
            yield label, _chunks(archive.open(info)), ""
        except (zipfile.BadZipFile, NotImplementedError, OSError, RuntimeError) as error:
            yield label, iter(()), f"{label}: damaged ({error}), not read"


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
                member = archive.extractfile(info)
                if member is not None:
                    yield f"{name}!{info.name}", _chunks(member), ""
    except (tarfile.TarError, EOFError, OSError, zlib.error, lzma.LZMAError) as error:
        if not count:
            raise ArchiveError(f"{name}: not a readable tar ({error}); pack it again, or give the files themselves") from error
        yield name, iter(()), f"{name}: the archive is damaged after {count} members ({error})"


def _chunks(member: IO[bytes]) -> Iterator[bytes]:
    """The bytes of a member in pieces; damage in the middle ends it with what was read."""
    reader = io.BufferedReader(member, _CHUNK) if isinstance(member, io.RawIOBase) else member
    while True:
        try:
            piece = reader.read(_CHUNK)
        except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError):
            return
        if not piece:
            return
        yield piece
