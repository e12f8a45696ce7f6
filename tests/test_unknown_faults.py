# SPDX-License-Identifier: MIT
"""Failures that no entry knows: who wrote a line, and what a line says of itself, still leads to the right one."""
from __future__ import annotations

from typing import Any

import pytest

from firstfault.database import Database, make
from tests.judging import decisive, diagnose_files
from tests.judging import diagnose as unnamed

TRACE = 'Traceback (most recent call last):\n  File "/app/train.py", line 80, in <module>\n    main()\n'
STEPS = "".join(f"step {number} loss 2.{number}\n" for number in range(5))
PEER = "RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:553] Connection closed by peer [10.0.0.2]:4112\n"
WAITED = "torch.distributed.DistStoreError: Timed out after 1201 seconds waiting for clients. 1/2 clients joined.\n"
NO_GPU = "RuntimeError: No CUDA GPUs are available\n"


@pytest.fixture(scope="module")
def nothing() -> Database:
    """A database without entries: every failure is one that no entry knows."""
    return Database(make({}, [], []))


def diagnose(database: Database, *logs: str, names: tuple[str, ...] = ()) -> dict[str, Any]:
    return diagnose_files(database, dict(zip(names, logs, strict=True))) if names else unnamed(database, *logs)


BELOW = {
    "driver": ("[  21.091872] NVRM: GPU 0000:01:00.0: zzInitEngine failed! (0x22:0x56:894)\n", "zzInitEngine failed"),
    "driver, in the journal": ("Feb 20 11:18:11 box7 kernel: NVRM: kgspWaitZz: failed to wait for the processor: 0x65\n", "kgspWaitZz"),
    "network card": ("[ 7460.118] boot\n[ 7460.483909] mlx5_core 0000:61:00.0: zz_cmd: ALLOC(0x802) failed, status limits exceeded(0x8)\n", "mlx5_core"),
    "memory unit": ("[ 7460.483909] nvidia 0000:c2:00.0: AMD-Vi: Event logged [ZZ_PAGE_FAULT domain=0x0021 address=0x8000b3a7]\n", "ZZ_PAGE_FAULT"),
    "file system": ("[ 7460.483909] LustreError: 1182:0:(zz.c:1181) zz target is not responding\n", "LustreError"),
    "fabric manager": ("[Oct 31 2023 21:11:20] [INFO] [tid 527118] starting\n[Oct 31 2023 21:11:20] [ERROR] [tid 527118] failed to zz the partition 4285537028137661651.\n", "failed to zz"),
    "fabric manager, in the journal": ("Sep 08 23:25:01 hgx-11 nv-fabricmanager[2001]: the number of zz don't match with any supported topology\n", "the number of zz"),
    "fabric manager, older": ("[Sep 08 2025 23:21:50] [ERROR] detected zz of NVSwitches don't match with any supported topology\n", "detected zz"),
    "management library": ("$ nvidia-smi\nNVIDIA-SMI has failed because zz is not loaded\n", "NVIDIA-SMI has failed"),
    "container runtime": ("nvidia-container-cli: zz error: unsatisfied condition: zz>=12.8, please update your driver: unknown\n", "nvidia-container-cli"),
}


@pytest.mark.parametrize("kind", BELOW)
@pytest.mark.parametrize("placed", ["before", "after", "other file"])
def test_what_lies_below_the_program_explains_it(database: Database, kind: str, placed: str) -> None:
    """A line of no entry, written by a driver, the kernel or the runtime, stands for the failure of the program above it."""
    below, text = BELOW[kind]
    above = STEPS + TRACE + NO_GPU
    logs = {"before": [STEPS + below + TRACE + NO_GPU], "after": [above + below], "other file": [above, below]}[placed]

    result = diagnose(database, *logs)

    assert text in decisive(result)


