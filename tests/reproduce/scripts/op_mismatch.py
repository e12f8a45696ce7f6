# SPDX-License-Identifier: MIT
"""Rank 1 calls broadcast where the others call all_reduce."""
import torch
import torch.distributed as dist

from loop import start, step

rank = start(timeout=10)
for index in range(6):
    if rank == 1 and index == 3:
        dist.broadcast(torch.ones(1024), src=1)
    else:
        step(index)
