# SPDX-License-Identifier: MIT
"""Which of several lines about one failure is shown, and whose it was: kinds seen in public threads."""
import pytest

from firstfault.database import Database
from tests.judging import decisive as line
from tests.judging import diagnose
from tests.test_diagnosis import PROGRESS


def old_watchdog(rank: int) -> str:
    """The watchdog before torch 2.3: no rank before the record, no time."""
    return (
        f"[E ProcessGroupNCCL.cpp:457] [Rank {rank}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=12, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, "
        "Timeout(ms)=1800000) ran for 1800035 milliseconds before timing out.\n"
    )


@pytest.mark.parametrize(("waited", "rank"), [((3, 2, 1), 0), ((1, 2, 4, 3, 0, 6, 7), 5)])
def test_one_number_left_out_is_the_silent_rank(database: Database, waited: tuple[int, ...], rank: int) -> None:
    """Nothing tells how many ranks there are, but of those below the highest one alone doesn't complain."""
    result = diagnose(database, PROGRESS + "".join(old_watchdog(each) for each in waited))

    assert result["root"]["rank"] == rank


@pytest.mark.parametrize("waited", [(0, 2), (1, 5, 7), (0, 1, 2)])
def test_gaps_that_say_nothing(database: Database, waited: tuple[int, ...]) -> None:
    """Two that waited, several gaps or none name nobody who is silent."""
    result = diagnose(database, PROGRESS + "".join(old_watchdog(each) for each in waited))

    assert result["root"]["rank"] in waited


@pytest.mark.parametrize(("said", "rank"), [
    ("=> init process group, backend gloo, world size 4, rank 2\n", 2), ("self.dist_rank: 1\n", 1), ("rank=3, world_size=4\n", 3), ("world_size: 4 is set by the launcher\n", 0)
])
def test_a_program_that_introduces_itself_has_that_rank(database: Database, said: str, rank: int) -> None:
    result = diagnose(database, said + PROGRESS + 'Traceback (most recent call last):\n  File "/app/train.py", line 8, in <module>\n    main()\nKeyError: \'input_ids\'\n')

    assert result["root"]["rank"] == rank


def test_what_was_seen_of_the_peer_tells_more_than_the_report_around_it(database: Database) -> None:
    """Nothing but consequences: the line that names the peer is shown, not the exception that quotes it."""
    result = diagnose(database, PROGRESS + """[rank1]:[E ProcessGroupNCCL.cpp:1182] [Rank 1] NCCL watchdog thread terminated with exception: NCCL error: remote process exited
ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.
Last error:
socketProgress: Connection closed by remote peer node-2<32926>
terminate called after throwing an instance of 'c10::DistBackendError'
""")

    assert (result["verdict"], "Connection closed by remote peer node-2" in line(result)) == ("needs-evidence", True)


def test_code_of_a_frame_is_not_the_exception(database: Database) -> None:
    """The source line that raises is dropped where the same traceback says what was raised, also under another wording of the entry."""
    result = diagnose(database, PROGRESS + """Traceback (most recent call last):
  File "/app/train.py", line 40, in load
    model.load_state_dict(state)
  File "/opt/venv/torch/nn/modules/module.py", line 2182, in load_state_dict
    raise RuntimeError('Error(s) in loading state_dict for {}:\\n\\t{}'.format(
RuntimeError: Error(s) in loading state_dict for GPTModel:
       Missing key(s) in state_dict: "decoder.layers.0.mlp.experts.weight1".
""")

    assert line(result).startswith("RuntimeError: Error(s) in loading state_dict for GPTModel:")


@pytest.mark.parametrize("heading", ["printing enroot log file:", "printing contents of log file ...", "output of the failed command follows:"])
def test_a_heading_is_not_what_it_announces(database: Database, heading: str) -> None:
    result = diagnose(database, f"slurmstepd: error: demo: {heading}\nslurmstepd: error: demo:     frobnicate: cannot find the lever\nsrun: error: n1: task 0: Exited with exit code 1\n")

    assert "cannot find the lever" in line(result)


def test_a_line_with_a_colon_at_its_end_can_be_the_error(database: Database) -> None:
    """Near miss: a colon at the end alone announces nothing."""
    result = diagnose(database, "frobnicate: error: cannot open the lever file:\nsrun: error: n1: task 0: Exited with exit code 1\n")

    assert "lever file" in line(result)


