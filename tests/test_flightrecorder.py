# SPDX-License-Identifier: MIT
"""Flight-recorder dumps: real ones name the rank, hostile ones are refused by the opcode and fast, and nothing is ever executed."""
from __future__ import annotations

import io
import json
import pickle
import random
import struct
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from firstfault import pickledata
from firstfault.browser import Run
from firstfault.database import Database
from firstfault.diagnose import Session, diagnose_paths
from firstfault.flightcompare import compare_dumps
from firstfault.flightrecorder import Dump, Intake, rank_in
from firstfault.pickledata import PickleError, load
from firstfault.reading import ReadingError

ROOT = Path(__file__).resolve().parent.parent
LOGS = ROOT / "tests/reproduce/logs"
BEHIND, MISMATCH, SHAPE = "nccl-rank-missing-or-behind", "nccl-collective-mismatch", "nccl-collective-shape-mismatch"
Edit = Callable[[int, dict[str, Any]], None]


def real(case: str = "skip", rank: int = 0) -> bytes:
    """A dump that PyTorch wrote (tests/reproduce, case flight-recorder-CASE)."""
    return (LOGS / f"flight-recorder-{case}/fr/nccl_trace_rank_{rank}").read_bytes()


def dump(name: str, data: bytes, chunk: int = 1 << 20) -> Dump:
    """The dump in bytes that come in pieces."""
    intake = Intake(name)
    for start in range(0, len(data), chunk):
        assert intake.offer(data[start:start + chunk]) == b""
    found, rest = intake.close()
    assert found is not None and rest == b""
    return found


def edited(edit: Edit, ranks: int = 4, source: bytes | None = None) -> list[Dump]:
    """Dumps of a run with equal ranks, each changed by ``edit``: a real dump is the pattern."""
    found = []
    for rank in range(ranks):
        value = pickle.loads(source or real())  # noqa: S301 - our own file
        value["pg_config"] = {"0": {"name": "0", "desc": "default_pg", "ranks": str(list(range(ranks)))}}
        edit(rank, value)
        found.append(dump(f"fr/rank_{rank}", pickle.dumps(value, 2)))
    return found


def named(database: Database, dumps: list[Dump]) -> tuple[str | None, int | None, str]:
    """Entry, rank and sentence of the comparison."""
    events = compare_dumps(dumps, database)
    return (events[0].entry, events[0].rank, events[0].line.text) if events else (None, None, "")


def nccl(value: dict[str, Any], states: list[str]) -> None:
    """Give the entries the states that NCCL's recorder has."""
    for row, state in zip(value["entries"], states, strict=False):
        row["state"], row["retired"] = state, state == "completed"
        row["profiling_name"] = row["profiling_name"].replace("gloo:", "nccl:")
    value["entries"] = value["entries"][:len(states)]
    value["pg_status"] = {0: {"last_enqueued_collective": len(states), "last_started_collective": -1, "last_completed_collective": states.count("completed")}}


# --- what PyTorch writes -----------------------------------------------------------------------------------


@pytest.mark.parametrize("case", ["skip", "op", "wait"])
def test_real_dumps_are_read_as_pickle_reads_them(case: str) -> None:
    for rank in range(3):
        assert load(real(case, rank)) == pickle.loads(real(case, rank))  # noqa: S301


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_every_plain_value_is_read(protocol: int) -> None:
    value = {"a": [1, 2.5, None, True, False, -70_000, 1 << 70, -1, (), (1,), (1, 2), (1, 2, 3), tuple(range(9)), "é" * 300], "b": {}, "c": [{"k": number} for number in range(3000)]}
    if protocol > 2:
        value["bytes"] = [b"x", bytes(300)]
    assert load(pickle.dumps(value, protocol)) == value


