# SPDX-License-Identifier: MIT
"""Rank 2 does not call new_group: the others wait for it in the store."""
import time

import torch.distributed as dist

from loop import start

rank = start(timeout=8)
if rank == 2:
    time.sleep(25)
else:
    dist.new_group([0, 1, 3])
