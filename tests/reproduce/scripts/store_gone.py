# SPDX-License-Identifier: MIT
"""The process that hosts the store (rank 0) is gone; another rank asks the store."""
import os
import subprocess
import sys
import time

if "RANK" not in os.environ:
    shared = {**os.environ, "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29612", "WORLD_SIZE": "2"}
    ranks = [subprocess.Popen([sys.executable, __file__], env={**shared, "RANK": str(rank)}) for rank in (0, 1)]
    sys.exit(max(abs(process.wait()) for process in ranks))

import torch.distributed as dist  # noqa: E402  (the parent needs no torch)

from loop import start  # noqa: E402

rank = start()
if rank == 0:
    os._exit(137)
time.sleep(2)
dist.distributed_c10d._get_default_store().get("never-set")