@pytest.mark.parametrize("line", [
    "[ 7460.483909] nvidia: module verification failed: signature and/or required key missing - tainting kernel",
    "[ 7460.483909] pcieport 0000:00:03.0: AER: Corrected error received: 0000:00:03.0",
    "[ 7460.483909] pcieport 0000:00:03.0:    [12] Timeout",
    "[ 7460.483909] EDAC MC1: 1 CE memory read error on CPU_SrcID#0_MC#1",
    "[ 7460.483909] usb 1-1: device descriptor read/64, error -71",
    "[Oct 31 2023 21:11:20] [INFO] [tid 527118] Received an error code of 0, no fault",
])
def test_what_a_kernel_says_and_goes_on_explains_nothing(database: Database, line: str) -> None:
    result = diagnose(database, STEPS + line + "\n" + TRACE + NO_GPU)

    assert result["root"]["entry"] == "no-cuda-gpus-available"


def test_a_known_line_of_the_driver_speaks_for_the_unknown_ones_around_it(database: Database) -> None:
    """The unknown line stands first, but what is known of the driver's lines a second later says more."""
    result = diagnose(database, (
        "Jun 23 07:04:52 b2 kernel: NVRM: GPU1 zzCacheInfo: Unable to read the totals\n"
        "Jun 23 07:04:53 b2 kernel: NVRM: Xid (PCI:0000:5e:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.\n"
    ))

    assert result["root"]["entry"] == "xid-79-gpu-fell-off-bus"


def test_a_driver_line_well_after_the_failure_is_not_its_cause(database: Database) -> None:
    """With times of their own the order counts: ten minutes later the driver complains of what is left of the run."""
    failed = "2026-06-23 07:04:54 torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n"
    late = "Jun 23 07:14:52 b2 kernel: NVRM: GPU1 zzFree: Unable to release the channel\n"

    assert diagnose(database, failed, late)["root"]["entry"] == "cuda-out-of-memory"


POD = "Name:   sft-worker-0\nStatus:   Pending\nEvents:\n  Type     Reason   Age   From   Message\n  Normal   Scheduled   24m   default-scheduler  Successfully assigned\n"
AWAY = {
    "describe": POD + "  Warning  FailedZzSandBox  4m43s (x93 over 24m)  kubelet   Failed to zz the sandbox\n",
    "events": "LAST SEEN   TYPE      REASON   OBJECT   MESSAGE\n4m31s       Warning   PreemptZz       node/gke-tpu-9f2c-x7        Node is scheduled to be zzed\n",
    "status": "Name:   sft-worker-0\nStatus:   Failed\nReason:         Evicted\nMessage:        Usage of zz exceeds the limit\n",
    "preempted": "LAST SEEN   TYPE      REASON   OBJECT   MESSAGE\n3m2s        Normal    Preempted          pod/train-worker-3    Zzed by pod 0f1c2a7e on node gpu-n4\n",
    "node": "srun: error: Node failure on gpu-b17\n",
}


@pytest.mark.parametrize("kind", AWAY)
def test_what_the_cluster_took_away_explains_those_who_waited(database: Database, kind: str) -> None:
    result = diagnose(database, STEPS + TRACE + WAITED, AWAY[kind], names=("master.log", "cluster.txt"))

    assert (result["root"]["layer"], decisive(result)) in [("scheduler", AWAY[kind].splitlines()[-1]), ("hardware", AWAY[kind].splitlines()[-1])]


@pytest.mark.parametrize("line", [
    "  Warning  Unhealthy  3m (x54 over 12m)   kubelet   Readiness probe failed: connection refused",
    "  Normal   FailedZz  3m   kubelet   nothing to see",
])
def test_events_that_take_nothing_away_explain_nobody(database: Database, line: str) -> None:
    result = diagnose(database, STEPS + TRACE + WAITED, POD + line + "\n")

    assert result["root"]["entry"] == "tcpstore-connection-refused-or-timeout"


FRAME = "-" * 74 + "\n{}\nwhich was asked for by the application.\n" + "-" * 74 + "\n"


