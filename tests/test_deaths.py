# SPDX-License-Identifier: MIT
"""Processes that leave without a word: a scheduler's or a launcher's report speaks for them, and for nobody who was started again."""
from __future__ import annotations

import pytest

from firstfault.database import Database
from tests.judging import decisive, diagnose_files

PEER = "RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:553] Connection closed by peer [10.0.0.2]:4112\n"


def lost(rank: int, prefix: str = "") -> str:
    """What a rank prints whose peer is gone."""
    head = f"{prefix}[rank{rank}]: "
    return f'{head}Traceback (most recent call last):\n{head}  File "/app/train.py", line 80, in <module>\n{head}    dist.all_reduce(flat)\n{head}{PEER}'


@pytest.mark.parametrize("ended", ["Exited with exit code 3", "Segmentation fault", "Bus error"])
def test_a_task_that_only_the_scheduler_saw_end_explains_its_peers(database: Database, ended: str) -> None:
    result = diagnose_files(database, {
        "task-0.out": lost(0), "task-1.out": "", "task-2.out": lost(2),
        "slurm-7.out": f"srun: error: cn1: task 1: {ended}\nsrun: error: cn1: tasks 0,2: Terminated\n",
    })

    assert (result["verdict"], result["root"]["rank"], f"task 1: {ended}" in decisive(result)) == ("diagnosed", 1, True)


def test_a_task_that_said_why_is_not_spoken_for(database: Database) -> None:
    said = 'Traceback (most recent call last):\n  File "/app/train.py", line 9, in <module>\n    row = table[key]\nKeyError: 600\n'
    result = diagnose_files(database, {"task-0.out": lost(0), "task-1.out": said, "slurm-7.out": "srun: error: cn1: task 1: Exited with exit code 3\n"})

    assert "KeyError: 600" in decisive(result)


def test_exit_code_1_names_no_task(database: Database) -> None:
    """Every uncaught error leaves with it, and a task may be a whole node."""
    result = diagnose_files(database, {"task-0.out": lost(0), "slurm-7.out": "srun: error: cn1: task 1: Exited with exit code 1\n"})

    assert "srun" not in decisive(result)


AGENT = "E1201 02:12:{second:02d}.689000 9 torch/distributed/elastic/multiprocessing/api.py:1002] failed (exitcode: {code}) local_rank: {local} (pid: {pid}) of binary: /opt/venv/bin/python\n"
BLOCK = """Root Cause (first observed failure):
[0]:
  time      : 2026-12-01_02:13:47
  host      : box
  rank      : {rank} (local_rank: {local})
  exitcode  : 1 (pid: {pid})
  error_file: <N/A>
"""
TRACE = 'Traceback (most recent call last):\n[default{rank}]:  File "/app/train.py", line 9, in <module>\n[default{rank}]:    init()\n'
STALE = "RuntimeError: Gloo connectFullMesh failed with timed out connecting: SO_ERROR: Connection refused"
AGAIN = "".join(
    f"[default{rank}]:[E1201 02:13:16.406761354 Group.cpp:67] [rank{rank}]: x\n[default{rank}]:[rank{rank}]: {TRACE.format(rank=rank)}[default{rank}]:[rank{rank}]: {STALE}\n"
    for rank in range(3)
)


def test_what_workers_say_after_a_restart_does_not_speak_for_the_first_attempt(database: Database) -> None:
    """The failure block knows the processes of the last attempt only; the local rank leads to the rank."""
    log = lost(0, "[default0]:") + AGENT.format(second=54, code=3, local=1, pid=16) + AGAIN + AGENT.format(second=59, code=1, local=0, pid=52) + BLOCK.format(rank=1, local=1, pid=53)
    result = diagnose_files(database, {"console.log": log})

    assert (result["root"]["rank"], "exitcode: 3" in decisive(result)) == (1, True)


