# SPDX-License-Identifier: MIT
"""What is fuzzed: each target takes bytes or text and must end without an exception that is not its own, with its invariant kept."""
from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable

from hypothesis import strategies as st

from firstfault.archives import ArchiveError, open_archive
from firstfault.database import Database, make
from firstfault.diagnose import Session
from firstfault.flightcompare import compare_dumps
from firstfault.flightrecorder import Dump, Intake
from firstfault.lines import split
from firstfault.patterns import PatternError, compile_template
from firstfault.pickledata import PickleError, load
from firstfault.prefixes import peel, strip_ansi
from firstfault.reading import Reader, ReadingError
from firstfault.tracebacks import TracebackReader

#: Pieces that logs are made of; hypothesis joins, cuts and mixes them with anything else.
WORDS = (
    "[rank3]: ", "[default1]:", "2: ", "[1,3]<stderr>:", "(Worker pid=7, ip=10.0.0.1) ", "E1130 19:02:11.826962219 1234 torch/x.py:7] ", "[E1130 19:02:11.826962219 file.cpp:67] ", "2026-03-01 10:00:00,123 ",
    "2026-03-01T10:00:00.1Z stderr F ", "2026-03-01T10:00:00.1Z stderr P ", '{"msg":"', '","rank":3,"exc_info":"Traceback (most recent call last):\\n"}', '{"log":"', '\\n","stream":"stderr"}', "\x1b[31m", "\x1b]8;;x\x1b\\", "^[[0m", "\r", " 10%|#  | 1/10", "\n", "\r\n", "\0", "│ ", "❱ ", "╭─ Traceback (most recent call last) ─╮",
    "Traceback (most recent call last):", '  File "a.py", line 1, in f', "    g()", "ValueError: x", "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate", "During handling of the above exception, another exception occurred:",
    "The above exception was the direct cause of the following exception:", "NCCL WARN ", "NVRM: Xid (PCI:0000:17:00): 79, ", "step 3 loss 2.1", "Training finished", "restarting worker group", "failed (exitcode: -9) local_rank: 1 (pid: 7)",
    "Watchdog caught collective operation timeout: WorkNCCL(SeqNum=7, OpType=ALLREDUCE, NumelIn=1, NumelOut=1", "rank 1 nranks 8", " [repeated 2x across cluster]", "  + Exception Group Traceback (most recent call last):", "  | ", "\u2028", "\ufeff", "é",
)
LOGS = st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=12)), max_size=60).map("".join)
BYTES = st.one_of(LOGS.map(lambda text: text.encode("utf-8", "surrogatepass")), st.binary(max_size=2000))
OPCODES = st.lists(st.one_of(
    st.sampled_from([b"(", b"]", b"}", b")", b"a", b"e", b"s", b"u", b"t", b"0", b"K\x01", b"q\x00", b"h\x00", b"X\x07\x00\x00\x00entries", b"X\x09\x00\x00\x00pg_status", b"X\x11\x00\x00\x00collective_seq_id", b"N", b"\x88", b"\x85", b"\x86",
                     b"\x94", b"\x8a\x01\x05", b"J\xff\xff\xff\xff", b"G" + bytes(8), b".", b"R", b"c", b"\x93", b"b"]), st.binary(max_size=4)), max_size=80).map(lambda parts: b"\x80\x02" + b"".join(parts))
JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8), lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
    st.sampled_from(["entries", "pg_status", "pg_config", "0", "process_group", "collective_seq_id", "state", "profiling_name", "input_sizes", "frames", "ranks", "last_enqueued_collective"]), inner, max_size=6), max_leaves=30)
TEMPLATES = st.lists(st.one_of(st.sampled_from(["{rank:int}", "{...}", "{^}", "{$}", "{b}", "{x:rest}", "{x}", "{q:quoted}", "{a|b}", "{{", "}}", "{", "}", "{x:A|B}", " ", "error of the network", "NCCL"]), st.text(max_size=6)), max_size=12).map("".join)


