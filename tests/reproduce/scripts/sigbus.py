# SPDX-License-Identifier: MIT
"""Rank 1 dies by SIGBUS in the middle of training, as from a page of /dev/shm that cannot be backed."""
import os
import signal

from loop import start, step

rank = start()
for index in range(20):
    step(index)
    if rank == 1 and index == 3:
        os.kill(os.getpid(), signal.SIGBUS)
