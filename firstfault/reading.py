# SPDX-License-Identifier: MIT
"""Bytes in, blocks of whole lines out: any size, any encoding, compressed or not, in bounded memory.

A :class:`Reader` is fed the bytes of one input as they come and gives :class:`Block` objects.  Compression and
encoding are told by the first bytes, never by the name.  Archives are read member by member; nothing is ever
written to disk.
"""
from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Protocol

from .prefilter import bare, project

#: Endings of names that are no logs, in a folder or an archive; content decides for the rest.
NO_LOGS = frozenset(".pt .pth .bin .safetensors .ckpt .npy .npz .pyc .so .o .a .png .jpg .jpeg .gif .pdf .whl .parquet .arrow .h5 .onnx .engine .plan .sqlite .db".split())
#: Blocks are cut at the last line end before this many bytes.
BLOCK = 1 << 17
#: A line longer than this is cut; its pieces keep one line number.
LONGEST_LINE = 1 << 20
#: At most this much is decompressed at a time.
_PIECE = 1 << 22
#: Decompressed bytes allowed per compressed byte, beyond the first 64 MiB: more is a bomb.
RATIO = 400
_FREE = 64 << 20
_MAGIC = ((b"\x1f\x8b", "gzip"), (b"BZh", "bzip2"), (b"\xfd7zXZ\x00", "xz"), (b"\x28\xb5\x2f\xfd", "zstd"), (b"PK\x03\x04", "zip"), (b"PK\x05\x06", "zip"))
_REFUSED = {
    b"\x7fELF": "a program or core dump", b"%PDF": "a PDF", b"\x89PNG": "a picture", b"\xff\xd8\xff": "a picture",
    b"\x80\x02": "a pickle", b"\x80\x03": "a pickle", b"\x80\x04": "a pickle", b"\x80\x05": "a pickle",
    b'{\n "verdict": "': "a report of firstfault", b"SQLite format 3": "a database", b"\x93NUMPY": "a NumPy array",
}


class Block:
    """Whole lines of one input, of which most are never looked at: the bytes are put together when they are asked for.

    ``number`` is the line number of the first, ``lines`` counts them (none is begun by the later pieces of a line that was cut),
    ``size`` is the number of bytes.  ``rows`` are the lines as the prefilter compares them, None where they were not needed yet.
    """

    def __init__(self, number: int, lines: int, size: int, read: Callable[[], bytes], rows: list[bytes] | None = None) -> None:
        self.number, self.lines, self.size, self._read, self._rows = number, lines, size, read, rows

    @cached_property
    def data(self) -> bytes:
        """The bytes; they end with a line feed, also where the input does not."""
        data = self._read()
        return data if data.endswith(b"\n") else data + b"\n"

    @property
    def bare(self) -> list[bytes]:
        """The lines as the prefilter compares them."""
        return bare(self.data) if self._rows is None else self._rows


class ReadingError(ValueError):
    """An input that is no log; the message says what it is and what to give instead."""


class _Decompressor(Protocol):
    eof: bool
    unused_data: bytes

    def decompress(self, data: bytes, max_length: int = -1, /) -> bytes: ...


