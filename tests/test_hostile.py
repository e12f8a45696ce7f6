# SPDX-License-Identifier: MIT
"""Hostile bytes, sizes, archives and patterns: no exception, no hang, bounded memory, and the report says what was left out.

Sizes are scaled down so that the whole file takes about a minute; the full ones are marked `slow` and run by `make fuzz`.
"""
from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import random
import re
import signal
import struct
import subprocess
import sys
import tarfile
import threading
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from firstfault.archives import DEEPEST, ArchiveError, open_archive
from firstfault.browser import Run
from firstfault.database import Database
from firstfault.diagnose import Session, diagnose_paths
from firstfault.lines import split
from firstfault.reading import ReadingError
from firstfault.report import render

ROOT = Path(__file__).resolve().parent.parent
ERROR = "[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 3 has a total capacity of 79.15 GiB of which 1.00 GiB is free."
HEALTHY = "".join(f"step {number} loss 2.{number}\n" for number in range(1, 30))
#: A machine shared with others is slow at times: a linear algorithm stays below this when the input doubles.
LINEAR = 3.5


def diagnose(database: Database, data: bytes, chunk: int = 1 << 20, name: str = "x.log") -> dict[str, Any]:
    """The result for one input that comes in pieces; every format must be able to show it."""
    session = Session(database)
    session.open(name)
    for start in range(0, len(data), chunk):
        session.feed(data[start:start + chunk])
    session.close()
    result = session.result()
    json.dumps(result)
    return result


def shown(result: dict[str, Any]) -> None:
    """All forms of the report can be written."""
    for form in ("text", "markdown", "json"):
        render(json.loads(json.dumps(result)), form).encode("utf-8", "backslashreplace")


def found(result: dict[str, Any]) -> tuple[str | None, int | None, int | None]:
    """Entry, rank and line number of the root."""
    root = result["root"] or {}
    return root.get("entry"), root.get("rank"), root["evidence"][0]["line"] if root else None


def seconds(work: Callable[[], object], rounds: int = 2) -> float:
    """The best of a few runs, in processor time of this process."""
    best = float("inf")
    for _round in range(rounds):
        before = time.process_time()
        work()
        best = min(best, time.process_time() - before)
    return best


def is_linear(make: Callable[[int], bytes], size: int, database: Database, ceiling: float = 5.0) -> None:
    """Twice the input takes about twice the time, and neither takes long."""
    once, twice = make(size), make(2 * size)
    first, second = seconds(lambda: diagnose(database, once), 1), seconds(lambda: diagnose(database, twice), 1)
    if second > LINEAR * max(first, 0.05):  # a machine that was busy with something else is asked again
        first, second = seconds(lambda: diagnose(database, once)), seconds(lambda: diagnose(database, twice))
    assert second < ceiling
    assert second < LINEAR * max(first, 0.05)


OOM = ("cuda-out-of-memory", 3)


# --- A. bytes and encodings --------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [b"", b"\n" * 5000, b"\xff", b"\0", b"\r", b"\x1b", b"{", b"\x80", b"P", b"\x1f\x8b"])
def test_next_to_nothing(database: Database, data: bytes) -> None:
    result = diagnose(database, data)
    shown(result)
    assert (result["verdict"], result["root"]) == ("no-failure", None)


def test_every_byte_and_noise_around_a_fault(database: Database) -> None:
    noise = bytes(range(256)) * 8 + b"\n" + random.Random(3).randbytes(300_000) + b"\n"  # noqa: S311
    result = diagnose(database, HEALTHY.encode() + noise + ERROR.encode() + b"\n" + noise)
    shown(result)

    assert found(result) == (*OOM, (HEALTHY.encode() + noise).count(b"\n") + 1)
    assert any("UTF-8" in note for note in result["notes"])


@pytest.mark.parametrize("chunk", [1, 2, 3, 5, 64, 1000])
def test_characters_cut_at_a_chunk_edge(database: Database, chunk: int) -> None:
    data = "épochs ☃ 𝄞\n".encode() + b"bad \xff\xfe utf\xc3\n" + ERROR.replace("free.", "fr\u00e9\u00e9 \U0001d11e").encode() + b"\xf0\x9f\n"
    assert found(diagnose(database, data, chunk)) == (*OOM, 3)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-8-sig", "latin-1", "cp1252"])
