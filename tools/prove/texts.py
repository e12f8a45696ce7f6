# SPDX-License-Identifier: MIT
"""A downloaded package -> its texts: source files as they are, binaries as their printable strings.

Wheels, source archives and Debian packages are read without installing or running anything of them.
"""
from __future__ import annotations

import io
import re
import subprocess
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from .literals import normal

SOURCE = (".py", ".pyx", ".pxi", ".c", ".cc", ".cpp", ".cu", ".cuh", ".h", ".hpp", ".inl", ".go", ".rs", ".txt", ".sh", ".in", ".json", ".proto")
BINARY = re.compile(r"\.(?:so|abi3\.so|dll|a|pyd)(?:\.[\d.]+)?$")
STRINGS = re.compile(rb"[\x20-\x7e\t\n]{5,}")
SYMBOL = (b"_Z", b".L", b"_nv", b"__nv", b"$_")
WORD = re.compile(rb"[A-Za-z_]{4}")
NESTED = re.compile(r"^(?:\./)?usr/src/.*\.tar\.(?:xz|gz)$")
#: of the kernel's tree: headers that describe registers are most of its bytes and hold no message
UNREAD = re.compile(
    r"^linux-source[^/]*/(?:Documentation|arch/(?!x86)|sound|tools|samples|include/dt-bindings|fs/(?!nfs|lockd)"
    r"|drivers/(?!pci|edac|iommu|net/ethernet/mellanox|infiniband|gpu/drm/amd/amd(?:gpu|kfd)/[^/]*\.c$|nvme))"
)
LARGEST = 1_500_000_000


def strings(raw: bytes) -> str:
    """Give the printable strings of a binary that can be words of a message, each once; mangled symbols and noise are left out."""
    found = (re.sub(rb"[ \t\r\n]+", b" ", piece) for piece in STRINGS.findall(raw) if not piece.startswith(SYMBOL) and WORD.search(piece))
    return "\n".join(dict.fromkeys(piece.decode("ascii") for piece in found))


def text_of(name: str, raw: bytes) -> str:
    """Give what can be searched of one file, or nothing."""
    if name.endswith(SOURCE):
        return normal(raw.decode("utf-8", "replace"))
    if BINARY.search(name) or raw[:4] == b"\x7fELF":
        return strings(raw)
    return ""


def members(archive: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files of an archive."""
    if archive.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(archive) as opened:
            for info in opened.infolist():
                if not info.is_dir() and info.file_size < LARGEST:
                    yield info.filename, opened.read(info)
        return
    if archive.suffix == ".deb":
        whole = subprocess.run(["dpkg-deb", "--fsys-tarfile", archive], check=True, stdout=subprocess.PIPE).stdout
        with tarfile.open(fileobj=io.BytesIO(whole), mode="r:") as stream:
            yield from tar_members(stream)
    else:
        with tarfile.open(archive, mode="r:*") as stream:
            yield from tar_members(stream)


def tar_members(stream: tarfile.TarFile) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a tar, and of a source tree that lies in it as a tar (Debian's linux-source)."""
    for item in stream:
        if not item.isfile() or item.size > LARGEST or UNREAD.search(item.name) or not (handle := stream.extractfile(item)):
            continue
        if NESTED.search(item.name):
            with tarfile.open(fileobj=handle, mode="r:*") as inner:
                yield from tar_members(inner)
        else:
            yield item.name.removeprefix("./"), handle.read()


def extract(archives: list[Path], target: Path) -> None:
    """Write the texts of archives into one zip; a reader never sees half of it."""
    fresh = target.with_suffix(".new")
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(fresh, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as out:
        for archive in archives:
            for name, raw in members(archive):
                if text := text_of(name, raw):
                    out.writestr(name, text.encode("utf-8", "replace"))
    fresh.replace(target)


def load(path: Path) -> dict[str, str]:
    """Read the texts back."""
    with zipfile.ZipFile(path) as opened:
        return {info.filename: opened.read(info).decode("utf-8") for info in opened.infolist()}