@pytest.mark.parametrize(("case", "entry", "says"), [
    ("skip", BEHIND, "rank 1: last enqueued all_reduce seq 5; ranks 0, 2 wait in all_reduce seq 6"),
    ("op", MISMATCH, "rank 1: called broadcast"),
    ("wait", BEHIND, "rank 1: last enqueued all_reduce seq 3; ranks 0, 2 wait in all_reduce seq 4"),
])
@pytest.mark.parametrize("beside", ["", "logs", "console"], ids=["dumps alone", "with the log tree", "with the console"])
def test_the_rank_that_strayed_is_named(database: Database, case: str, entry: str, says: str, beside: str) -> None:
    folder = LOGS / f"flight-recorder-{case}"
    logs = {"": [], "logs": [folder / "logs"], "console": [folder.with_suffix(".log")]}[beside]
    result = diagnose_paths([*logs, folder / "fr"], database)

    assert (result["verdict"], result["root"]["entry"], result["root"]["rank"]) == ("diagnosed", entry, 1)
    assert says in result["root"]["observed"]
    if not beside:  # a line of the log, where there is one, is quoted before the sentence about the dump
        evidence = result["root"]["evidence"][0]
        assert evidence["text"] == result["root"]["observed"] and evidence["file"].endswith("nccl_trace_rank_1")
    assert result["ranks"]["seen"] == [0, 1, 2] and result["ranks"]["world_size"] == 3


