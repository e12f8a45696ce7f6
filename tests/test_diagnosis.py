# SPDX-License-Identifier: MIT
"""The first fault, on labelled cases and on kinds of logs: who is blamed, who is not, and why."""
import random
from pathlib import Path
from typing import Any

import pytest

from firstfault.database import Database
from firstfault.diagnose import Session
from tests.judging import decisive as line
from tests.judging import diagnose

ROOT = Path(__file__).resolve().parent.parent


def watchdog(rank: int, seq: int = 7, op: str = "ALLREDUCE", size: int = 100) -> str:
    """What the NCCL watchdog of one rank prints."""
    return (
        f"[rank{rank}]:[E814 07:25:1{rank % 10}.000000000 ProcessGroupNCCL.cpp:607] [Rank {rank}] Watchdog caught collective operation timeout: "
        f"WorkNCCL(SeqNum={seq}, OpType={op}, NumelIn={size}, NumelOut={size}, Timeout(ms)=600000) ran for 600037 milliseconds before timing out.\n"
    )


def init(world: int) -> str:
    """NCCL's lines that tell the world's size."""
    return "".join(f"n1:{100 + rank}:{200 + rank} [{rank}] NCCL INFO comm 0x1 rank {rank} nranks {world} cudaDev {rank} busId 1000 - Init COMPLETE\n" for rank in range(world))


PROGRESS = "".join(f"step {number} loss 2.{number}\n" for number in range(1, 6))
CHILD = """E0814 07:25:25.902000 1398 torch/distributed/elastic/multiprocessing/api.py:826] failed (exitcode: {code}) local_rank: {rank} (pid: {pid}) of binary: /opt/conda/bin/python
Traceback (most recent call last):
  File "/opt/conda/bin/torchrun", line 8, in <module>
    sys.exit(main())
torch.distributed.elastic.multiprocessing.errors.ChildFailedError:
"""


def test_other_operation_at_the_same_sequence_number(database: Database) -> None:
    """Seven ranks gather, one reduces: the one is named."""
    result = diagnose(database, PROGRESS + "".join(watchdog(rank, op="REDUCE" if rank == 5 else "_ALLGATHER_BASE") for rank in range(8)))

    assert result["root"]["entry"] == "nccl-collective-mismatch"
    assert (result["root"]["rank"], "OpType=REDUCE" in line(result)) == (5, True)


def test_other_size_at_the_same_sequence_number(database: Database) -> None:
    """Same operation, one rank with another size."""
    result = diagnose(database, PROGRESS + "".join(watchdog(rank, size=90 if rank == 2 else 100) for rank in range(4)))

    assert (result["root"]["entry"], result["root"]["rank"]) == ("nccl-collective-shape-mismatch", 2)


def test_silent_rank_is_named(database: Database) -> None:
    """N-1 ranks report a timeout; the silent one is the suspect."""
    result = diagnose(database, init(8) + PROGRESS + "".join(watchdog(rank) for rank in range(8) if rank != 3))

    assert (result["root"]["entry"], result["root"]["rank"]) == ("nccl-rank-missing-or-behind", 3)


def test_rank_behind_is_named(database: Database) -> None:
    """One rank still waits for an earlier collective."""
    result = diagnose(database, init(4) + PROGRESS + "".join(watchdog(rank, seq=6 if rank == 1 else 7) for rank in range(4)))

    assert (result["root"]["entry"], result["root"]["rank"]) == ("nccl-rank-missing-or-behind", 1)


def test_all_alike_stays_a_timeout(database: Database) -> None:
    """All ranks wait for the same: no rank is blamed by comparison."""
    result = diagnose(database, init(4) + PROGRESS + "".join(watchdog(rank) for rank in range(4)))

    assert result["root"]["entry"] == "nccl-watchdog-timeout"


def test_exception_before_timeouts_explains_them(database: Database) -> None:
    """An unknown exception on one rank, minutes later the others time out, at the end the launcher names a victim."""
    error = '[rank2]: Traceback (most recent call last):\n[rank2]:   File "t.py", line 1, in f\n[rank2]:     g()\n[rank2]: FancyError: shard 7 is torn\n'
    result = diagnose(database, PROGRESS + error + watchdog(0) + watchdog(1) + CHILD.format(code=-6, rank=0, pid=10))

    assert (result["verdict"], result["root"]["rank"]) == ("unrecognised", 2)
    assert "FancyError" in line(result)
    assert {row["entry"] for row in result["consequences"]} >= {"nccl-watchdog-timeout"}


