# SPDX-License-Identifier: MIT
"""Rank 2 leaves with sys.exit(1) and no traceback, as a script does that checks its own arguments."""
import sys

from loop import start, step

rank = start()
for index in range(20):
    step(index)
    if rank == 2 and index == 3:
        sys.exit(1)