def test_a_launcher_that_refuses_says_so_in_a_frame(nothing: Database) -> None:
    result = diagnose(nothing, "$ mpirun -np 6 python train.py\n" + FRAME.format("There are not enough zz available in the system"))

    assert (result["verdict"], decisive(result)) == ("unrecognised", "There are not enough zz available in the system")


def test_a_daemon_that_is_lost_is_framed_too(nothing: Database) -> None:
    assert decisive(diagnose(nothing, STEPS + FRAME.format("ZZRTE has lost communication with a remote daemon."))).startswith("ZZRTE has lost")


@pytest.mark.parametrize("text", ["WARNING: There was an error initializing a zz device.", "Model summary: 12 layers, no dropout", "configuration of this run"])
def test_a_frame_that_warns_or_lists_is_no_failure(nothing: Database, text: str) -> None:
    """A warning of a launcher, and a table between two lines of dashes, with the run after it."""
    assert diagnose(nothing, FRAME.format(text) + STEPS)["verdict"] == "no-failure"


LOST_PEER = "[rank{rank}]: Traceback (most recent call last):\n[rank{rank}]:   File \"/app/train.py\", line 80, in <module>\n[rank{rank}]:     main()\n[rank{rank}]: " + PEER
DIED = {
    "spawn": ("torch.multiprocessing.spawn.ProcessExitedException: process 1 terminated with signal SIGKILL", 1),
    "mpirun": ("mpirun noticed that process rank 1 with PID 0 on node n0 exited on signal 11 (Segmentation fault).", 1),
    "server": ("ERROR shard-manager: zz: Shard process was signaled to shutdown with signal 4 rank=1", 1),
    "engine": ("ERROR 11-08 11:01:29 [zz_executor.py:135] Worker proc ZzWorker-1 died unexpectedly, shutting down executor.", 1),
}


@pytest.mark.parametrize("kind", DIED)
def test_a_process_that_a_signal_ended_explains_who_lost_it(database: Database, kind: str) -> None:
    """Whatever launcher tells of the death, in whatever words: the peers that spoke before it are its victims."""
    text, rank = DIED[kind]
    result = diagnose(database, STEPS + LOST_PEER.format(rank=0) + "\n" + text + "\n")

    assert (decisive(result), result["root"]["rank"]) == (text, rank)


def test_a_process_that_was_told_to_stop_is_no_first_fault(database: Database) -> None:
    """SIGTERM comes from somebody, and stops those that a failure left over."""
    result = diagnose(database, STEPS + TRACE + "ValueError: zz\nzz noticed that process rank 1 with PID 0 on node n0 exited on signal 15 (Terminated).\n")

    assert decisive(result) == "ValueError: zz"


def test_an_abort_has_last_words(database: Database) -> None:
    """The launcher's exit code -6 tells less than what the process printed before it aborted."""
    result = diagnose(database, (
        STEPS + "terminate called after throwing an instance of 'zz::EnforceNotMet'\n  what():  [enforce fail at zz.cc:456] op.length <= op.zz. 8 vs 4\n" + LOST_PEER.format(rank=0)
        + "E1130 22:47:07.849000 512 torch/distributed/elastic/multiprocessing/api.py:1002] failed (exitcode: -6) local_rank: 1 (pid: 513) of binary: /opt/venv/bin/python\n"
    ))

    assert "enforce fail" in decisive(result)


def test_what_a_process_says_of_itself_comes_before_what_others_say_of_it(nothing: Database) -> None:
    result = diagnose(nothing, STEPS + LOST_PEER.format(rank=0) + "[rank1]: zz.cc:456 NCCL WARN zz of this rank is not aligned\n")

    assert (result["root"]["rank"], "is not aligned" in decisive(result)) == (1, True)


ACCUSED = (
    "[rank0]:[E1130 19:46:07.315880902 Zz.cpp:67] [Rank 0]: Rank 2 failed to pass zzBarrier in 5000 ms",
    "INTERNAL: zz failed because: Task 2 stopped sending zz to the others",
    "zz: rank 2 did not respond within 30 s",
)