def reader(data: bytes) -> None:
    """Any chunking gives the same bytes, and every block ends a line."""
    seen = []
    for chunk in (len(data) or 1, 7):
        one = Reader("x")
        try:
            blocks = [block for start in range(0, len(data), chunk) for block in one.feed(data[start:start + chunk])] + list(one.close())
        except ReadingError:
            seen.append(None)
            continue
        assert all(block.data.endswith(b"\n") for block in blocks)
        seen.append(b"".join(block.data for block in blocks))
    assert seen[0] == seen[1]


def prefixes(text: str) -> None:
    """What is peeled off stood before the message."""
    for line in text.split("\n"):
        clean = strip_ansi(line)
        message, _origin = peel(clean)
        assert len(message) <= max(len(clean), 1)


def tracebacks(text: str) -> None:
    """Every line is in at most one block, in order, and a block has a cause or none."""
    feeder = TracebackReader()
    for line in split(text.encode("utf-8", "replace") + b"\n", "x", 1, 0):
        block = feeder.feed(line)
        assert block is None or block.first.order <= line.order
    for block in feeder.blocks:
        block.cause()


def archive(data: bytes) -> None:
    """Bytes behind the marks of a zip or tar: members, notes or one clear error."""
    for head in (b"PK\x03\x04", b"PK\x05\x06" + bytes(18), b"\x1f\x8b", b""):
        try:
            for _name, pieces, _note in open_archive("x", io.BytesIO(head + data)):
                for piece in pieces:
                    assert len(piece) <= 1 << 20
        except ArchiveError as error:
            assert "x: " in str(error)


def pickles(data: bytes) -> None:
    """Opcodes of any order: a value or a refusal; as a dump it can be compared."""
    with contextlib.suppress(PickleError):
        load(data)
    intake = Intake("rank_1")
    try:
        assert intake.offer(data) in (b"", data)
        found, _rest = intake.close()
    except ReadingError:
        return
    if found is not None:
        _comparable(found)


def json_dumps(value: object) -> None:
    """JSON of any shape beside the fields of a dump."""
    data = json.dumps({"version": "2.10", "entries": [value, value], "pg_status": value, "pg_config": value}).encode()
    intake = Intake("rank_1.json")
    rest = intake.offer(data)
    found, more = intake.close()
    assert found is not None or rest + more == data
    if found is not None:
        _comparable(found)


def _comparable(found: Dump) -> None:
    other = Dump("rank_0", 0, "", groups=found.groups)
    compare_dumps([found, other], EMPTY)


def templates(text: str) -> None:
    """A template compiles and finds itself nowhere it must not, or is refused with its own error."""
    try:
        compile_template(text)
    except PatternError as error:
        assert str(error)


def engine(data: bytes) -> None:
    """The whole pipeline: a verdict of the four, in JSON, and the same for any chunking."""
    results = []
    for chunk in (len(data) or 1, 11):
        session = Session(database())
        session.open("x.log")
        try:
            for start in range(0, len(data), chunk):
                session.feed(data[start:start + chunk])
            session.close()
        except ReadingError:
            return
        result = session.result()
        assert result["verdict"] in ("diagnosed", "needs-evidence", "unrecognised", "no-failure")
        result["stats"] = {}
        results.append(json.dumps(result))
    assert results[0] == results[1]


EMPTY = Database(make({}, [], []))
_database: list[Database] = []


def database() -> Database:
    """The database of this checkout's entries, compiled once."""
    if not _database:
        from pathlib import Path

        from hooks.compiling import compile_database
        from hooks.load import load_folder

        entries, _problems = load_folder(Path(__file__).resolve().parents[2] / "entries")
        _database.append(Database(compile_database(entries)))
    return _database[0]


TARGETS: dict[str, tuple[Callable[..., None], st.SearchStrategy]] = {
    "reader": (reader, BYTES), "prefixes": (prefixes, LOGS), "tracebacks": (tracebacks, LOGS), "archive": (archive, BYTES), "pickles": (pickles, OPCODES),
    "json_dumps": (json_dumps, JSON), "templates": (templates, TEMPLATES), "engine": (engine, BYTES),
}