def test_silent_death_explains_closed_connections(database: Database) -> None:
    """A rank killed by SIGKILL prints nothing; its victims do, and before the launcher speaks."""
    log = (ROOT / "tests/reproduce/logs/sigkill.log").read_text()
    result = diagnose(database, log)

    assert (result["verdict"], result["root"]["entry"], result["root"]["rank"]) == ("diagnosed", "torchrun-exitcode-9-sigkill", 1)
    assert "exitcode: -9" in line(result)
    victims = [row for row in result["consequences"] if "Connection reset by peer" in row["evidence"][0]["text"]]
    assert victims and set().union(*(row["ranks"] for row in victims)) >= {0, 2}
    assert any(row["role"] == "wrapper" and "childfailed" in (row["entry"] or "") for row in result["consequences"])
    assert any("dmesg" in (item.get("command") or "") + item["what"] for item in result["collect"])


def test_fault_followed_by_progress_is_no_failure(database: Database) -> None:
    """An out-of-memory error that was caught on purpose."""
    caught = "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.15 GiB\n"
    result = diagnose(database, "batch 64\n" + caught + "batch 32\n" + PROGRESS + "Training finished\n")

    assert result["verdict"] == "no-failure"
    assert [row["entry"] for row in result["recovered"]] == ["cuda-out-of-memory"]


def test_progress_before_a_fault_does_not_excuse_it(database: Database) -> None:
    """The same line at the end of the log is the failure."""
    result = diagnose(database, PROGRESS + "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.15 GiB\n")

    assert result["root"]["entry"] == "cuda-out-of-memory"


def test_last_attempt_counts(database: Database) -> None:
    """A failed first attempt, then a run that ends well."""
    first = '[rank1]: Traceback (most recent call last):\n[rank1]:   File "t.py", line 1, in f\n[rank1]: ValueError: torn\n'
    result = diagnose(database, PROGRESS + first + "W0814 07:25:25.902000 1398 torch/x.py:826] restarting worker group\n" + PROGRESS + "step 6 loss 1.0\nTraining finished\n")

    assert (result["verdict"], result["attempts"]) == ("no-failure", 2)


def test_only_a_wrapper_needs_evidence(database: Database) -> None:
    """A paste that holds only the launcher's end: its most telling line is shown as what it is, and something is asked for."""
    result = diagnose(database, CHILD.format(code=1, rank=3, pid=77))

    assert (result["verdict"], result["root"]["kind"]) == ("needs-evidence", "wrapper")
    assert "what started it is not there" in result["why"][0] and result["counterfactual"] is None
    assert result["collect"] and result["suspects"]


def test_an_unknown_error_names_the_closest_entries_and_why_they_do_not_fit(database: Database) -> None:
    """One that shares rare words, one whose wording lacks what must stand beside it; nothing for words that every log has."""
    shared = diagnose(database,
        PROGRESS + '[rank1]: Traceback (most recent call last):\n[rank1]:   File "t.py", line 1, in f\n'
        '[rank1]: AssertionError: Check batch related parameters. train_batch_size is odd\n'
    )
    everyday = diagnose(database, PROGRESS + '[rank1]: Traceback (most recent call last):\n[rank1]:   File "t.py", line 1, in f\n[rank1]: ValueError: the value is wrong\n')

    assert shared["verdict"] == everyday["verdict"] == "unrecognised"
    assert shared["closest"][0]["entry"] == "deepspeed-batch-size-mismatch"
    assert "micro_batch_per_gpu" in shared["closest"][0]["why"]
    assert everyday["closest"] == []
    alone = diagnose(database, PROGRESS + '[rank1]: Traceback (most recent call last):\n[rank1]:   File "t.py", line 1, in f\n[rank1]: OSError: [Errno 12] Cannot allocate memory\n')
    assert alone["closest"][0]["entry"] == "fork-cannot-allocate-memory" and "that is not in this log" in alone["closest"][0]["why"]


def test_healthy_log(database: Database) -> None:
    """Nothing is claimed of a healthy run."""
    result = diagnose(database, PROGRESS * 20 + "Training finished\n")

    assert (result["verdict"], result["root"], result["alternatives"]) == ("no-failure", None, [])


