# SPDX-License-Identifier: MIT
"""Rank 2 is stuck outside a collective: the others wait in all_reduce until the group's timeout."""
import time

from loop import start, step

rank = start(timeout=8)
for index in range(6):
    if rank == 2 and index == 3:
        time.sleep(40)
    step(index)