def kind_of(head: bytes) -> str:
    """What the first bytes say: gzip, bzip2, xz, zstd, zip, tar, utf-16-le..., or text."""
    for magic, name in _MAGIC:
        if head.startswith(magic):
            return name
    if head[257:262] == b"ustar":
        return "tar"
    for bom, name in ((codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if head.startswith(bom):
            return name
    sample = head[:512]
    if len(sample) >= 16:
        odd, even = sample[1::2].count(0), sample[::2].count(0)
        if odd > len(sample) * 0.4 and even < len(sample) * 0.05:
            return "utf-16-le"
        if even > len(sample) * 0.4 and odd < len(sample) * 0.05:
            return "utf-16-be"
    return "text"


class Reader:
    """Turns the bytes of one input into blocks of whole lines; feed it, then close it.

    ``notes`` collects what the report must say: damage, cuts, decoding.  ``kind`` is given where it is known already.
    """

    def __init__(self, name: str, kind: str = "") -> None:
        self.name = name
        self.bytes = 0
        self.lines = 0
        self.notes: list[str] = []
        self._head = b""
        self._kind = kind
        self._rest = b""
        self._inflate: _Decompressor | None = None
        self._decoder: codecs.IncrementalDecoder | None = None
        self._damage: tuple[type[Exception], ...] = ()
        self._inflated = 0
        self._stopped = False

    def feed(self, data: bytes) -> Iterator[Block]:
        """Take more bytes; gives the blocks that are complete."""
        self.bytes += len(data)
        if self._stopped:
            return
        if not self._kind:
            self._head += data
            if len(self._head) < 512:
                return
            data = self._start()
        for plain in self._plain(data):
            yield from self._cut(plain)

    def skip(self, size: int, lines: int, read: Callable[[], bytes]) -> Block:
        """A block that was cut and counted by somebody else, who may be asked for its bytes."""
        block = Block(self.lines + 1, lines, size, read)
        self.bytes += size
        self.lines += lines
        return block

    def close(self) -> Iterator[Block]:
        """No more bytes: gives what is left."""
        if not self._kind and self._head:
            for plain in self._plain(self._start()):
                yield from self._cut(plain)
        if self._inflate is not None and not self._inflate.eof and not self._stopped:
            self.notes.append(f"{self.name}: the compressed data ends too early; what could be unpacked was read")
        if self._decoder is not None:
            yield from self._cut(self._decoder.decode(b"", final=True).encode("utf-8", "replace"))
        rest, self._rest = self._rest, b""
        if rest:
            yield self._block(rest)

    def _start(self) -> bytes:
        """Decide by the first bytes how to read; gives the bytes held back so far."""
        data, self._head = self._head, b""
        self._kind = kind_of(data)
        for magic, what in _REFUSED.items():
            if data.startswith(magic):
                raise ReadingError(f"{self.name}: this is {what}, not a log; give the text that the run printed")
        if self._kind == "zstd":
            raise ReadingError(f"{self.name}: zstd is not read here; unpack it first: zstd -d FILE")
        if self._kind in ("zip", "tar"):
            raise ReadingError(f"{self.name}: an archive inside another input is not opened; unpack it, or give it by itself")
        if self._kind.startswith("utf-"):
            self._decoder = codecs.getincrementaldecoder(self._kind)("replace")
            self.notes.append(f"{self.name}: read as {self._kind.upper()}")
        elif data.startswith(codecs.BOM_UTF8):
            data = data[3:]
        self._new_stream()
        return data

    def _new_stream(self) -> None:
        if self._kind == "gzip":
            import zlib

            self._damage = (zlib.error,)
            self._inflate = zlib.decompressobj(31)
        elif self._kind == "bzip2":
            import bz2

            self._inflate = bz2.BZ2Decompressor()
        elif self._kind == "xz":
            import lzma

            self._damage = (lzma.LZMAError,)
            self._inflate = lzma.LZMADecompressor()

    def _plain(self, data: bytes) -> Iterator[bytes]:
        """Unpacked UTF-8 bytes, in pieces."""
        for piece in (data,) if self._inflate is None else self._unpack(data):
            if self._decoder is not None:
                piece = self._decoder.decode(piece).encode("utf-8", "replace").removeprefix(codecs.BOM_UTF8)
            yield piece

    def _unpack(self, data: bytes) -> Iterator[bytes]:
        """Decompress; several members may follow one another, damage ends the input and is noted."""
        while self._inflate is not None and not self._stopped:
            try:
                piece = self._inflate.decompress(data, _PIECE)
            except (*self._damage, OSError, EOFError) as error:
                self.notes.append(f"{self.name}: the compressed data is damaged ({error}); read up to there")
                self._stopped = True
                return
            self._inflated += len(piece)
            yield piece
            if self._inflated > _FREE and self._inflated > RATIO * self.bytes:
                self.notes.append(f"{self.name}: unpacks to over {RATIO} times its size; stopped after {self._inflated >> 20} MiB")
                self._stopped = True
                return
            if self._inflate.eof:
                data = self._inflate.unused_data.lstrip(b"\0")
                if not data:
                    return
                self._new_stream()
                continue
            data = getattr(self._inflate, "unconsumed_tail", b"")
            if not data and getattr(self._inflate, "needs_input", not piece or len(piece) < _PIECE):
                return

    def _cut(self, data: bytes) -> Iterator[Block]:
        """Cut bytes into blocks at line ends."""
        end = data.rfind(b"\n") + 1
        if end and len(self._rest) + len(data) <= 2 * BLOCK:
            yield self._next(self._rest, data, end)
            return
        view = self._rest + data if self._rest else data
        start = 0
        while len(view) - start > 0:
            end = view.rfind(b"\n", start, start + BLOCK if len(view) - start > 2 * BLOCK else len(view)) + 1
            if end == 0:
                end = view.find(b"\n", start + BLOCK, start + LONGEST_LINE) + 1
            if end == 0:
                if len(view) - start > LONGEST_LINE:
                    cut = start + LONGEST_LINE
                    yield self._block(view[start:cut], unfinished=True)
                    start = cut
                    continue
                break
            yield self._block(view[start:end])
            start = end
        self._rest = view[start:]

    def _next(self, rest: bytes, data: bytes, end: int) -> Block:
        """The block that most reads give: what was left of the last one, and the new bytes up to their last line end. Nothing is copied."""
        rows = (project(rest) + project(data)).split(b"\n")
        rows.pop()
        block = Block(self.lines + 1, len(rows), len(rest) + end, lambda: rest + data[:end], rows)
        self.lines += len(rows)
        self._rest = data[end:]
        return block

    def _block(self, data: bytes, *, unfinished: bool = False) -> Block:
        rows = bare(data if data.endswith(b"\n") else data + b"\n")
        block = Block(self.lines + 1, 0 if unfinished else len(rows), len(data), lambda: data, rows)
        self.lines += block.lines
        return block
