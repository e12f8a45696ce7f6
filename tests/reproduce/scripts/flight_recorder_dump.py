# SPDX-License-Identifier: MIT
"""Rank 1 strays, and each rank leaves a pickled flight-recorder dump as the watchdog of NCCL does: TORCH_FR_DUMP_TEMP_FILE plus the rank.

skip: rank 1 leaves out the all_reduce of one step and so finishes one collective early.  op: it broadcasts where the
others reduce.  wait: it is busy elsewhere.
"""
import os
import sys
import time
from pathlib import Path

import torch
import torch.distributed as dist
from torch._C._distributed_c10d import _dump_fr_trace

from loop import start, step

STRAY, AT = 1, 3


def dump() -> None:
    """Write what this rank's recorder holds."""
    Path(f"{os.environ['TORCH_FR_DUMP_TEMP_FILE']}{rank}").write_bytes(_dump_fr_trace())


def stray(fault: str) -> None:
    """What the straying rank does instead of its step."""
    if fault == "op":
        dist.broadcast(torch.randn(1024), 0)
    elif fault == "wait":
        time.sleep(12)
        dump()
        sys.exit(1)


rank = start(timeout=8)
try:
    for index in range(6):
        if rank == STRAY and index == AT:
            stray(sys.argv[1])
        else:
            step(index)
    dump()
    time.sleep(10)
except RuntimeError:
    dump()
    time.sleep(4)
    raise
