# SPDX-License-Identifier: MIT
"""Rank 1 reads address zero in native code in the middle of training."""
import ctypes

from loop import start, step

rank = start()
for index in range(20):
    step(index)
    if rank == 1 and index == 3:
        ctypes.string_at(0)
