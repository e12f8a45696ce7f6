# SPDX-License-Identifier: MIT
"""Rank 1 calls all_reduce with a tensor of another size, as with an uneven last batch."""
from loop import start, step

rank = start()
for index in range(20):
    step(index, size=2048 if rank == 1 and index == 3 else 1024)