def test_empty_input(database: Database) -> None:
    """No bytes, only line feeds, one odd byte: no failure, no exception."""
    for log in (b"", b"\n\n\n", b"\xff"):
        assert diagnose(database, log)["verdict"] == "no-failure"


def test_contract_of_the_result(database: Database) -> None:
    """Every key that the contract names is there."""
    result = diagnose(database, (ROOT / "tests/reproduce/logs/sigkill.log").read_text())

    assert {"verdict", "root", "alternatives", "consequences", "collect", "stats", "database"} <= result.keys()
    assert {"entry", "title", "family", "rank", "host", "time", "evidence", "explains", "fix", "verify", "url"} <= result["root"].keys()
    assert {"file", "line", "text", "rank"} <= result["root"]["evidence"][0].keys()
    assert {"files", "lines", "bytes", "seconds"} <= result["stats"].keys()


def rank_file(start: int, raised: str = "", steps: int = 6, late: float = 0.0) -> str:
    """One rank's log with a time on every line: steps ten seconds apart, then perhaps an exception ``late`` seconds after the last."""
    def stamp(second: float) -> str:
        return f"2026-03-01 10:{int(second) // 60:02d}:{second % 60:06.3f}"
    rows = [f"{stamp(start + 10 * step)} step {step} loss 2.{step}" for step in range(1, steps)]
    if raised:
        when = stamp(start + 10 * steps + late)
        rows += [f"{when} ERROR Traceback (most recent call last):", f'{when} ERROR   File "/app/train.py", line 7, in <module>', f"{when} ERROR {raised}"]
    return "\n".join(rows) + "\n"


@pytest.mark.parametrize("wrong", [300, -300, 7200])
def test_a_wrong_clock_does_not_decide_who_was_first(database: Database, wrong: int) -> None:
    """Rank 2 failed a second before rank 1; its host's clock is minutes or hours off, which the common steps tell."""
    first, second = "KeyError: 'tokens'", "ValueError: shard 7 of 9 is empty"
    files = [rank_file(600), rank_file(600, second, late=2), rank_file(600 + wrong if wrong < 2000 else 600, first, late=1), rank_file(600)]
    if wrong > 2000:
        files[2] = files[2].replace(" 10:", " 12:")
    session = Session(database)
    for rank, text in enumerate(files):
        session.open(f"logs/rank{rank}.log")
        session.feed(text.encode())
        session.close()
    result = session.result()

    assert (result["root"]["rank"], line(result).split("ERROR ")[1]) == (2, first)
    assert any("clock" in note and "rank2.log" in note for note in result["notes"])


def test_right_clocks_are_left_alone(database: Database) -> None:
    """The second rank fails first by a second, and nothing is moved."""
    result = diagnose(database, rank_file(600, "ValueError: shard 7 of 9 is empty", late=2), rank_file(600, "KeyError: 'tokens'", late=1))

    assert line(result).endswith("KeyError: 'tokens'") and not any("clock" in note for note in result["notes"])


def test_a_lone_complaint_in_a_log_that_goes_on_is_no_failure(database: Database) -> None:
    """One refused request among ordinary lines; at the end of a log the same line is what is left to blame."""
    refused = "2026-03-01 10:00:00 ERROR gateway: could not parse the body of request 4711\n"
    served = "".join(f"2026-03-01 10:00:{second:02d} INFO gateway: request {second} answered in 20 ms\n" for second in range(20))
    among = diagnose(database, served + refused + served)

    assert (among["verdict"], among["root"], len(among["unexplained"])) == ("no-failure", None, 1)
    assert diagnose(database, served + refused)["verdict"] == "unrecognised"


def test_a_run_stopped_by_hand_is_no_failure(database: Database) -> None:
    """Only clean-up follows, and it says SIGINT."""
    stopped = "^CW0904 22:10:18.120000 20117 torch/distributed/elastic/multiprocessing/api.py:897] Sending process 20144 closing signal SIGINT\n"

    assert diagnose(database, PROGRESS + "saved checkpoint 5\n" + stopped)["verdict"] == "no-failure"


def test_a_time_limit_after_training_was_over_is_no_failure(database: Database) -> None:
    """The scheduler ends what is left of a job; without the end of training before it, it ends the run."""
    limit = "slurmstepd: error: *** JOB 771203 ON n4 CANCELLED AT 2026-03-01T14:00:21 DUE TO TIME LIMIT ***\n"

    assert diagnose(database, PROGRESS + "[after training is done] datetime: 2026-03-01 13:48:02\n" + limit)["verdict"] == "no-failure"
    assert diagnose(database, PROGRESS + limit)["root"]["entry"] == "slurm-time-limit"


