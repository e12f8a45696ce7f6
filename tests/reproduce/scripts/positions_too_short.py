# SPDX-License-Identifier: MIT
"""Rank 1 draws a sample that is longer than the table of positions; the addition does not broadcast."""
import torch

from loop import start, step

rank = start()
positions = torch.nn.Parameter(torch.zeros(512, 16))
for index in range(4):
    step(index)
    length = 640 if rank == 1 and index == 2 else 512
    torch.randn(2, length, 16) + positions
