# SPDX-License-Identifier: MIT
"""Rank 0 starts an asynchronous send and leaves before it is done; rank 1 still receives."""
import os

import torch
import torch.distributed as dist

from loop import start, step

rank = start()
step(0)
data = torch.zeros(50_000_000)
if rank == 0:
    dist.isend(data, dst=1)
    print("rank 0 finished", flush=True)
    os._exit(0)
dist.recv(data, src=0)