def test_a_test_run_that_passed_is_no_failure(database: Database) -> None:
    """Expected errors stand in its output."""
    expected = 'Traceback (most recent call last):\n  File "t.py", line 1, in f\nRuntimeError: PytorchStreamReader failed reading zip archive: failed finding central directory\n'

    assert diagnose(database, expected + "PASSED\n===== 40 passed, 1 skipped, 1 xfailed in 12.31s =====\n")["verdict"] == "no-failure"


@pytest.mark.parametrize("last", [
    "ptxas error   : Entry function 'k' uses too much shared data (0x1c000 bytes, 0xc000 max)",
    "MemoryError", "Host key verification failed.", "ssh: connect to host node-2 port 22: Connection refused",
    "loss became NaN at step 1200, aborting",
    "/usr/bin/python: No module named torch.distributed.run", "[12345.678901] mce: [Hardware Error]: CPU 12: Machine Check Exception: 5 Bank 7: be00000000800400",
    "mlx5_core 0000:17:00.0: poll_health:800:(pid 0): device's health compromised - reached miss count", "pyarrow.lib.ArrowInvalid: Parquet magic bytes not found in footer.",
])
def test_the_last_words_of_programs_that_no_entry_knows_are_seen(database: Database, last: str) -> None:
    """Compilers, shells, kernels and loops that stop themselves say it without a traceback."""
    assert line(diagnose(database, PROGRESS + last + "\n")) == last


TRACE = 'Traceback (most recent call last):\n  File "t.py", line 1, in f\n'
CLOSED = (
    "[rank{rank}]: Traceback (most recent call last):\n[rank{rank}]:   File \"t.py\", line 9, in step\n"
    "[rank{rank}]: RuntimeError: [../gloo/transport/tcp/pair.cc:553] Connection closed by peer [10.0.0.1]:5{rank}\n"
)


def folder(database: Database, **files: str) -> dict[str, Any]:
    """The result for a folder of files; `rank_2` stands for `rank-2.log`."""
    session = Session(database)
    for name, text in files.items():
        session.open(f"run/{name.replace('_', '-')}.log")
        session.feed(text.encode())
        session.close()
    return session.result()


def test_a_thread_that_died_is_no_recovered_fault(database: Database) -> None:
    """Its rank takes the steps that lie in the queue, then all others wait for it; in a run that ends well it was overcome."""
    dead = PROGRESS + "Exception in thread prefetch:\n" + TRACE + "ValueError: buffer size must be a multiple of element size\nstep 6 loss 1\nstep 7 loss 1\n"
    ended = diagnose(database, dead + CLOSED.format(rank=0))

    assert line(ended).startswith("ValueError: buffer size")
    assert diagnose(database, dead + "step 8 loss 1\nTraining finished\n")["verdict"] == "no-failure"


def test_the_silent_rank_is_quoted_with_what_it_did_last(database: Database) -> None:
    """Three of four ranks lost a peer; the fourth says, after its last step, that it left the loop."""
    result = folder(
        database, rank_0=PROGRESS + CLOSED.format(rank=0), rank_1=PROGRESS + CLOSED.format(rank=1),
        rank_2=PROGRESS + "data set exhausted after 5 steps, leaving the loop\n", rank_3=PROGRESS + CLOSED.format(rank=3)
    )

    assert (result["root"]["rank"], line(result)) == (2, "data set exhausted after 5 steps, leaving the loop")


@pytest.mark.parametrize("words", [
    "munmap_chunk(): invalid pointer", "double free or corruption (!prev)",
    "python: /src/aio.cpp:125: int wait(std::vector<int>&): Assertion `n >= m' failed.",
    "F 121002 tpu_program_group.cc:90] Check failed: programs.size() > 0 (0 vs. 0)"
])
def test_last_words_of_a_process_beat_the_report_of_its_end(database: Database, words: str) -> None:
    """What the C library or a check says before an abort is the fault, not the exit code that follows."""
    result = diagnose(database, PROGRESS + words + "\n" + CHILD.format(code=-6, rank=1, pid=77) + CLOSED.format(rank=0))

    assert line(result) == words


