# SPDX-License-Identifier: MIT
"""The same fault in every dress that a log can wear: each wrapping, cut and splice is a kind of its own."""
import json
from typing import Any

import pytest

from firstfault.database import Database
from firstfault.diagnose import Session

OOM = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.15 GiB of which 1.2 GiB is free."
TRACE = 'Traceback (most recent call last):\n  File "/app/train.py", line 80, in <module>\n    main()\n'
WATCHDOG = (
    "[rank2]:[E321 02:07:08.408123456 ProcessGroupNCCL.cpp:607] [Rank 2] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=7, "
    "OpType=ALLREDUCE, NumelIn=5164000, NumelOut=5164000, Timeout(ms)=600000) ran for 600037 milliseconds before timing out."
)
XID = "NVRM: Xid (PCI:0000:5e:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus."
HEALTHY = "".join(f"step {number} loss 2.{number}\n" for number in range(5))


def diagnose(database: Database, log: str) -> dict[str, Any]:
    session = Session(database)
    session.open("run.log")
    session.feed(log.encode())
    session.close()
    return session.result()


def wrap(text: str, width: int) -> str:
    return "\n".join(text[start:start + width] for start in range(0, len(text), width))


def record(text: str, whole: bool = True, **facts: object) -> str:
    return json.dumps({"log": text + "\n" * whole, "stream": "stderr", "time": "2026-03-01T10:00:00.1Z", **facts}, separators=(",", ":")) + "\n"


def cri(tag: str, text: str) -> str:
    return f"2026-03-01T10:00:00.123Z stderr {tag} {text}\n"


