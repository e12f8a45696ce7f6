# SPDX-License-Identifier: MIT
"""Runs of many ranks, made up from the lines that the software prints: one runs out of memory, the others time out."""
from __future__ import annotations

OOM = "[rank{rank}]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 336.00 MiB. GPU 0 has a total capacity of 79.15 GiB\n"
TIMEOUT = (
    "[rank{rank}]:[E1130 12:10:{second:02d}.103000000 ProcessGroupNCCL.cpp:632] [Rank {rank}] Watchdog caught collective operation timeout: "
    "WorkNCCL(SeqNum=8, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 6000{second:02d} milliseconds before timing out.\n"
)


def steps(rank: int, count: int) -> str:
    """A healthy beginning."""
    return "".join(f"[rank{rank}]: 2026-11-30 12:0{step % 10}:00 step {step} loss {4 - step / 90:.3f} run in /home/marguerite/run\n" for step in range(1, count + 1))


def end(rank: int, culprit: int) -> str:
    """The last line of a rank."""
    return OOM.format(rank=rank) if rank == culprit else TIMEOUT.format(rank=rank, second=rank * 7 % 60)


def folder(ranks: int, culprit: int) -> list[tuple[str, bytes]]:
    """One file per rank; the culprit came one step less far."""
    return [(f"run/rank{rank}.log", (steps(rank, 9 if rank == culprit else 10) + end(rank, culprit)).encode()) for rank in range(ranks)]


def one_log(ranks: int, culprit: int) -> str:
    """All ranks in one log."""
    others = [rank for rank in range(ranks) if rank != culprit]
    return "".join(steps(rank, 1) for rank in range(ranks)) + end(culprit, culprit) + "".join(end(rank, culprit) for rank in others)
