# SPDX-License-Identifier: MIT
"""As skipped_collective.py; each rank writes its flight recorder to fr/rank_N.json when its collective fails."""
import sys
import time
from pathlib import Path

import torch.distributed as dist
from torch._C._distributed_c10d import _dump_fr_trace_json

from loop import start, step

rank = start(timeout=8)
try:
    for index in range(6):
        if rank == 2 and index == 3:
            time.sleep(12)
            Path(f"fr/rank_{rank}.json").write_bytes(_dump_fr_trace_json())
            sys.exit(1)
        step(index)
except RuntimeError as error:
    Path(f"fr/rank_{rank}.json").write_bytes(_dump_fr_trace_json())
    print(f"rank {dist.get_rank()}: {error}", flush=True)
    time.sleep(6)
    raise