@pytest.mark.parametrize("line", ACCUSED)
def test_an_accused_rank_is_the_one(database: Database, line: str) -> None:
    """Those who waited say less than a line that names the one they waited for."""
    waited = LOST_PEER.format(rank=1).replace("Connection closed by peer [10.0.0.2]:4112", "Timed out waiting 5000ms for recv operation to complete")
    result = diagnose(database, STEPS + waited + line + "\n")

    assert (decisive(result), result["root"]["rank"]) == (line, 2)


@pytest.mark.parametrize("line", ["rank 2 did not need to shuffle its shard", "[Rank 0] rank 2 has joined"])
def test_a_rank_that_is_only_named_is_not_accused(nothing: Database, line: str) -> None:
    assert diagnose(nothing, STEPS + line + "\n" + STEPS)["verdict"] == "no-failure"


def test_all_but_one_waited_in_words_of_no_entry(nothing: Database) -> None:
    """Three of four ranks print a time-out that no entry knows: the silent one is to be looked at."""
    waited = "".join(f"[rank{rank}]: ZzError: timed out after 600 s in zz_reduce\n" for rank in (0, 1, 3))
    result = diagnose(nothing, "world_size=4\n" + "".join(f"[rank{rank}]: step 1 loss 2.0\n" for rank in range(4)) + waited)

    assert result["root"]["rank"] == 2


CAUGHT = """RuntimeError: Caught ZzError in replica 1 on device 1.
Original Traceback (most recent call last):
  File "/app/zz.py", line 64, in _worker
    output = module(*input, **kwargs)
ZzError: position 514 is beyond the table
"""


def test_the_caught_exception_stands_below_its_heading(nothing: Database) -> None:
    assert decisive(diagnose(nothing, STEPS + TRACE + CAUGHT)) == "ZzError: position 514 is beyond the table"


def test_a_pipe_that_broke_is_not_the_head_of_a_chain(nothing: Database) -> None:
    """The parent's connection is reset first; the exception that names the dead child follows while that is handled."""
    result = diagnose(nothing, STEPS + TRACE + (
        "ConnectionResetError: [Errno 104] Connection reset by peer\n\nDuring handling of the above exception, another exception occurred:\n\n" + TRACE
        + "RuntimeError: ZzLoader worker (pid 29) is killed by signal: Segmentation fault.\n"
    ))

    assert "is killed by signal" in decisive(result)


LAST_ERROR = """[rank1]: torch.distributed.DistBackendError: NCCL error in: zz.cpp:317, invalid usage (run with NCCL_DEBUG=WARN for details), NCCL version 2.21.5
[rank1]: ncclInvalidUsage: This usually reflects invalid usage of NCCL library.
[rank1]: Last error:
[rank1]: Zz detected : rank 3 and rank 1 both on zz device 3000
"""


@pytest.mark.parametrize("log", [
    STEPS + "".join(f"[rank1]: {line}\n" for line in TRACE.splitlines()) + LAST_ERROR,
    STEPS + LAST_ERROR.replace("[rank1]: torch.distributed.DistBackendError: ", "terminate called after throwing an instance of 'zz'\n  what():  ").replace("[rank1]: ", ""),
], ids=["traceback", "abort"])
def test_nccl_repeats_what_it_warned_of_as_its_last_error(database: Database, log: str) -> None:
    """The kind of error above is a wrapper; without NCCL's own warnings in the log, the text below says what happened."""
    assert "both on zz device" in decisive(diagnose(database, log))


def test_a_warning_of_an_older_nccl_has_no_name_before_it(database: Database) -> None:
    result = diagnose(database, "n1:18553:18612 [0] include/socket.h:360 WARN zz to connect failed : zz\nn1:18553:18612 [0] include/socket.h:371 WARN Connection closed by remote peer\n")

    assert "zz to connect failed" in decisive(result)


UCX = "[1705555968.594329] [c204-009:189455:0]     zz_context.c:1345 UCX  ERROR no usable zz (asked knem,dc_x,rc on all devices)\n"


