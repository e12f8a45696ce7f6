# SPDX-License-Identifier: MIT
"""Which rank differs, where every rank says what it and a peer ran."""
from __future__ import annotations

import pytest

from firstfault.database import Database
from firstfault.diagnose import Session
from tests.judging import diagnose_files

ONE = "CollectiveFingerPrint(SequenceNumber=27, OpType={op}, TensorShape={shape}, TensorDtypes=Float, TensorDeviceTypes=TensorOptions(dtype=float (default), device=cpu))"
SAID = (
    "Detected mismatch between collectives on ranks. Rank {rank} is running collective: {own}, but Rank {peer} is running collective: {other}."
    "Collectives differ in the following aspects:   Tensor Tensor shapes: 4 3vs 5 3"
)
COMMON, ROWS, CALL = ("ALLGATHER", "[4, 3]"), ("ALLGATHER", "[5, 3]"), ("ALLREDUCE", "[4, 3]")


def logs(ran: dict[int, tuple[str, str]], peers: dict[int, int]) -> dict[str, str]:
    """What each rank prints: its own call, and the one of the peer that it found different."""
    told = {}
    for rank, peer in peers.items():
        own, other = (ONE.format(op=op, shape=shape) for op, shape in (ran[rank], ran[peer]))
        head = f"[rank{rank}]: "
        error = f"RuntimeError: {SAID.format(rank=rank, own=own, peer=peer, other=other)}"
        told[f"r{rank}.log"] = f'{head}Traceback (most recent call last):\n{head}  File "train.py", line 3, in <module>\n{head}    gather(rows)\n{head}{error}\n'
    return told


@pytest.mark.parametrize("odd", [ROWS, CALL])
def test_the_rank_that_the_others_accuse_is_the_odd_one(database: Database, odd: tuple[str, str]) -> None:
    result = diagnose_files(database, logs({0: COMMON, 1: COMMON, 2: odd, 3: COMMON}, {0: 2, 1: 2, 2: 0, 3: 2}))

    assert (result["root"]["rank"], "3 of 4 ranks say that rank 2" in " ".join(result["why"])) == (2, True)


def test_two_ranks_that_differ_accuse_each_other(database: Database) -> None:
    """Of two nobody is the odd one."""
    result = diagnose_files(database, logs({0: COMMON, 1: ROWS}, {0: 1, 1: 0}))

    assert not any("say that rank" in sentence for sentence in result["why"])


BACKWARD = '  File "/venv/torch/autograd/graph.py", line 979, in _engine_run_backward\n    return engine.run_backward(\n'
BARRIER = '  File "/venv/torch/distributed/distributed_c10d.py", line 5356, in barrier\n    work.wait()\n'
WAITED = "RuntimeError: [gloo/transport/tcp/unbound_buffer.cc:78] Timed out waiting 15000ms for recv operation to complete\n"
LOST = "RuntimeError: [gloo/transport/tcp/pair.cc:553] Connection closed by peer [10.12.0.11]:19123\n"


def stands(rank: int, frame: str, error: str) -> str:
    """What a rank prints that stood in a call when it gave up."""
    head = f"[rank{rank}]: "
    return "".join(head + line + "\n" for line in ('Traceback (most recent call last):\n  File "/app/train.py", line 80, in <module>\n' + frame + error).splitlines())


@pytest.mark.parametrize(("last", "odd"), [(WAITED, 1), (LOST, None)])
def test_one_rank_waits_in_a_call_while_the_others_reduce_gradients(database: Database, last: str, odd: int | None) -> None:
    """Gradients are reduced without a frame of their own; a rank that only lost its peer elsewhere is no odd one."""
    session = Session(database)
    for rank, (frame, error) in enumerate([(BACKWARD, LOST), (BARRIER, last), (BACKWARD, LOST), (BACKWARD, WAITED)]):
        session.open(f"r{rank}.log")
        session.feed(stands(rank, frame, error).encode())
        session.close()
    result = session.result()
    derived = any("waits in barrier" in sentence for sentence in result["why"])

    assert (derived, result["root"]["rank"] if derived else None) == (odd is not None, odd)
