# SPDX-License-Identifier: MIT
"""The table of ranks, the marks of the picture, and what differs within a fold."""
from __future__ import annotations

import pytest

from firstfault.database import Database, load
from tests.judging import diagnose_files

OOM = "[rank{rank}]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 336.00 MiB. GPU 0 has a total capacity of 79.15 GiB\n"
TIMEOUT = (
    "[rank{rank}]:[E1130 12:10:{second:02d}.103000000 ProcessGroupNCCL.cpp:632] [Rank {rank}] Watchdog caught collective operation timeout: "
    "WorkNCCL(SeqNum=8, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 6000{rank:02d} milliseconds before timing out.\n"
)


@pytest.fixture(scope="module")
def database() -> Database:
    return load()


def files(ranks: int, culprit: int) -> dict[str, str]:
    """One file per rank: all train, one runs out of memory, the others time out."""
    return {
        f"logs/rank{rank}.log": "".join(f"step {step} loss 0.{step}\n" for step in range(1, 10 if rank == culprit else 11))
        + (OOM.format(rank=rank) if rank == culprit else TIMEOUT.format(rank=rank, second=rank % 60))
        for rank in range(ranks)
    }


def test_each_rank_has_a_row_with_its_file_last_step_and_role(database: Database) -> None:
    rows = diagnose_files(database, files(8, 3))["ranks_table"]
    assert [row["rank"] for row in rows] == list(range(8))
    assert [row["role"] for row in rows] == ["root" if rank == 3 else "consequence" for rank in range(8)]
    assert [row["last_step"] for row in rows] == [9 if rank == 3 else 10 for rank in range(8)]
    assert [row["files"] for row in rows] == [[f"logs/rank{rank}.log"] for rank in range(8)]
    assert rows[3]["fault"]["entry"] == "cuda-out-of-memory"


def test_silent_rank_is_said_to_be_silent(database: Database) -> None:
    log = "train-0:1:1 [0] NCCL INFO comm 0x1 rank 0 nranks 4 cudaDev 0 busId 1000 - Init COMPLETE\n" + "".join(TIMEOUT.format(rank=rank, second=rank) for rank in (0, 1, 2))
    roles = {row["rank"]: row["role"] for row in diagnose_files(database, {"train.log": log})["ranks_table"]}
    assert roles[3] in ("silent", "root")


def test_every_event_of_many_ranks_is_a_mark(database: Database) -> None:
    result = diagnose_files(database, {"train.log": OOM.format(rank=7) + "".join(TIMEOUT.format(rank=rank, second=rank % 60) for rank in range(1024) if rank != 7)})
    marks = [mark.split() for mark in result["map"]["marks"]]
    assert len(marks) == 1024
    assert len({mark[0] for mark in marks}) == 1024
    kinds = result["map"]["kinds"]
    assert [kinds[int(mark[3])]["role"] for mark in marks].count("root") == 1
    assert result["map"]["left_out"] == 0


def test_fold_says_which_fields_differ(database: Database) -> None:
    row = next(row for row in diagnose_files(database, files(8, 3))["consequences"] if row["entry"] == "nccl-watchdog-timeout")
    assert row["until"] - row["from"] == 7
    moving = {each["field"]: each for each in row["differs"]}
    assert "rank" not in moving
    assert any(each["count"] == 7 for each in moving.values()), moving


def test_file_names_in_the_table_are_masked(database: Database) -> None:
    from firstfault.report import render

    text = render(diagnose_files(database, {"/home/marguerite/rank0.log": TIMEOUT.format(rank=0, second=1), "/home/marguerite/rank1.log": OOM.format(rank=1)}), "json", masked=True)
    assert "marguerite" not in text
