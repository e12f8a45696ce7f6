# SPDX-License-Identifier: MIT
"""World size 4, but only three processes are started by hand: the store waits for the fourth."""
import os
import subprocess
import sys

if "RANK" not in os.environ:
    shared = {**os.environ, "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29611", "WORLD_SIZE": "4"}
    ranks = [subprocess.Popen([sys.executable, __file__], env={**shared, "RANK": str(rank)}) for rank in (0, 1, 3)]
    sys.exit(max(abs(process.wait()) for process in ranks))

from loop import start  # noqa: E402  (the parent needs no torch)

start(timeout=8)