#: name: (log, entry, rank, what the decisive line begins with)
KINDS: dict[str, tuple[str, str | None, int | None, str]] = {
    "container runtime, line in pieces": (HEALTHY + cri("P", "[rank3]: " + OOM[:40]) + cri("P", OOM[40:70]) + cri("F", OOM[70:]), "cuda-out-of-memory", 3, "2026-03-01T10:00:00.123Z stderr P [rank3]: torch.OutOfMemoryError"),
    "container runtime, pieces of two streams": (cri("P", "[rank3]: " + OOM[:40]) + cri("F", OOM[40:]).replace("stderr", "stdout") + cri("F", OOM[40:]), "cuda-out-of-memory", 3, "2026-03-01T10:00:00.123Z stderr P"),
    "Docker, line in pieces": (record("step 1 loss 2") + record("[rank3]: " + OOM[:40], whole=False) + record(OOM[40:]), "cuda-out-of-memory", 3, '{"log":"[rank3]: torch.OutOfMemoryError'),
    "collector's record with a whole traceback": (json.dumps({"textPayload": TRACE + OOM, "severity": "ERROR", "timestamp": "2026-01-02T03:04:05Z"}) + "\n", "cuda-out-of-memory", 0, '{"textPayload"'),
    "collector's record inside jsonPayload": (json.dumps({"jsonPayload": {"message": OOM, "rank": 5}, "timestamp": "2026-01-02T03:04:05Z"}) + "\n", "cuda-out-of-memory", 5, '{"jsonPayload"'),
    "structured logger with rank and exception": ('{"step":1,"loss":2.5}\n' + json.dumps({"ts": "2026-01-02T03:04:05Z", "level": "error", "msg": "step failed", "rank": 3, "exc_info": TRACE + OOM}) + "\n", "cuda-out-of-memory", 3, '{"ts"'),
    "kernel ring buffer as records": ("6,1234,98765432,-;usb 1-1: new device\n4,1235,98765999,-;" + XID + "\n", "xid-79-gpu-fell-off-bus", None, "4,1235"),
    "kernel lines of Talos": ("10.0.0.3: kern: warning: [2025-11-02T10:11:12.123456789Z]: " + XID + "\n", "xid-79-gpu-fell-off-bus", None, "10.0.0.3"),
    "kernel lines with localised dates": ("[Mo Mär  2 10:00:00 2026] " + XID + "\n", "xid-79-gpu-fell-off-bus", None, "[Mo"),
    "system log with a full date": ("2026-01-02T03:04:05.123456+00:00 node-3 kernel: [123.456789] " + XID + "\n", "xid-79-gpu-fell-off-bus", None, "2026-01-02"),
    "colours whose escape became a caret": ("^[[31m[rank1]: " + OOM + "^[[0m\n", "cuda-out-of-memory", 1, "[rank1]"),
    "tabs as #011": (TRACE.replace("  ", "#011") + "ValueError: the batch\n#011is empty\n", None, None, "ValueError: the batch"),
    **{f"terminal of {width} columns": (HEALTHY + wrap(WATCHDOG, width) + "\n", "nccl-watchdog-timeout", 2, "[rank2]") for width in (60, 80, 100, 120, 132)},
    "terminal that wraps between words": (HEALTHY + "[rank3]: torch.OutOfMemoryError: CUDA out\nof memory. Tried to allocate\n2.00 GiB.\n", "cuda-out-of-memory", 3, "[rank3]"),
    "two ranks in one line": ("RuntimeError: RuntimeErrorExpected to mark a variable ready only once.: Expected to mark a variable ready only once. This error is caused by one of the following reasons\n", "ddp-parameter-marked-ready-twice", None, "RuntimeError"),
    "SageMaker": ("[1,mpirank:3,algo-2]<stderr>:" + OOM + "\n", "cuda-out-of-memory", 3, "[1,mpirank"),
    "MPICH with -prepend-rank": ("[2] step 1\n[3] step 1\n[3] " + OOM + "\n", "cuda-out-of-memory", 3, "[3]"),
    "Compose around torchrun": ("trainer-1  | [rank1]: " + OOM + "\n", "cuda-out-of-memory", 1, "trainer-1"),
    "a CI's time stamps": ("2026-01-02T03:04:05.1234567Z [rank3]: " + OOM + "\n", "cuda-out-of-memory", 3, "2026"),
    "Xid 45 before the Xid that brought it": ("[100.000001] NVRM: Xid (PCI:0000:5e:00): 45, pid=1234, name=python, Ch 00000008\n[100.100001] NVRM: Xid (PCI:0000:5e:00): 74, pid=1234, name=python, NVLink: fatal error detected on link 3(0x10000, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0)\n", "xid-74-nvlink-error", None, "[100.100001]"),
    "off the bus without an Xid": ("[  112.000000] NVRM: GPU at PCI:0000:5e:00: GPU-7c5b1\n[  112.000000] NVRM: GPU Board Serial Number: 1\n[  112.100000] NVRM: GPU 0000:5e:00.0: GPU has fallen off the bus.\n", "xid-79-gpu-fell-off-bus", None, "[  112.100000]"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_kind(database: Database, kind: str) -> None:
    """The entry, the rank where the log tells it, and the physical line as it stands."""
    log, entry, rank, begins = KINDS[kind]
    root = diagnose(database, log)["root"]

    assert (root["entry"], root["rank"]) == (entry, rank)
    assert root["evidence"][0]["text"].startswith(begins)


def test_lines_of_equal_width_are_not_put_together(database: Database) -> None:
    """Only text that lies across a cut joins lines; a table of numbers and two unrelated lines stay what they are."""
    table = "".join(f"iteration {number:6d} | lm loss 2.345678e+00 | grad norm 1.234 | samples per second 812.1\n" for number in range(40))
    unrelated = "the allocator of this trainer reports that it is nowhere near being out\nof memory budget remains 40 per cent of the limit, going on with step 4\n"

    assert diagnose(database, table + unrelated + table)["verdict"] == "no-failure"


def test_errors_of_a_library_that_no_entry_knows_are_seen(database: Database) -> None:
    """A level in a library's own prefix counts."""
    result = diagnose(database, "[TensorRT-LLM][INFO] Engine loaded\n[TensorRT-LLM][ERROR] Cannot deserialize the engine: plugin version 7 expected (/src/runtime/engine.cpp:112)\n")

    assert result["verdict"] == "unrecognised" and result["root"]["evidence"][0]["line"] == 2


NCCL = "RuntimeError: NCCL error in: ../torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:1275, unhandled cuda error, NCCL version 2.14.3\n"


def test_a_wrapper_in_the_tracebacks_of_two_processes_stays_one(database: Database) -> None:
    """The second process's traceback says the same as the first's, bare: it is named like it, and is no failure that nobody knows."""
    result = diagnose(database, (TRACE + NCCL) * 2)
    assert result["verdict"] == "needs-evidence" and result["root"]["entry"] == "nccl-unhandled-cuda-error" and not result["unexplained"]


def test_another_error_in_a_second_traceback_is_not_taken_for_it(database: Database) -> None:
    """Two tracebacks of one stream that say different things are two."""
    result = diagnose(database, TRACE + NCCL + TRACE + "ValueError: the label file is not sorted\n")
    assert "not sorted" in result["root"]["evidence"][0]["text"]


PULL = '  Warning  Failed   2m  kubelet  Failed to pull image "r.io/t:1": rpc error: code = NotFound desc = no such manifest\n'


def test_the_event_that_gives_the_reason_stands_for_the_state_above_it(database: Database) -> None:
    """`kubectl describe` shows the state first and tells why further down; the reason is the evidence."""
    result = diagnose(database, "Status:  Pending\n    State:  Waiting\n      Reason:  ImagePullBackOff\nEvents:\n" + PULL)
    assert "no such manifest" in result["root"]["evidence"][0]["text"]


def test_a_second_reason_does_not_replace_the_first(database: Database) -> None:
    """Where the first line has its reason, it stays."""
    result = diagnose(database, PULL + PULL.replace("no such manifest", "i/o timeout"))
    assert "no such manifest" in result["root"]["evidence"][0]["text"]