def test_an_error_of_ucx_stands_before_what_mpi_makes_of_it(database: Database) -> None:
    made = "Abort(1008326287): Fatal error in internal_Init_thread: Other MPI error, error stack:\nMPIDI_UCX_init_local(219):  zz returned with failed status(No such device)\n"
    result = diagnose(database, UCX + made)

    assert decisive(result) == UCX.strip()


def test_an_info_line_of_ucx_is_no_error(nothing: Database) -> None:
    assert diagnose(nothing, UCX.replace("ERROR no", "INFO  no") + STEPS)["verdict"] == "no-failure"


@pytest.mark.parametrize("log", [
    "$ kubectl logs zz\n" + TRACE + "ValueError: zz\n",
    "[  21.091872] NVRM: GPU 0000:01:00.0: zzInitEngine failed! (0x22:0x56:894)\n",
    UCX,
])
def test_a_log_without_ranks_has_no_rank(nothing: Database, log: str) -> None:
    assert diagnose(nothing, log)["root"]["rank"] is None


@pytest.mark.parametrize("log", [
    TRACE + "ValueError: zz\nsrun: error: node001: task 0: Exited with exit code 1\n",
    "world_size=1\n" + TRACE + "ValueError: zz\n",
    "[rank-0]: step 1 loss 2.0\n" + TRACE + "ValueError: zz\n",
])
def test_a_log_of_ranks_whose_failure_names_none_is_of_the_first(nothing: Database, log: str) -> None:
    root = diagnose(nothing, log)["root"]

    assert (root["rank"], root["rank_assumed"]) == (0, True)


def test_a_report_of_an_abort_is_explained_by_what_stands_above_it(database: Database) -> None:
    """The interpreter's own report of an abort is a wrapper, whatever the library said before."""
    result = diagnose(database, STEPS + ":0:zzdevice.cpp :2984: 1234 us: Callback: Queue 0x7f78cb400000 aborting with error : HSA_STATUS_ERROR_ZZ\nFatal Python error: Aborted\n")

    assert "HSA_STATUS_ERROR_ZZ" in decisive(result)


SLURM = "slurmstepd: error:  mpi/pmix_v5: zz_send: cx0094 [4]: send failed, rc=1001\n"


def test_an_error_of_the_step_daemon_stands_before_what_follows_from_it(database: Database) -> None:
    frame = FRAME.format("It looks like MPI_INIT failed for some zz reason; your parallel process is")

    assert decisive(diagnose(database, SLURM + frame + "srun: error: Timed out waiting for job step to complete\n")) == SLURM.strip()


@pytest.mark.parametrize("line", ["slurmstepd: error: *** STEP 3.0 ON gpu-a CANCELLED AT 2026-12-01T01:56:57 ***", "srun: error: gpu-a: task 0: Terminated"])
def test_what_the_step_daemon_ends_is_no_cause(nothing: Database, line: str) -> None:
    assert decisive(diagnose(nothing, STEPS + line + "\n" + TRACE + "ValueError: zz\n")) == "ValueError: zz"


def test_a_container_that_does_not_start_shows_its_log(nothing: Database) -> None:
    """pyxis heads what enroot printed; the indented line says why."""
    result = diagnose(nothing, (
        "slurmstepd: error: pyxis: container start failed with error code: 1\nslurmstepd: error: pyxis: printing contents of log file ...\n"
        "slurmstepd: error: pyxis:     enroot-zz: failed to zz: Zz not here\nslurmstepd: error: pyxis: couldn't start container\n"
    ))

    assert "enroot-zz" in decisive(result)


def test_the_hardware_below_a_driver_is_deeper(database: Database) -> None:
    """What the driver makes of it is known, the report of the hardware is not."""
    result = diagnose(database, (
        "[500967.602110] amdgpu 0000:dd:00.0: amdgpu: GPU reset begin!\n[500967.571516] amdgpu 0000:dd:00.0: {1}uncorrectable hardware error(ZZ_INTERRUPT) detected!\n"
    ))

    assert "uncorrectable hardware error" in decisive(result)


