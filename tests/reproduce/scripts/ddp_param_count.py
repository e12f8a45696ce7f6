# SPDX-License-Identifier: MIT
"""Rank 1 builds a model with one layer more: DDP compares the number of parameters when it wraps the model."""
import torch
from torch.nn.parallel import DistributedDataParallel

from loop import start

rank = start()
DistributedDataParallel(torch.nn.Sequential(*(torch.nn.Linear(8, 8) for _ in range(4 if rank == 1 else 3))))