@pytest.mark.parametrize("chunk", [3, 4096])
def test_encodings(database: Database, encoding: str, chunk: int) -> None:
    text = HEALTHY + "Zeit überschritten\n" + ERROR + "\n"
    bom = b"\xff\xfe\0\0" if encoding == "utf-32-le" else b""
    assert found(diagnose(database, bom + text.encode(encoding), chunk)) == (*OOM, 31)


@pytest.mark.parametrize("hole", [1, 511, 3 << 20])
def test_holes_of_nul_keep_the_line_numbers(database: Database, hole: int) -> None:
    data = HEALTHY.encode() + b"\0" * hole + b"\n" + ERROR.encode() + b"\n"
    assert found(diagnose(database, data)) == (*OOM, 31)


def test_a_hole_of_nul_takes_linear_time(database: Database) -> None:
    is_linear(lambda size: b"\0" * size + b"\n" + ERROR.encode() + b"\n", 1 << 20, database)


def test_nul_in_the_middle_of_words(database: Database) -> None:
    result = diagnose(database, b"step 1 loss 2\n\0\0" + ERROR.encode() + b"\0\0\n")
    assert found(result)[:2] == OOM


@pytest.mark.parametrize("end", ["\r\n", "\n", "\n\n"])
def test_line_ends(database: Database, end: str) -> None:
    result = diagnose(database, end.join(["a", "b", ERROR, "c"]).encode())
    assert found(result) == (*OOM, 5 if end == "\n\n" else 3)
    assert not result["root"]["evidence"][0]["text"].endswith("\r")


@pytest.mark.parametrize("odd", ["\u2028", "\u2029", "\x85", "\v", "\f", "\x1c", "\x1d", "\x1e"])
def test_only_line_feeds_count_lines(database: Database, odd: str) -> None:
    result = diagnose(database, f"a{odd}b{odd}c\n{odd}\n{ERROR}\n".encode())
    assert found(result) == (*OOM, 3)


