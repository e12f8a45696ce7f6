# SPDX-License-Identifier: MIT
"""Rank 1 draws a sample with a token id that the embedding has no row for."""
import torch

from loop import start, step

rank = start()
embedding = torch.nn.Embedding(32000, 16)
for index in range(4):
    step(index)
    ids = torch.randint(0, 32000, (2, 8))
    if rank == 1 and index == 2:
        ids[1, 7] = 32000
    embedding(ids)
