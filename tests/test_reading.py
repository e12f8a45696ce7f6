# SPDX-License-Identifier: MIT
"""Bytes to lines: encodings, compression, archives, line ends, bounds."""
import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Callable

import pytest

from firstfault.archives import open_archive
from firstfault.lines import split
from firstfault.needles import prepared
from firstfault.prefilter import Prefilter
from firstfault.reading import LONGEST_LINE, Reader, ReadingError

TEXT = "".join(f"line {number} é\n" for number in range(1, 20_001)).encode()


def read(data: bytes, chunk: int) -> tuple[bytes, Reader]:
    """All bytes that a reader gives, fed in chunks."""
    reader = Reader("x")
    out = [block.data for start in range(0, len(data), chunk) for block in reader.feed(data[start:start + chunk])]
    out += [block.data for block in reader.close()]
    return b"".join(out), reader


@pytest.mark.parametrize("chunk", [7, 4096, 1 << 20, 1 << 30])
@pytest.mark.parametrize(
    "pack",
    [bytes, gzip.compress, bz2.compress, lzma.compress, lambda data: gzip.compress(data[:999]) + gzip.compress(data[999:])],
    ids=["plain", "gzip", "bzip2", "xz", "two gzip members"]
)
def test_any_chunking_gives_the_same(pack: Callable[[bytes], bytes], chunk: int) -> None:
    """The result does not depend on how the bytes arrive."""
    packed = pack(TEXT)
    if chunk == 7:
        packed = pack(TEXT[:2000])
    out, reader = read(packed, chunk)

    assert out == (TEXT[:2000] if chunk == 7 else TEXT) or out == TEXT[:2000] + b"\n"
    assert reader.notes == []


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])
def test_wide_encodings(encoding: str) -> None:
    """What PowerShell writes is read like anything else."""
    text = "rank 1: Zeit überschritten\nnext line of the log\n" * 20
    out, _reader = read(text.encode(encoding), 11)

    assert out.decode() == text


def test_truncated_gzip_is_said() -> None:
    """The good part is read and the rest named."""
    packed = gzip.compress(bytes(TEXT))
    out, reader = read(packed[: len(packed) // 2], 4096)

    assert TEXT.startswith(out.rstrip(b"\n")) and len(out) > 1000
    assert "ends too early" in reader.notes[0]


def test_bomb_is_stopped() -> None:
    """A gzip bomb ends at the ratio."""
    packed = gzip.compress(b"\0" * (200 << 20))
    reader = Reader("x")
    total = sum(len(block.data) for start in range(0, len(packed), 4096) for block in reader.feed(packed[start:start + 4096]))

    assert total < 100 << 20 or reader.notes


@pytest.mark.parametrize("head", [b"\x7fELF\x02", b"%PDF-1.7", b"\x80\x04\x95", b"\x89PNG\r\n"])
def test_what_is_no_log_is_refused(head: bytes) -> None:
    """A pickle, a picture, a program: named, never read."""
    with pytest.raises(ReadingError, match="not a log"):
        read(head + bytes(600), 600)


def test_long_line_is_cut_but_keeps_its_number() -> None:
    """One line of 5 MB: bounded blocks, the next line has the right number."""
    reader = Reader("x")
    blocks = list(reader.feed(b"a" * (5 << 20) + b"\nsecond\n")) + list(reader.close())

    assert max(len(block.data) for block in blocks) <= LONGEST_LINE + 1
    assert blocks[-1].number == 1 or blocks[-1].data.endswith(b"second\n")
    assert reader.lines == 2


def test_archives_are_streams() -> None:
    """Members of a zip and of a tar; links and folders passed over, absolute names harmless."""
    zipped, tarred = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("../evil.log", "boom\n")
        archive.writestr("dir/", "")
    with tarfile.open(fileobj=tarred, mode="w:gz") as archive:
        info = tarfile.TarInfo("a/rank0.log")
        info.size = 5
        archive.addfile(info, io.BytesIO(b"boom\n"))
        link = tarfile.TarInfo("a/link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    zipped.seek(0)
    tarred.seek(0)

    assert [(name, b"".join(pieces)) for name, pieces, _note in open_archive("x.zip", zipped)] == [("x.zip!../evil.log", b"boom\n")]
    assert [(name, b"".join(pieces)) for name, pieces, _note in open_archive("x.tgz", tarred)] == [("x.tgz!a/rank0.log", b"boom\n")]


def test_carriage_returns_and_colours() -> None:
    """An error behind a progress bar is a segment of its own; the text is the whole line."""
    lines = split(b" 10%|#  | 1/10\r 20%|## | 2/10\r\x1b[31mValueError: x\x1b[0m\r\n", "x", 5, 0)

    assert [line.body for line in lines][-1] == "ValueError: x"
    assert {line.number for line in lines} == {5}
    assert lines[-1].text.startswith(" 10%|")


def test_prefilter_finds_what_a_plain_search_finds() -> None:
    """Every line that holds a literal is a candidate for it, whatever stands around."""
    literals = ["Watchdog caught collective", "NVRM: Xid (PCI:", "No space left on device", "gzip: unexpected"]
    rows = [f"[rank{number % 64}] \x1b[3{number % 8}m{literals[number % 5]} {number}" if number % 5 < 4 else f"step {number} loss 0.{number}" for number in range(3000)]
    found = Prefilter(prepared([(key, (literal,)) for key, literal in enumerate(literals)])).lines("\n".join(rows).encode() + b"\n")

    for index, row in enumerate(rows):
        for key, literal in enumerate(literals):
            assert (key in found.get(index, ())) or literal not in row
    assert not any(row.startswith("step") for row in (rows[index] for index in found))


def test_prefilter_forgets_nothing_that_has_no_limit() -> None:
    """A line is given every time it comes, in every block; a limited one only so often."""
    prefilter = Prefilter(prepared([(0, ("Watchdog caught",)), (1, ("retrying the read",))]), {1: 3})
    block = b"Watchdog caught 1\nretrying the read 5\r\nstep 3\n"

    found = [prefilter.lines(block) for _ in range(6)]

    assert [lines.get(0) for lines in found] == [(0,)] * 6
    assert [lines.get(1) for lines in found] == [(1,)] * 3 + [None] * 3
