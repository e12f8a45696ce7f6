# SPDX-License-Identifier: MIT
"""Runs that stand still and print only where their threads are: the one that waits for nobody holds up the others."""
from __future__ import annotations

from typing import Any

import pytest

from firstfault.database import Database
from tests.judging import diagnose_files

THREAD = '  File "/usr/lib/python3.11/threading.py", line 327 in wait\n  File "/usr/lib/python3.11/queue.py", line 171 in get\n'
WAITS = '  File "/venv/torch/distributed/distributed_c10d.py", line 3252 in all_reduce\n  File "/app/train.py", line 165 in step\n  File "/app/train.py", line 436 in <module>\n'
READS = '  File "/app/data.py", line 259 in refill\n  File "/app/train.py", line 362 in main\n  File "/app/train.py", line 436 in <module>\n'
STEPS = "".join(f"step {number} loss 2.{number}\n" for number in range(5))


def dumped(frames: str, head: str = "Timeout (0:00:14)!\n") -> str:
    """What faulthandler prints of a process: another thread, and the main one last."""
    return f"{head}Thread 0x00007fc48bfff6c0 (most recent call first):\n{THREAD}\nThread 0x00007fc4c0c74b80 (most recent call first):\n{frames}"


def spied(frames: str) -> str:
    """The same as py-spy prints it: the main thread first, by name."""
    rows = "".join(f"    {row.rpartition(' in ')[2]} ({row.split(chr(34))[1]}:{row.split('line ')[1].split()[0]})\n" for row in frames.splitlines())
    return f'Process 4711: python train.py\nPython v3.11.7\n\nThread 4711 (active+gil): "MainThread"\n{rows}Thread 4720 (idle): "prefetch"\n    wait (threading.py:327)\n'


def diagnose(database: Database, *logs: str) -> dict[str, Any]:
    return diagnose_files(database, {f"rank-{rank}.log": STEPS + log for rank, log in enumerate(logs)})


@pytest.mark.parametrize("dump", [dumped, spied])
def test_the_rank_that_waits_for_nobody_is_named(database: Database, dump: Any) -> None:
    result = diagnose(database, dump(WAITS), dump(READS), dump(WAITS))

    assert (result["verdict"], result["root"]["rank"], "refill" in result["root"]["evidence"][0]["text"]) == ("unrecognised", 1, True)
    assert any("rank 1 stands in refill; the others wait in all_reduce" in sentence for sentence in result["why"])


@pytest.mark.parametrize("frames", [(WAITS, WAITS, WAITS), (READS, READS, WAITS), (READS, READS, READS)])
def test_where_most_are_busy_or_all_wait_nobody_is_named(database: Database, frames: tuple[str, ...]) -> None:
    assert diagnose(database, *map(dumped, frames))["verdict"] == "no-failure"


def test_a_crash_prints_a_stack_and_stands_nowhere(database: Database) -> None:
    """The crash itself is the fault, not the place of its stack."""
    result = diagnose(database, dumped(WAITS), dumped(READS, head="Fatal Python error: Segmentation fault\n\n"), dumped(WAITS))

    assert "Segmentation fault" in result["root"]["evidence"][0]["text"]


def test_a_run_that_goes_on_after_a_dump_is_not_held_up(database: Database) -> None:
    later = STEPS.replace("step ", "step 1")
    result = diagnose(database, dumped(WAITS) + later, dumped(READS) + later, dumped(WAITS) + later)

    assert result["verdict"] == "no-failure"