def test_log_tree_and_dumps_in_one_zip_name_the_rank(database: Database, tmp_path: Path) -> None:
    """A torchrun --log-dir tree and the dumps of the same run, dropped as one archive."""
    folder = LOGS / "flight-recorder-skip"
    with zipfile.ZipFile(tmp_path / "run.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            archive.write(path, f"run/{path.relative_to(folder)}")
    result = diagnose_paths([tmp_path / "run.zip"], database)

    assert (result["verdict"], result["root"]["entry"], result["root"]["rank"]) == ("diagnosed", BEHIND, 1)
    assert "gloo-timed-out-waiting" in {row["entry"] for row in result["consequences"]}
    assert set().union(*(row["ranks"] for row in result["consequences"] if row["entry"] == "gloo-timed-out-waiting")) == {0, 2}
    assert result["others"] == [] and result["alternatives"] == []


def test_json_dumps_of_a_real_run(database: Database) -> None:
    """The form that the debug server gives; here beside the console of its run."""
    result = diagnose_paths([LOGS / "flight-recorder.log", LOGS / "flight-recorder"], database)
    assert (result["root"]["entry"], result["root"]["rank"]) == (BEHIND, 2)


def test_a_process_failure_in_the_logs_wins(database: Database, tmp_path: Path) -> None:
    """The dump says that rank 1 did not come; its traceback says why."""
    folder = LOGS / "flight-recorder-wait"
    log = tmp_path / "rank1.log"
    log.write_text(
        '[rank1]: Traceback (most recent call last):\n[rank1]:   File "t.py", line 1, in f\n[rank1]:     g()\n'
        '[rank1]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 1 has a total capacity of 79.15 GiB\n'
    )
    result = diagnose_paths([log, folder / "logs", folder / "fr"], database)

    assert (result["root"]["entry"], result["root"]["rank"]) == ("cuda-out-of-memory", 1)
    assert BEHIND in {row["entry"] for row in result["consequences"]}


# --- what only NCCL shows, on dumps made from real ones ----------------------------------------------------


def test_other_size_and_other_type(database: Database) -> None:
    def size(rank: int, value: dict[str, Any]) -> None:
        if rank == 2:
            value["entries"][3]["input_sizes"] = [[512]]

    def kind(rank: int, value: dict[str, Any]) -> None:
        if rank == 3:
            value["entries"][2]["input_dtypes"] = ["Half"]

    assert named(database, edited(size))[:2] == (SHAPE, 2)
    assert "[512] Float" in named(database, edited(size))[2]
    assert named(database, edited(kind))[:2] == (SHAPE, 3)


def test_same_elements_in_another_shape_is_no_mismatch(database: Database) -> None:
    def reshape(rank: int, value: dict[str, Any]) -> None:
        for row in value["entries"] if rank == 2 else ():
            row["input_sizes"] = [[32, 32]]

    assert named(database, edited(reshape)) == (None, None, "")


def test_uneven_all_to_all_is_no_mismatch(database: Database) -> None:
    def uneven(rank: int, value: dict[str, Any]) -> None:
        for row in value["entries"]:
            row["profiling_name"], row["input_sizes"] = "nccl:all_to_all", [[rank + 1]]

    assert named(database, edited(uneven)) == (None, None, "")


def test_states_of_nccl(database: Database) -> None:
    """Ranks run ahead of their GPUs: only the call that hangs counts, not who enqueued most."""
    def ahead(rank: int, value: dict[str, Any]) -> None:
        nccl(value, ["completed", "completed", "started"] + ["scheduled"] * (3 if rank != 1 else 0))

    def late(rank: int, value: dict[str, Any]) -> None:
        nccl(value, ["completed", "completed"] + (["started", "scheduled"] if rank != 3 else []))

    def busy(rank: int, value: dict[str, Any]) -> None:
        nccl(value, ["completed", "completed", "scheduled" if rank == 2 else "started"])

    assert named(database, edited(ahead)) == (None, None, "")
    assert named(database, edited(late))[:2] == (BEHIND, 3)
    assert named(database, edited(busy))[:2] == (BEHIND, 2)
    assert "never started it" in named(database, edited(busy))[2]


def test_all_complete_is_no_failure(database: Database) -> None:
    assert named(database, edited(lambda rank, value: nccl(value, ["completed"] * (5 + rank % 2)))) == (None, None, "")


def test_a_member_without_a_dump_is_named(database: Database) -> None:
    dumps = edited(lambda rank, value: nccl(value, ["completed", "started"]))
    del dumps[2]
    entry, rank, text = named(database, dumps)

    assert (entry, rank) == (BEHIND, 2)
    assert text.startswith("rank 2: left no dump; ranks 0, 1, 3 wait in all_reduce seq 2")


def test_the_first_of_several_groups_is_named(database: Database) -> None:
    """Rank 1 never came to its pair's call; rank 0, stuck there, is missing in the world's."""
    def two(rank: int, value: dict[str, Any]) -> None:
        nccl(value, ["completed", "completed"] + (["started"] if rank > 1 else []))
        value["pg_config"]["7"] = {"name": "7", "desc": "tensor_parallel", "ranks": "[0, 1]"}
        value["pg_status"][7] = {"last_enqueued_collective": 4 if rank == 0 else 3}
        for seq in range(3, 5 if rank == 0 else 4) if rank < 2 else ():
            value["entries"].append({
                **value["entries"][0], "pg_id": 7, "process_group": ("7", "tensor_parallel"),
                "collective_seq_id": seq, "state": "completed" if seq == 3 else "started", "retired": seq == 3
            })

    entry, rank, text = named(database, edited(two))
    assert (entry, rank) == (BEHIND, 1)
    assert "tensor_parallel" in text


@pytest.mark.parametrize(("name", "rank"), [
    ("nccl_trace_rank_3", 3), ("fr/rank_12.json", 12), ("run.zip!fr/comm_lib_trace_rank_0", 0), ("node1/rank7/dump.pickle", 7), ("trace-00005.pkl", 5), ("dump.pkl", None),
])
def test_the_rank_stands_in_the_name(name: str, rank: int | None) -> None:
    assert rank_in(name) == rank


def test_a_dump_without_a_rank_is_said(database: Database) -> None:
    session = Session(database)
    session.open("dump.pkl")
    session.feed(real())
    session.close()
    assert "does not end in a rank" in session.result()["notes"][0]


@pytest.mark.parametrize("chunk", [1, 7, 511, 513])
def test_any_chunking_gives_the_same(chunk: int) -> None:
    assert dump("rank_1", real(), chunk) == dump("rank_1", real())


def test_other_json_is_text() -> None:
    for data in (b'{"version": 3, "log": "x"}\n', b'{"entries": ' * 3000, b'{"version": ' + b"9" * 10_000 + b"}", b"{", b""):
        intake = Intake("rank_0.json")
        assert intake.offer(data[:700]) + intake.offer(data[700:]) + intake.close()[1] == data


# --- what nobody should load -------------------------------------------------------------------------------


class Evil:
    """Its pickle calls a function when it is loaded."""

    def __init__(self, function: Callable[..., Any], *arguments: Any) -> None:
        self.call = (function, arguments)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return self.call


def hostile() -> Iterator[tuple[str, bytes, str]]:
    """Name, pickle, and what the refusal must say."""
    for protocol in (2, 4):
        yield f"eval in protocol {protocol}", pickle.dumps({"entries": [Evil(eval, "1/0")]}, protocol), "GLOBAL"
    yield "class instance", pickle.dumps(Path("x"), 2), "GLOBAL"
    yield "set", pickle.dumps({1, 2}, 4), "EMPTY_SET"
    for opcode, name in ((b"c", "GLOBAL"), (b"\x93", "STACK_GLOBAL"), (b"R", "REDUCE"), (b"b", "BUILD"), (b"i", "INST"), (b"o", "OBJ"), (b"\x81", "NEWOBJ"), (b"\x92", "NEWOBJ_EX"),
                         (b"\x82", "EXT1"), (b"\x83", "EXT2"), (b"\x84", "EXT4"), (b"P", "PERSID"), (b"Q", "BINPERSID"), (b"\x97", "NEXT_BUFFER"), (b"\x98", "READONLY_BUFFER"), (b"\xff", "0xff")):
        yield f"opcode {name}", b"\x80\x04}(" + opcode + b"x\ny\n", f"opcode {name} at byte 4"
    yield "protocol 0 hidden behind 2", b"\x80\x02cposix\nsystem\n(S'true'\ntR.", "opcode GLOBAL at byte 2"
    yield "marks 10,000 deep", b"\x80\x02" + b"(" * 10_000, "deep"
    yield "memo never filled", b"\x80\x02h\x05.", "remembered as 5"
    yield "text of 4 GB", b"\x80\x02X\xff\xff\xff\xffabc", "middle of a value"
    yield "bytes of 16 EB", b"\x80\x04\x8e" + b"\xff" * 8 + b"abc", "middle of a value"
    yield "number of 2 GB", b"\x80\x02\x8b\xff\xff\xff\x7f", "a number of"
    yield "empty stack", b"\x80\x02.", "nothing to take"
    yield "append to a number", b"\x80\x02K\x01K\x02a.", "without a list"
    yield "key without a value", b"\x80\x02}(K\x01u.", "key without a value"
    yield "key that is a tuple", b"\x80\x02}))\x86K\x01s.", "not a plain value"
    yield "truncated", real()[:-1], "ends before"
    yield "only a list", pickle.dumps([1, 2], 2), "none of the fields"
    yield "checkpoint", b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M\xe9\x03.", "none of the fields"


@pytest.mark.parametrize(("data", "says"), [pytest.param(data, says, id=name) for name, data, says in hostile()])
def test_hostile_pickles_are_refused_by_name_and_fast(database: Database, data: bytes, says: str) -> None:
    session = Session(database)
    session.open("rank_0")
    before = time.perf_counter()
    with pytest.raises(ReadingError, match="not a log") as refused:
        session.feed(data)
        session.close()
    assert time.perf_counter() - before < 2
    assert says in str(refused.value)
    assert session.result()["verdict"] == "no-failure"


def test_a_chain_of_shared_lists_costs_what_it_weighs() -> None:
    """Each list holds the last one twice: 2^40 leaves when walked, 40 when kept."""
    doubling = b"]q\x000" + b"".join(b"](h" + bytes([number]) + b"h" + bytes([number]) + b"eq" + bytes([number + 1]) + b"0" for number in range(40))
    bomb = b"\x80\x02" + doubling + b"}(X\x07\x00\x00\x00entriesh\x28X\x09\x00\x00\x00pg_configh\x28u."
    before = time.perf_counter()
    found = dump("rank_0", bomb)
    assert time.perf_counter() - before < 1 and found.groups == {}


def test_a_list_that_holds_itself_is_harmless() -> None:
    value = load(b"\x80\x02]q\x00h\x00a.")
    assert value[0] is value
    assert dump("rank_0", b"\x80\x02}q\x00(X\x07\x00\x00\x00entries](h\x00h\x00eX\x09\x00\x00\x00pg_statush\x00X\x09\x00\x00\x00pg_configh\x00u.").count() == 0


def test_too_many_values_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pickledata, "MOST_OBJECTS", 1000)
    for body in (b"]" * 2000, b"X\x01\x00\x00\x00a" * 2000):
        with pytest.raises(PickleError, match="over 1000"):
            load(b"\x80\x02" + body)