def test_a_run_that_goes_on_after_its_launcher_spoke_was_restarted(database: Database) -> None:
    """No line says "restarting"; steps that follow the launcher's report do."""
    failed = "[default0]:" + TRACE.replace("\n", "\n[default0]:") + "FileNotFoundError: [Errno 2] No such file or directory: '/mnt/m.json'\n" + CHILD.format(code=1, rank=0, pid=7)

    assert diagnose(database, failed + PROGRESS + "epoch 0 done\n")["verdict"] == "no-failure"
    assert diagnose(database, failed)["verdict"] == "unrecognised"


def test_steps_that_come_late_through_a_buffer_don_t_undo_an_uncaught_exception(database: Database) -> None:
    """Standard output arrives after standard error: the steps were taken before."""
    uncaught = "[rank1]: " + TRACE.replace("\n", "\n[rank1]: ") + "ValueError: torn record\n"

    assert "torn record" in line(diagnose(database, uncaught + PROGRESS + CHILD.format(code=1, rank=1, pid=7)))


def test_an_agent_told_to_stop_is_the_fault_of_the_node_that_vanished(database: Database) -> None:
    """Node 0 sees closed connections; node 1's agent was told to stop from outside."""
    told = "W1130 23:19:09.799000 13 torch/distributed/elastic/agent/server/api.py:753] Received 15 death signal, shutting down workers\n"
    result = diagnose(database, PROGRESS + CLOSED.format(rank=0) + CLOSED.format(rank=1), PROGRESS + told)

    assert "death signal" in line(result)


def test_the_exception_is_the_line_not_the_code_that_raises_it(database: Database) -> None:
    """A traceback shows the source with the same words."""
    words = "Rank 3: found NaN in local grad norm in backward pass before data-parallel communication collective. Device: cuda:3, node: n1"
    result = diagnose(database, TRACE + f'    raise RuntimeError(f"Rank {{rank}}: {words[8:]}")\nRuntimeError: {words}\n')

    assert line(result) == f"RuntimeError: {words}"


CASES = sorted(path for path in (ROOT / "tests/cases").glob("*/*.log") if path.stat().st_size < 200_000)


def verdict_of(result: dict[str, Any]) -> tuple[object, ...]:
    """What must not change: verdict, entry, decisive line, rank."""
    root = result["root"] or {}
    return (result["verdict"], root.get("entry"), " ".join(line(result).split())[-200:], root.get("rank"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_presentation_does_not_change_the_verdict(database: Database, path: Path) -> None:
    """CRLF, colours, gzip, any chunking and a known prefix change nothing; the decisive line is found as it stands."""
    import gzip

    data = path.read_bytes()
    wanted = verdict_of(diagnose(database, data))
    session = Session(database)
    session.open("x.log")
    pieces = random.Random(7)  # noqa: S311 - not cryptography
    at = 0
    while at < len(data):
        step = pieces.randint(1, 3000)
        session.feed(data[at:at + step])
        at += step
    session.close()

    assert verdict_of(session.result()) == wanted
    assert verdict_of(diagnose(database, gzip.compress(data))) == wanted
    if b"\r" not in data:
        assert verdict_of(diagnose(database, data.replace(b"\n", b"\r\n"))) == wanted
    coloured = b"\n".join(b"\x1b[36m" + row + b"\x1b[0m" if row.strip() else row for row in data.split(b"\n"))
    assert verdict_of(diagnose(database, coloured)) == wanted


def test_a_repeat_counts_where_its_context_holds() -> None:
    """The first copy of a line has nothing near it, the second has: the second is the fault."""
    from firstfault.database import make
    from firstfault.patterns import compile_template

    def signal(name: str, role: str, text: str, **more: object) -> dict[str, object]:
        template = compile_template(text)
        return {"entry": "shm-full", "id": name, "role": role, "regex": [template.regex], "literals": [list(template.literals)], "anchored": [False], **more}

    entry = {"title": "No shared memory", "kind": "failure", "family": "data-loading", "layer": "process"}
    signals = [signal("full", "root", "No space left on device", needs={"any": ["shm-full/semaphore"], "within": 3}), signal("semaphore", "clue", "in SemLock.__init__")]
    small = Database(make({"shm-full": entry}, signals, []))
    log = "warning: No space left on device\n" + PROGRESS * 3 + "in SemLock.__init__\nerror: No space left on device\n"
    result = diagnose(small, log)

    assert (result["root"]["entry"], result["root"]["evidence"][0]["line"]) == ("shm-full", 18)