def test_the_head_of_a_chain_explains_the_known_end_of_it(database: Database) -> None:
    """What is known can follow from many causes; the exception that the chain begins with is this one's."""
    end = "huggingface_hub.errors.LocalEntryNotFoundError: An error happened while trying to locate the file on the Hub and we cannot find the requested files in the local cache.\n"
    log = STEPS + TRACE + "ssl.ZzVerificationError: zz verify failed: unable to get the issuer\n\nDuring handling of the above exception, another exception occurred:\n\n" + TRACE + end

    assert decisive(diagnose(database, log)).startswith("ssl.ZzVerificationError")


def test_an_exception_accuses_a_rank_too(nothing: Database) -> None:
    """Rank 0 raises, and says whom it waited for; rank 1 only sends the reader to rank 0."""
    raised = "".join(f"[rank0]: {line}\n" for line in (TRACE + "RuntimeError: [Rank 0]: Rank 2 failed to pass zzBarrier in 6000 ms").splitlines())
    sent = "".join(f"[rank1]: {line}\n" for line in (TRACE + "RuntimeError: Rank 1 reached zzBarrier. Please check rank 0 logs for faulty rank.").splitlines())

    assert diagnose(nothing, STEPS + sent + raised)["root"]["rank"] == 2


def test_a_wording_that_lacks_what_must_stand_beside_it_is_still_an_error(database: Database) -> None:
    """An entry takes this line only beside lines of its own; alone it is a fault that no entry knows."""
    result = diagnose(database, STEPS + "Failed to initialize NVML: Zz Error\n" + TRACE + NO_GPU)

    assert (result["verdict"], decisive(result)) == ("unrecognised", "Failed to initialize NVML: Zz Error")


CHILD_CUT = (
    'Traceback (most recent call last):\n  File "/usr/lib/python3.10/multiprocessing/spawn.py", line 126, in _main\n    self = reduction.pickle.load(from_parent)\n'
    "_pickle.UnpicklingError: pickle data was truncated\n"
)


def test_a_child_that_was_being_started_is_not_the_first_fault(nothing: Database) -> None:
    """The parent's end explains the child that reads a cut message from it."""
    assert "terminate called" in decisive(diagnose(nothing, "terminate called after throwing an instance of 'std::system_error'\n  what():  Transport endpoint is not connected\n" + CHILD_CUT))


def test_the_same_exception_over_a_file_is_one(nothing: Database) -> None:
    """Where a file is read, cut pickles are the fault."""
    log = 'Traceback (most recent call last):\n  File "/app/load.py", line 8, in load\n    pickle.load(file)\n_pickle.UnpicklingError: pickle data was truncated\n'
    assert "truncated" in decisive(diagnose(nothing, STEPS + log))


def test_a_fatal_line_comes_before_the_shells_word_on_it(nothing: Database) -> None:
    """A logger's fatal line ends its process, whatever words it has; the shell only reports that."""
    log = "F0823 14:54:47.975309 16507 sync.cc:192] zz misaligned\nAborted (core dumped)\n"
    assert "zz misaligned" in decisive(diagnose(nothing, STEPS + log))
    assert "core dumped" in decisive(diagnose(nothing, STEPS + log.replace("F0823", "I0823")))


def test_open_mpis_own_error_comes_before_the_exit_code(nothing: Database) -> None:
    """`OPAL ERROR` names what Open MPI could not do; a word on its errors in passing does not."""
    end = "srun: error: n1: task 0: Exited with exit code 1\n"
    assert "OPAL ERROR" in decisive(diagnose(nothing, "[n1:2144] OPAL ERROR: Unreachable in file zz.c at line 111\n" + end))
    assert "OPAL" not in decisive(diagnose(nothing, "[n1:2144] no OPAL ERROR seen\n" + end))
