# SPDX-License-Identifier: MIT
"""Rank 1 is ended by SIGILL in the middle of training, as from an instruction that its CPU lacks."""
import os
import signal

from loop import start, step

rank = start()
for index in range(20):
    step(index)
    if rank == 1 and index == 3:
        os.kill(os.getpid(), signal.SIGILL)
