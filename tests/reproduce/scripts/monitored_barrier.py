# SPDX-License-Identifier: MIT
"""Rank 2 takes a branch without the barrier: monitored_barrier on rank 0 names it."""
import time
from datetime import timedelta

import torch.distributed as dist

from loop import start, step

rank = start(timeout=60)
for index in range(3):
    step(index)
if rank == 2:
    time.sleep(30)
dist.monitored_barrier(timeout=timedelta(seconds=5))
