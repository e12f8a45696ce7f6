# SPDX-License-Identifier: MIT
"""Whether a run went on after an error: clocks tell it where the order of files does not, and a process that is gone never does."""
from __future__ import annotations

import pytest

from firstfault.database import Database
from tests.judging import decisive, diagnose_files


def steps(begin: int, head: str = "", rank: int = 0) -> str:
    """Five steps, a second each from a second of 10:00 on."""
    return "".join(f"{head}2026-12-01 10:00:{begin + index:02d},000 INFO rank {rank} step {10 + index} loss 2.{index}\n" for index in range(5))


CAUGHT = """2026-12-01 10:00:21,000 ERROR could not read step_40.pt, falling back to the one before it
Traceback (most recent call last):
  File "/app/train.py", line 80, in resume
    state = torch.load(path)
OSError: [Errno 22] Invalid argument
"""
UNCAUGHT = """[rank0]: Traceback (most recent call last):
[rank0]:   File "/app/train.py", line 80, in <module>
[rank0]:     state = torch.load(path)
[rank0]: OSError: [Errno 22] Invalid argument
"""


@pytest.mark.parametrize("names", [("a/attempt_0/1/stderr.log", "a/attempt_0/1/stdout.log"), ("rank1.err", "rank1.out")])
def test_steps_of_the_same_rank_in_its_other_file_come_later(database: Database, names: tuple[str, str]) -> None:
    gone_on = diagnose_files(database, {names[0]: CAUGHT, names[1]: steps(30)})
    ended = diagnose_files(database, {names[0]: CAUGHT, names[1]: steps(10)})

    assert (gone_on["verdict"], "Invalid argument" in decisive(ended)) == ("no-failure", True)


def test_output_joined_from_two_streams_is_ordered_by_its_times(database: Database) -> None:
    assert diagnose_files(database, {"rank0.log": steps(30) + CAUGHT})["verdict"] == "no-failure"


def test_an_uncaught_error_has_no_time_of_its_own(database: Database) -> None:
    """Whatever stands above it: its process printed nothing afterwards."""
    warning = "[W1201 10:00:21.421638598 socket.cpp:207] [c10d] The hostname of the client socket cannot be retrieved. err=-3\n"
    result = diagnose_files(database, {"rank0.log": steps(30) + warning + UNCAUGHT})

    assert "Invalid argument" in decisive(result)


def test_a_rank_that_is_gone_is_not_saved_by_bars_drawn_late(database: Database) -> None:
    bars = "Epoch 0/2  ━━━━━━━━━ 7/15 0:00:06 • 0:00:01 54.02it/s v_num: 0.000\nEpoch 0/2  ━━━━━━━━━ 8/15 0:00:06 • 0:00:01 54.02it/s v_num: 0.000\n"
    result = diagnose_files(database, {"run.log": bars + UNCAUGHT + bars})

    assert "Invalid argument" in decisive(result)


EMPTY = """[rank2]: Traceback (most recent call last):
[rank2]:   File "/app/train.py", line 215, in resume
[rank2]:     state = load(path)
[rank2]:   File "/venv/lib/python3.11/site-packages/{path}", line 327, in load
[rank2]:     raise EOFError
[rank2]: EOFError
"""
PEER = """[rank0]: Traceback (most recent call last):
[rank0]:   File "/app/train.py", line 15, in <module>
[rank0]:     dist.all_reduce(flat)
[rank0]: RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:553] Connection closed by peer [10.0.0.2]:4112
"""


@pytest.mark.parametrize(("path", "blamed"), [("torch/_weights_only_unpickler.py", True), ("numpy/lib/format.py", True), ("multiprocessing/connection.py", False)])
def test_the_end_of_a_file_is_a_fault_and_the_end_of_a_pipe_is_none(database: Database, path: str, blamed: bool) -> None:
    result = diagnose_files(database, {"rank2.err": EMPTY.format(path=path), "rank0.err": PEER})

    assert ("EOFError" in decisive(result)) == blamed