def test_a_requeued_job_is_judged_by_its_last_attempt(database: Database) -> None:
    """Preempted, started again by submitit, then failed: the preemption is of an earlier attempt."""
    start = "submitit INFO (2021-03-15 1{}:15:33,118) - Starting with JobEnvironment(job_id=3, hostname=n1, local_rank=0(8), node=0(1), global_rank=0(8))\n"
    stop = "slurmstepd: error: *** JOB 3 ON n1 CANCELLED AT 2021-03-15T18:00:46 DUE TO PREEMPTION ***\n"
    end = 'Traceback (most recent call last):\n  File "/app/train.py", line 8, in <module>\n    main()\nKeyError: \'input_ids\'\n'

    assert "input_ids" in line(diagnose(database, start.format(7) + PROGRESS + stop + start.format(8) + end))
    assert "PREEMPTION" in line(diagnose(database, start.format(7) + PROGRESS + stop))


def test_a_framed_notice_that_only_warns(database: Database) -> None:
    dashes = "-" * 74 + "\n"
    warning = dashes + "The call to cuIpcCloseMemHandle failed. This is a warning and the program\nwill continue to run.\n" + dashes

    assert diagnose(database, PROGRESS + warning)["verdict"] == "no-failure"
    assert diagnose(database, PROGRESS + warning.replace("This is a warning and", "So"))["verdict"] == "unrecognised"


def test_after_the_keyboard_nothing_is_a_failure(database: Database) -> None:
    """Lightning's words after Ctrl-C are those of an order to stop; the same order without it is somebody else's."""
    stop = "[rank: 1] Received SIGTERM: 15\n"

    assert diagnose(database, PROGRESS + "^C\nDetected KeyboardInterrupt, attempting graceful shutdown ...\n" + stop)["verdict"] == "no-failure"
    assert diagnose(database, PROGRESS + stop)["verdict"] == "needs-evidence"


def test_the_rank_whose_child_the_kernel_killed(database: Database) -> None:
    """The kernel names a process number, and one rank says that its loader worker of that number is gone."""
    kernel = "Jul 02 10:11:30 n7 kernel: Memory cgroup out of memory: Killed process 8811 (pt_data_worker) total-vm:81231234kB, anon-rss:31231234kB\n"
    ranks = "[rank{}]: RuntimeError: DataLoader worker (pid {}) is killed by signal: Killed.\n" + old_watchdog(2)

    assert diagnose(database, kernel + ranks.format(5, 8811))["root"]["rank"] == 5
    assert diagnose(database, kernel + ranks.format(5, 88110))["root"]["rank"] is None


def test_a_traceback_below_one_line_with_a_prefix(database: Database) -> None:
    """sglang's logger writes the rank before the first line of a traceback only."""
    start = "[2025-04-11 03:12:08 {}] Scheduler hit an exception: Traceback (most recent call last):\n"
    rest = '  File "/app/scheduler.py", line 2009, in run_scheduler_process\n    self.init()\nKeyError: \'model.layers.61.weight\'\n\n'
    end = "[2025-04-11 03:12:08] Received sigquit from a child process. It usually means the child failed.\n"

    def rank(prefix: str, between: str = "") -> int | None:
        result = diagnose(database, start.format(prefix) + between + rest + end)
        assert "KeyError" in line(result)
        return result["root"]["rank"]

    assert rank("TP15") == 15
    assert rank("TP15", "plain line of somebody else\n" * 4) is None


def test_a_program_that_leaves_with_a_code_did_not_end_well(database: Database) -> None:
    """Megatron closes alike after success and after a step that it does not trust; only the code tells."""
    nan = "ERROR:megatron.core.rerun_state_machine:Unexpected result nan on rank 3 at iteration #3 invocation #2 (message='found NaN in local grad norm for bucket #0 in backward pass')\n"
    close = "saving checkpoint at iteration       2 to /ckpt\n  successfully saved checkpoint from iteration       2 to /ckpt\n[after training is done] datetime: 2026-05-27 09:11:30 \n"
    result = diagnose(database, PROGRESS + nan + close + "exiting program at iteration 2 with exit code 16\n")

    assert (result["verdict"], result["root"]["rank"]) == ("diagnosed", 3)
    assert diagnose(database, PROGRESS + close + "exiting program at iteration 2 with exit code 0\n")["verdict"] == "no-failure"


@pytest.mark.parametrize(("before", "entry"), [(6, "cuda-out-of-memory"), (1, None)])
def test_a_complaint_that_was_often_survived_is_survived_again(database: Database, before: int, entry: str | None) -> None:
    """Right before the known fault it stands once more, and no step could follow; once survived says nothing yet."""
    busy = 'Traceback (most recent call last):\n  File "/opt/data/reader.py", line 88, in fetch\n    return self.get(key)\nTransientReadError: shard busy, trying again\n'
    survived = "".join(busy + "".join(f"step {number} loss 2.{number}\n" for number in range(start, start + 5)) for start in range(1, 5 * before, 5))
    log = "step 0 loss 3.1\n" + survived + busy + "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.15 GiB of which 1.2 GiB is free.\n"

    assert diagnose(database, log)["root"]["entry"] == entry