def test_a_checkpoint_is_refused_before_it_is_gathered() -> None:
    """64 KiB are enough to see a class; the gigabytes behind are not kept."""
    intake = Intake("model_rank_0")
    with pytest.raises(ReadingError, match="GLOBAL"):
        intake.offer(pickle.dumps({"entries": Path("x")}, 2).ljust(1 << 17, b"\0"))
    assert intake.offer(b"more") == b"more"


def test_fields_of_another_type_are_left_out(database: Database) -> None:
    """Whatever stands where a number, a list or a text belongs: no exception, and the other ranks still compare."""
    odd: tuple[Any, ...] = (None, -1, 1 << 200, 2.5, float("nan"), "x" * 5000, b"\xff", [], [[[[]]]], {}, {"a": {}}, True, ())
    pattern = pickle.loads(real())  # noqa: S301
    for field in [*pattern["entries"][0], "entries", "pg_status", "pg_config", "version", "rank"]:
        for value in odd:
            changed = pickle.loads(real())  # noqa: S301
            if field in changed["entries"][0]:
                changed["entries"][2][field] = value
            else:
                changed[field] = value
            dumps = [dump("rank_0", real()), dump("rank_2", real())]
            intake = Intake("rank_1")
            try:
                intake.offer(pickle.dumps(changed, 4))
                found, _rest = intake.close()
            except ReadingError:
                continue
            assert found is not None
            compare_dumps([*dumps, found], database)