def test_carriage_returns_alone(database: Database) -> None:
    bar = "".join(f"\r {number}%|##   | {number}/100" for number in range(100))
    assert found(diagnose(database, f"start\n{bar}\r{ERROR}".encode())) == (*OOM, 2)
    is_linear(lambda size: b"\r 10%|#  | 1/10" * (size // 16) + b"\r" + ERROR.encode() + b"\n", 1 << 18, database)


def test_a_cut_last_line(database: Database) -> None:
    assert found(diagnose(database, (HEALTHY + ERROR[:90]).encode()))[:2] == OOM
    assert diagnose(database, (HEALTHY + ERROR[:40]).encode())["verdict"] != "diagnosed"


@pytest.mark.parametrize("code", [
    "\x1b[31m", "\x1b[1;38;5;196m", "\x1b]8;;https://example.org\x1b\\", "\x1b]52;c;aGk=\x07", "\x1b]0;title\x07", "\x1bP1$r0m\x1b\\", "\x1b[2K", "\x1b(B", "\x1b[?25l", "^[[31m",
])
def test_terminal_codes_inside_a_literal(database: Database, code: str) -> None:
    result = diagnose(database, ERROR.replace("out of", f"out {code}of").encode() + b"\n")
    assert found(result)[:2] == OOM
    assert "\x1b" not in result["root"]["evidence"][0]["text"]


def test_unfinished_terminal_codes_take_linear_time(database: Database) -> None:
    for code in (b"\x1b]8;;", b"\x1b[", b"\x1b[3", b"\x1bP", b"^[[3", b"\x1b]52;c;" + b"a" * 600):
        is_linear(lambda size, code=code: code * (size // len(code)) + b"\n", 1 << 16, database)


@pytest.mark.parametrize("marks", ["\u202e", "\u2066", "\u200b", "\ufeff", "\u0301" * 10_000, "\U000e0041", "\U0001f468\u200d\U0001f469", "ＣＵＤＡ", "СUDA"])
def test_odd_letters_around_a_fault(database: Database, marks: str) -> None:
    result = diagnose(database, f"{marks}\n{ERROR} {marks}\n".encode())
    shown(result)
    assert found(result) == (*OOM, 2)


NAUGHTY = (
    "undefined", "NaN", "$HOME", "`touch /x`", "../../../etc/passwd", "%00", "%s%n%p", "{0}", "{{7*7}}", "<script>alert(1)</script>", "'; DROP TABLE logs;--", "\\", "\\x00", "1e309", "-0",
    "田中さん", "ﷺ", "مُنَاقَشَةُ", "Z̮̞̠͙͔ͅḀ̗̞͈̻̗", "👾 🙇", "˙ɐnbᴉlɐ", "CON", "nul", "(｡◕ ∀ ◕｡)", "￾", "Ω≈ç√∫˜µ", "[]()", "| a | b |", "```", "#", "=cmd|' /C calc'!A0", "@everyone",
)


@pytest.mark.parametrize("text", NAUGHTY)
def test_naughty_strings_as_lines_and_names(database: Database, text: str) -> None:
    result = diagnose(database, f"{ERROR} {text}\n{text}\n".encode(), name=f"{text}.log")
    shown(result)
    assert found(result)[:2] == OOM
    assert result["root"]["evidence"][0] == {"file": f"{text}.log", "line": 1, "text": f"{ERROR} {text}", "rank": 3}


def test_lone_surrogates_of_json(database: Database) -> None:
    rows = [json.dumps({"log": ERROR + " \ud800 \udfff\n", "stream": "stderr", "time": "2026-03-01T10:00:00.1Z"}), '{"log":"\\ud83d","time":"\\udc00"}', '{"log": "\\u0000\\uffff"}']
    result = diagnose(database, "\n".join(rows).encode() + b"\n")
    shown(result)
    assert found(result) == (*OOM, 1)


# --- B. sizes and shapes -----------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", [
    b"rank ", b"a", b" ", b"\t", b"[rank3]: ", b"File \"", b"Traceback (most recent call last):",
    b"2026-01-01T00:00:00Z ", b"0", b"x" * 63 + b" ", b"[", b"(", b"{\"log\":\"", b"\xe2\x94\x82", b"CUDA out of memory "
],
                         ids=lambda unit: unit[:12].decode("utf-8", "replace"))
def test_one_long_line_takes_linear_time(database: Database, unit: bytes) -> None:
    is_linear(lambda size: unit * (size // len(unit)) + b"\n" + ERROR.encode() + b"\n", 1 << 18, database)


@pytest.mark.parametrize("row", ["", "x", "Traceback (most recent call last):", '  File "a.py", line 1, in f', "ValueError: x", "[rank1]: ValueError: {n}", "step {n} loss 1.{n}",
                                 "During handling of the above exception, another exception occurred:", "NCCL WARN {n}", "│ x │", "\\"],
                         ids=lambda row: row[:20])
def test_many_lines_take_linear_time(database: Database, row: str) -> None:
    is_linear(lambda size: "".join(row.replace("{n}", str(number)) + "\n" for number in range(size)).encode(), 3000, database, 20.0)


def test_an_error_of_its_own_on_every_rank_takes_linear_time(database: Database) -> None:
    is_linear(lambda size: "".join(f"{number}: [rank{number}]: RuntimeError: NCCL error {number}\n" for number in range(size)).encode(), 150, database, 20.0)


def test_counts_are_exact_and_lists_are_cut(database: Database) -> None:
    rows = "".join(f"[rank{number % 512}]: " + ERROR[9:] + "\n" for number in range(2048))
    result = diagnose(database, rows.encode())
    shown(result)

    assert result["root"]["count"] == 2048
    assert result["root"]["ranks"] == list(range(512))
    assert len(json.dumps(result)) < 1_000_000


def test_a_hundred_thousand_ranks_are_bounded(database: Database) -> None:
    rows = "".join(f"[rank{number}]: step {number} loss 1.0\n" for number in range(10_000)) + ERROR + "\n"
    result = diagnose(database, rows.encode())
    assert found(result)[:2] == OOM
    assert len(json.dumps(result)) < 2_000_000


def test_many_files_with_one_fault(database: Database) -> None:
    session = Session(database)
    for rank in range(150):
        session.open(f"attempt_0/{rank}/stderr.log")
        session.feed((ERROR.replace("rank3", f"rank{rank}") if rank == 121 else f"[rank{rank}]: step 1").encode() + b"\n")
        session.close()
    assert found(session.result())[:2] == ("cuda-out-of-memory", 121)


def test_our_own_report_is_no_log(database: Database) -> None:
    """The report of a failure quotes its lines; given back it must not be diagnosed again as JSON."""
    result = diagnose(database, ERROR.encode() + b"\n")
    for form in ("text", "markdown", "json"):
        again = render(result, form).encode()
        if form == "json":
            with pytest.raises(ReadingError, match="report of firstfault"):
                diagnose(database, again)
        else:
            shown(diagnose(database, again))


def test_distinct_lines_take_linear_time(database: Database) -> None:
    pick = random.Random(5)  # noqa: S311
    words = [f"{pick.randrange(1 << 60):x}" for _ in range(4000)]

    def make(size: int) -> bytes:
        return "".join(f"{words[number % 4000]} RuntimeError: {words[number * 7 % 4000]} {number}\n" for number in range(size)).encode()

    is_linear(make, 2500, database, 20.0)


@pytest.mark.parametrize("row", [
    '{"log":' * 50_000, '{"log":"' + "[" * 100_000, '{"log":' + "[" * 100_000 + "]" * 100_000 + "}",
    '{"log":"x","time":' + "9" * 1_000_000 + "}", '{"log":' + "9" * 100_000 + "}", '{"log": {"log": 1}}',
    '{"log":null,"message":5}', '["log"]', '{"message":"x","log":"' + "\\u0041" * 20_000 + '"}',
], ids=range(9))
def test_hostile_json_lines_are_text(database: Database, row: str) -> None:
    assert found(diagnose(database, (row + "\n" + ERROR + "\n").encode())) == (*OOM, 2)


def test_memory_does_not_grow_with_the_log(database: Database) -> None:
    def peak(megabytes: int) -> int:
        session = Session(database)
        block = b"".join(b"[rank%d]: 2026-01-01 10:00:00 step %d loss 2.%d lr 1e-4\n" % (number % 8, number, number) for number in range(6_000))
        tracemalloc.start()
        session.open("x.log")
        for _ in range(megabytes):
            session.feed(block)
        session.close()
        session.result()
        top = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return top

    assert peak(4) < peak(2) + (4 << 20)


@pytest.mark.slow
@pytest.mark.parametrize("piece", [b"a" * (1 << 20), b"\0" * (1 << 20), b"rank " * 200_000, b"\n" * (1 << 20)], ids=["letters", "nul", "rank", "empty lines"])
def test_two_hundred_megabytes_of_one_thing(database: Database, piece: bytes) -> None:
    """One line of 200 MB, a hole, 200 million empty lines: under a minute, and the fault behind is found."""
    session = Session(database)
    session.open("x.log")
    before = time.process_time()
    for _ in range(200 if piece[0] != 10 else 20):
        session.feed(piece)
    session.feed(b"\n" + ERROR.encode() + b"\n")
    session.close()
    assert found(session.result())[:2] == OOM
    assert time.process_time() - before < 60


# --- C. archives -------------------------------------------------------------------------------------------


def zipped(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip of these members."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return packed.getvalue()


def tarred(*members: tuple[str, bytes], mode: str = "w") -> bytes:
    """A tar of these members."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=mode) as archive:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return packed.getvalue()


def both(database: Database, data: bytes, folder: Path, name: str = "run.bin") -> dict[str, Any]:
    """What the command line and the browser find in a file: the same."""
    path = folder / name
    path.write_bytes(data)
    run = Run(Session(database))
    run.open(str(path))
    for start in range(0, len(data), 4096):
        run.feed(data[start:start + 4096])
    run.close()
    in_browser = run.session.result()
    try:
        result = diagnose_paths([path], database)
    except ReadingError as error:
        assert any(str(error) in note for note in in_browser["notes"])
        return in_browser
    for one in (result, in_browser):
        one["stats"]["seconds"] = 0
        one["notes"] = [re.sub(r"after \d+ MiB", "after N MiB", note) for note in one["notes"]]  # the browser's pieces are smaller
    assert result == in_browser
    shown(result)
    return result


FAULT = (HEALTHY + ERROR + "\n").encode()


@pytest.mark.parametrize("pack", [
    lambda data: zipped(("a/rank3.log", data)), lambda data: tarred(("a/rank3.log", data)), lambda data: tarred(("a/rank3.log", data), mode="w:gz"),
    lambda data: tarred(("a/rank3.log", data), mode="w:bz2"),
    lambda data: tarred(("a/rank3.log", data), mode="w:xz"), lambda data: zipped(("a/rank3.log.gz", gzip.compress(data))), lambda data: zipped(("a/rank3.log.xz", lzma.compress(data))),
], ids=["zip", "tar", "tar.gz", "tar.bz2", "tar.xz", "gz in zip", "xz in zip"])
def test_archives_are_known_by_their_content(database: Database, tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    result = both(database, pack(FAULT), tmp_path)
    assert found(result) == (*OOM, 30)
    assert "!a/rank3.log" in result["root"]["evidence"][0]["file"]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress], ids=["gzip", "bzip2", "xz"])
def test_bombs_are_stopped_and_named(database: Database, tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    before = time.process_time()
    result = both(database, pack(FAULT + b"\0" * (70 << 20)), tmp_path)
    assert time.process_time() - before < 20
    assert found(result)[:2] == OOM
    assert any("times its size" in note for note in result["notes"])


def test_a_zip_bomb_is_not_opened(database: Database, tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("rank3.log", FAULT)
        with archive.open("bomb.log", "w") as member:
            for _ in range(80):
                member.write(b"\0" * (1 << 20))
    result = both(database, packed.getvalue(), tmp_path)
    assert found(result)[:2] == OOM
    assert any("bomb.log" in note and "times its size" in note for note in result["notes"])


def test_overlapping_members_are_stopped(database: Database, tmp_path: Path) -> None:
    """A thousand directory entries over one compressed kernel of 8 MB: the sum is bounded by the size of the archive."""
    one = zipped(("k", b"a" * (8 << 20)))
    at = one.index(b"PK\x01\x02")
    end = one.index(b"PK\x05\x06")
    kernel, entry = one[:at], one[at:end]
    many = kernel + entry * 1000 + b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 1000, 1000, len(entry) * 1000, len(kernel), 0)
    before = time.process_time()
    result = both(database, many, tmp_path)
    assert time.process_time() - before < 30
    assert any("unpacks to more than" in note for note in result["notes"])


WRAPS = (zipped, tarred, lambda *members: tarred(*members, mode="w:gz"), lambda *members: tarred(*members, mode="w:xz"))


@pytest.mark.parametrize("outer", WRAPS, ids=["zip", "tar", "tar.gz", "tar.xz"])
@pytest.mark.parametrize("inner", WRAPS, ids=["zip", "tar", "tar.gz", "tar.xz"])
def test_archives_in_archives_are_opened(database: Database, tmp_path: Path, outer: Callable[..., bytes], inner: Callable[..., bytes]) -> None:
    """`sosreport` and cloud consoles pack what was packed per node; three levels are opened, with members beside the nested ones."""
    node = inner(("logs/rank3.log", FAULT), ("logs/empty.log", b""))
    result = both(database, zipped(("all.upload", outer(("node-a.part", node), ("launcher.log", b"step 1 loss 2.0\n")))), tmp_path)
    assert found(result) == (*OOM, 30)
    assert result["root"]["evidence"][0]["file"].endswith("run.bin!all.upload!node-a.part!logs/rank3.log")
    assert result["stats"]["files"] == 3 and result["notes"] == []


def test_archives_too_deep_are_named(database: Database, tmp_path: Path) -> None:
    inner = zipped(("rank3.log", FAULT))
    for depth in range(10):
        inner = zipped((f"level{depth}.zip", inner), (f"level{depth}.log", b"step 1 loss 2.0\n"))
    result = both(database, inner, tmp_path)
    assert result["verdict"] == "no-failure" and result["stats"]["files"] == DEEPEST
    assert any("level7.zip" in note and "levels deep" in note and "unpack it" in note for note in result["notes"])


@pytest.mark.parametrize("wrap", [WRAPS[0], *WRAPS[2:]], ids=["zip", "tar.gz", "tar.xz"])
def test_nested_bombs_share_one_budget(database: Database, tmp_path: Path, wrap: Callable[..., bytes]) -> None:
    """Sixteen times sixteen members of 8 MB, each packed a thousand times smaller: what all levels unpack is bounded by the file's own size."""
    kernel = zipped(*((f"{number}.log", b"a" * (8 << 20)) for number in range(16)))
    data = wrap(("rank3.log", FAULT), *((f"{number}.zip", kernel) for number in range(16)))
    before = time.process_time()
    result = both(database, data, tmp_path)
    assert time.process_time() - before < 60
    assert found(result)[:2] == OOM
    assert result["stats"]["bytes"] < 300 << 20
    assert any("unpacks to more than" in note or "times its size" in note for note in result["notes"])


def test_nested_archives_that_are_none(database: Database, tmp_path: Path) -> None:
    """A damaged inner archive and a checkpoint under another name are named and passed over; weights are not even looked at."""
    broken = zipped(("rank0.log", FAULT))[:90]
    checkpoint = zipped(("archive/data.pkl", b"\x80\x02"), ("archive/version", b"3"))
    result = both(database, zipped(("broken.zip", broken), ("last", checkpoint), ("model.pt", checkpoint), ("rank3.log", FAULT)), tmp_path)
    assert found(result)[:2] == OOM and result["stats"]["files"] == 1
    assert ["broken.zip" in note or "last" in note for note in result["notes"]] == [True, True]
    assert all("passed over" in note for note in result["notes"])


def test_names_of_members_touch_nothing(database: Database, tmp_path: Path) -> None:
    names = ["../evil.log", "/etc/cron.d/evil", "C:\\evil.log", "a\0b.log", "CON", "x" * 5000 + ".log", "a/../../b.log", "\x1b[31m.log", "‮gol.log"]
    before = sorted(tmp_path.parent.iterdir())
    for data in (zipped(*((name.replace("\0", "?"), FAULT) for name in names)), tarred(*((name.replace("\0", "?"), FAULT) for name in names))):
        result = both(database, data, tmp_path)
        assert found(result)[:2] == OOM
    assert sorted(tmp_path.parent.iterdir()) == before and list(tmp_path.iterdir()) == [tmp_path / "run.bin"]


def test_links_and_devices_in_a_tar_are_passed_over(database: Database, tmp_path: Path) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for kind, link in ((tarfile.SYMTYPE, "/etc/passwd"), (tarfile.LNKTYPE, "/etc/passwd"), (tarfile.CHRTYPE, ""), (tarfile.FIFOTYPE, ""), (tarfile.DIRTYPE, "")):
            info = tarfile.TarInfo(f"entry{kind!r}")
            info.type, info.linkname = kind, link
            archive.addfile(info)
        info = tarfile.TarInfo("rank3.log")
        info.size = len(FAULT)
        archive.addfile(info, io.BytesIO(FAULT))
    result = both(database, packed.getvalue(), tmp_path)
    assert found(result)[:2] == OOM and result["stats"]["files"] == 1


def test_damaged_members_are_named_and_the_rest_is_read(database: Database, tmp_path: Path) -> None:
    data = zipped(("bad.log", b"step 1\n" * 4000), ("rank3.log", FAULT), method=zipfile.ZIP_STORED)
    at = data.index(b"step 1\n" * 10)
    result = both(database, data[:at + 5000] + b"#" + data[at + 5001:], tmp_path)
    assert found(result)[:2] == OOM
    assert any("bad.log" in note and "damaged" in note for note in result["notes"])

    encrypted = bytearray(data)
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        encrypted[data.index(mark) + offset] |= 1
    result = both(database, bytes(encrypted), tmp_path)
    assert found(result)[:2] == OOM
    assert any("bad.log" in note and "encrypted" in note for note in result["notes"])


@pytest.mark.parametrize("pack", [zipped, tarred, lambda *members: tarred(*members, mode="w:gz")], ids=["zip", "tar", "tar.gz"])
@pytest.mark.parametrize("part", [0.01, 0.5, 0.9, 0.99])
def test_truncated_archives_say_so(database: Database, tmp_path: Path, pack: Callable[..., bytes], part: float) -> None:
    data = pack(*((f"rank{number}.log", random.Random(number).randbytes(3000).hex().encode() + b"\n" + FAULT) for number in range(4)))  # noqa: S311
    result = both(database, data[:int(len(data) * part)], tmp_path)
    assert result["notes"] or result["root"]["count"] == 4  # a tar ends in zeros that nobody misses


def test_two_members_of_one_name_and_data_after_the_end(database: Database, tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        data = zipped(("a.log", b"step 1 loss 2\n"), ("a.log", FAULT))
    result = both(database, data + b"\0" * 100, tmp_path)
    assert found(result)[:2] == OOM and result["stats"]["files"] == 2


def test_many_members_are_read(database: Database, tmp_path: Path) -> None:
    result = both(database, zipped(*((f"{number}/stderr.log", b"") for number in range(3000)), ("rank3.log", FAULT)), tmp_path)
    assert found(result)[:2] == OOM


def test_a_gzip_that_is_text_and_text_that_is_gzip(database: Database, tmp_path: Path) -> None:
    assert found(both(database, FAULT, tmp_path, "x.log.gz"))[:2] == OOM
    assert found(both(database, gzip.compress(FAULT[:500]) + gzip.compress(FAULT[500:]) + b"\0" * 512, tmp_path, "x.log"))[:2] == OOM


@pytest.mark.parametrize(("data", "says"), [
    (b"\x28\xb5\x2f\xfd" + bytes(600), "zstd"), (b"\x7fELF" + bytes(600), "program"), (b"%PDF-1.7\n" + b"x" * 600, "PDF"),
    (b"\x80\x02ctorch\nx\n" + b"x" * 600, "pickle"), (b"SQLite format 3\0" + bytes(600), "database"),
    (zipped(("model/data.pkl", b"\x80\x02}."), ("model/version", b"3\n"), ("model/data/0", bytes(1000))), "checkpoint"),
], ids=["zstd", "core dump", "PDF", "pickle", "database", "checkpoint"])
def test_what_is_no_log_is_told_by_its_content(database: Database, tmp_path: Path, data: bytes, says: str) -> None:
    result = both(database, data, tmp_path)
    assert result["verdict"] == "no-failure" and any(says in note for note in result["notes"])


# --- D. patterns -------------------------------------------------------------------------------------------


def attacks(literals: list[str]) -> list[str]:
    """Units whose repetition is worst for a pattern: its own words, blanks, digits."""
    return [" ".join(literals), literals[0], literals[-1] + " ", literals[0] + "'", literals[0] + " 1", literals[0] + "["]


def test_no_pattern_takes_more_than_linear_time(database: Database) -> None:
    """Every wording on lines made of its own words, as long as the engine ever matches, and twice as long."""
    slow = []
    for one in database.signals:
        for number, literals in enumerate(one.literals):
            pattern = one.pattern(number)
            for unit in attacks(literals):
                row = (unit * (16_000 // len(unit) + 1))[:16_000]
                taken = seconds(partial(pattern.search, row), 1)
                if taken > 0.1 and seconds(partial(pattern.search, row)) > LINEAR * max(seconds(partial(pattern.search, row[:8000])), 0.01):
                    slow.append((one.name, number, unit[:40], round(taken, 2)))
    assert slow == []


def test_no_pattern_matches_what_is_healthy(database: Database) -> None:
    rows = ["", " ", "error", "Error", "failed", "warning", "step 1 loss 2.5", "ValueError: x", "[rank0]: ", "Traceback (most recent call last):", "a" * 200, "0 " * 100]
    hits = [(one.name, row) for one in database.signals for number in range(len(one.literals)) for row in rows if one.pattern(number).search(row)]
    assert hits == []


def test_patterns_mean_the_same_everywhere(database: Database) -> None:
    """No inline flag, no back-reference, no POSIX class, no class of letters that follows Unicode's growth."""
    odd = [one.name for one in database.signals for source in one.regex if any(part in source for part in ("(?i", "(?s", "(?m", "(?x", "(?P=", "\\1", "[[:", "\\d"))]
    assert odd == []


def test_a_line_is_matched_in_a_bounded_window(database: Database) -> None:
    """A literal far to the right of a long line is still found, and only its surroundings are matched."""
    result = diagnose(database, b"x " * 5000 + ERROR[9:].encode() + b" y" * 5000 + b"\n")
    assert found(result)[0] == "cuda-out-of-memory"


def test_lines_keep_their_place_whatever_they_hold() -> None:
    pick = random.Random(9)  # noqa: S311
    for _round in range(60):
        data = bytes(pick.choice(b"\r\n\0\x1b[m ab\xff\xe2|%1:") for _ in range(400)) + b"\n"
        lines = split(data, "x", 1, 0)
        assert {line.number for line in lines} == set(range(1, data.count(b"\n") + 1))


# --- K. command line: what test_cli does not hold ----------------------------------------------------------


def start(*arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    """The real program, running; SIGINT as in a foreground shell, wherever the tests themselves run."""
    listening = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731
    return subprocess.Popen(
        [sys.executable, "-m", "firstfault", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, preexec_fn=listening, **options
    )


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGTERM, -15), (signal.SIGHUP, -1), (signal.SIGINT, 130)])
def test_signals_end_it_at_once(sent: signal.Signals, status: int) -> None:
    with start("diagnose", "-", stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(HEALTHY.encode() * 1000)
        process.stdin.flush()
        time.sleep(1.5)
        process.send_signal(sent)
        before = time.monotonic()
        _out, err = process.communicate(timeout=20)
        assert time.monotonic() - before < 5
    assert process.returncode == status
    assert b"Traceback" not in err


def test_stopped_and_continued(tmp_path: Path) -> None:
    (tmp_path / "x.log").write_bytes(FAULT)
    with start("diagnose", str(tmp_path / "x.log"), "--format", "json") as process:
        process.send_signal(signal.SIGSTOP)
        time.sleep(0.2)
        process.send_signal(signal.SIGCONT)
        out, _err = process.communicate(timeout=60)
    assert json.loads(out)["root"]["rank"] == 3


def test_a_named_pipe_is_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(FAULT))
    writer.start()
    with start("diagnose", str(pipe), "--format", "json") as process:
        out, err = process.communicate(timeout=60)
    writer.join(timeout=10)
    assert process.returncode == 0, err
    assert json.loads(out)["root"]["rank"] == 3


@pytest.mark.parametrize("change", ["grows", "is cut", "is removed"])
def test_a_file_that_changes_while_it_is_read(database: Database, tmp_path: Path, change: str) -> None:
    path = tmp_path / "x.log"
    path.write_bytes(FAULT + HEALTHY.encode() * 3000)

    def progress(_name: str, _size: int) -> None:
        if change == "grows" and path.stat().st_size < 2 << 20:
            path.write_bytes(path.read_bytes() + HEALTHY.encode() * 1000)
        elif change == "is cut":
            os.truncate(path, 100)
        elif change == "is removed":
            path.unlink(missing_ok=True)

    result = diagnose_paths([path], database, progress)
    assert result["stats"]["lines"] >= 30


def test_little_memory_is_enough(tmp_path: Path) -> None:
    (tmp_path / "x.log").write_bytes(FAULT + HEALTHY.encode() * 20_000)
    done = subprocess.run(["sh", "-c", f"ulimit -v 524288; exec {sys.executable} -m firstfault diagnose {tmp_path}/x.log --format json"], capture_output=True, cwd=ROOT, check=False, timeout=100,
                          env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["stats"]["files"] == 1


def test_several_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    (tmp_path / "x.log").write_bytes(FAULT)
    running = [start("diagnose", str(tmp_path / "x.log"), "--format", "json") for _ in range(4)]
    for process in running:
        out, _err = process.communicate(timeout=100)
        assert json.loads(out)["root"]["rank"] == 3
    assert list(tmp_path.iterdir()) == [tmp_path / "x.log"]


@pytest.mark.parametrize("tail", [b"\x08", b"\x08E1130 19:02:11.826962219 1234 torch/x.py:7] "])
def test_a_damaged_header_of_a_compressed_tar_is_named(tail: bytes) -> None:
    """Found by fuzzing: the standard library's tarfile trips over these with errors that are not its own."""
    with pytest.raises(ArchiveError, match="not a readable tar"):
        list(open_archive("x", io.BytesIO(b"\x1f\x8b" + tail)))
