# SPDX-License-Identifier: MIT
"""Rank 1 calls abort() in native code, as a failed C++ or glibc check does."""
import ctypes

from loop import start, step

rank = start()
for index in range(20):
    step(index)
    if rank == 1 and index == 3:
        ctypes.CDLL(None).abort()
