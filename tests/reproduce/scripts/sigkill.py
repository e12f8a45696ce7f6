# SPDX-License-Identifier: MIT
"""Rank 1 is killed by SIGKILL in the middle of training, as the kernel's OOM killer does it."""
import os
import signal

from loop import start, step

rank = start()
for index in range(20):
    step(index)
    if rank == 1 and index == 3:
        os.kill(os.getpid(), signal.SIGKILL)