def test_damaged_dumps_never_raise_anything_else(database: Database) -> None:
    """Bytes flipped, cut, repeated: a dump, or a refusal."""
    pick = random.Random(11)  # noqa: S311
    for _round in range(400):
        data = bytearray(real("op", 1))
        for _change in range(pick.randint(1, 6)):
            at = pick.randrange(2, len(data))
            data[at:at + pick.randint(0, 4)] = pick.randbytes(pick.randint(0, 4))
        intake = Intake("rank_1")
        try:
            intake.offer(bytes(data))
            found, _rest = intake.close()
        except ReadingError:
            continue
        if found is not None:
            compare_dumps([found, dump("rank_0", real("op", 0))], database)


def test_ten_thousand_ranks_stay_small(database: Database) -> None:
    """Dumps of many ranks are cut to their last records, and the odd one is still found."""
    value = pickle.loads(real())  # noqa: S301
    value["pg_config"] = {}
    session = Session(database)
    for rank in range(300):
        session.open(f"fr/rank_{rank}")
        session.feed(pickle.dumps({**value, "entries": value["entries"][:5 if rank == 123 else 6], "pg_status": {}}, 2))
        session.close()
    result = session.result()
    assert (result["root"]["entry"], result["root"]["rank"]) == (BEHIND, 123)
    assert "and 291 more" in result["root"]["evidence"][0]["text"]


def test_a_pickle_inside_a_zip_is_noted_and_passed_over(database: Database) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("rank_0", pickle.dumps(Evil(eval, "1/0"), 2))
        archive.writestr("rank0.log", "step 1 loss 2.0\n")
        archive.writestr("big.json", json.dumps({"version": 1}))
        archive.writestr("short", struct.pack("<H", 0x0280))
    run = Run(Session(database))
    run.open("x.zip")
    run.feed(packed.getvalue())
    run.close()
    result = run.session.result()
    assert any("opcode GLOBAL" in note and "passed over" in note for note in result["notes"])
    assert (result["verdict"], result["stats"]["lines"]) == ("no-failure", 2)
