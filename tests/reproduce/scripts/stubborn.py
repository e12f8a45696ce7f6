# SPDX-License-Identifier: MIT
"""Rank 0 ignores SIGTERM while its siblings fail: the agent kills it after its grace time."""
import signal
import time

from loop import start, step

rank = start()
for index in range(3):
    step(index)
if rank == 1:
    raise RuntimeError("optimizer state of rank 1 is not finite")
signal.signal(signal.SIGTERM, signal.SIG_IGN)
time.sleep(60)