def test_the_local_rank_of_another_node_is_not_taken_for_the_rank(database: Database) -> None:
    """Each node's launcher counts from 0: the distance to the ranks is that of its own block."""
    first = lost(0) + AGENT.format(second=58, code=1, local=0, pid=17) + BLOCK.format(rank=0, local=0, pid=17)
    second = AGENT.format(second=54, code=-11, local=1, pid=23) + AGENT.format(second=59, code=1, local=0, pid=54) + BLOCK.format(rank=2, local=0, pid=54)
    result = diagnose_files(database, {"a/agent.log": first, "b/agent.log": second})

    assert (result["root"]["rank"], "exitcode: -11" in decisive(result)) == (3, True)


def test_a_daemons_line_is_not_of_the_task_whose_label_it_carries(database: Database) -> None:
    """`srun -l` labels the step daemon's words with the node's first task; the task that died stands in a later line."""
    oom = "0: slurmstepd-cn1: error: Detected 1 oom-kill event(s) in StepId=7.0. Some of your processes may have been killed by the cgroup out-of-memory handler.\n"
    told = diagnose_files(database, {"job.out": lost(0, "0: ") + oom + lost(2, "2: ") + "srun: error: cn1: task 1: Out Of Memory\n"})
    untold = diagnose_files(database, {"job.out": lost(0, "0: ") + oom + lost(2, "2: ")})

    assert (told["root"]["entry"], told["root"]["rank"], untold["root"]["rank"]) == ("slurm-oom-kill", 1, None)


def test_two_clocks_in_one_input_do_not_part_a_death_from_its_victims(database: Database) -> None:
    """A collector stamps every line, the launcher's own time lies months apart from it; the lines stand together all the same."""
    log = "".join(f"2026-03-01T10:00:00.123Z stderr F {row}\n" for row in (lost(0) + lost(2) + AGENT.format(second=54, code=3, local=1, pid=23) + BLOCK.format(rank=1, local=1, pid=23)).splitlines())
    result = diagnose_files(database, {"pod.log": log})

    assert (result["root"]["rank"], "exitcode: 3" in decisive(result)) == (1, True)


def own(rank: int, error: str, frame: str = '  File "/app/data.py", line 7, in read') -> str:
    """An uncaught exception of a rank, as torch's hook prints it."""
    head = f"[rank{rank}]: "
    return f"{head}Traceback (most recent call last):\n{head}{frame}\n{head}    read()\n{head}{error}\n"


CHILD = "subprocess.CalledProcessError: Command '['ffmpeg', '-i', 'clip.mp4']' returned non-zero exit status 183."
PIPE = "BrokenPipeError: [Errno 32] Broken pipe"


@pytest.mark.parametrize("error", [CHILD, PIPE])
def test_a_rank_dies_of_a_program_that_it_started(database: Database, error: str) -> None:
    log = own(1, error) + lost(0) + AGENT.format(second=54, code=1, local=1, pid=23) + BLOCK.format(rank=1, local=1, pid=23)
    result = diagnose_files(database, {"console.log": log})

    assert (result["root"]["rank"], error.partition(":")[0] in decisive(result)) == (1, True)


@pytest.mark.parametrize(("error", "frame"), [(PIPE, '  File "/usr/lib/python3.11/multiprocessing/connection.py", line 7, in send'), (CHILD.replace("ffmpeg", "torchrun"), "")])
def test_a_pipe_to_another_process_and_a_launchers_report_only_follow(database: Database, error: str, frame: str) -> None:
    """What breaks between processes of the job, and what a launcher says of its ranks, is not the rank's own."""
    cause = own(0, "ValueError: shard 7 of 9 is empty")
    after = own(1, error, frame) if frame else f'Traceback (most recent call last):\n  File "/venv/bin/accelerate", line 8, in <module>\n    sys.exit(main())\n{error}\n'
    result = diagnose_files(database, {"console.log": cause + after})

    assert "shard 7 of 9" in decisive(result)
