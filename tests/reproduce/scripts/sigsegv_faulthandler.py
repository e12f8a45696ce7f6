# SPDX-License-Identifier: MIT
"""Rank 1 reads address zero in native code; the fault handler prints the Python stack at that moment."""
import ctypes
import faulthandler

from loop import start, step

faulthandler.enable()
rank = start()
for index in range(20):
    step(index)
    if rank == 1 and index == 3:
        ctypes.string_at(0)
