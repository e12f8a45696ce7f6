# SPDX-License-Identifier: MIT
"""The vocabulary was resized on rank 1 only: DDP compares parameter shapes when it wraps the model."""
import torch
from torch.nn.parallel import DistributedDataParallel

from loop import start

rank = start()
DistributedDataParallel(torch.nn.Embedding(32064 if rank == 1 else 32000, 8))
