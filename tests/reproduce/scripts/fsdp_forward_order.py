# SPDX-License-Identifier: MIT
"""Ranks take different branches under FSDP1: each gathers another layer first."""
import torch
from torch.distributed.fsdp import FullyShardedDataParallel

from loop import start

rank = start()
device = torch.device("cpu")


class TwoTowers(torch.nn.Module):
    """Two towers; the order of their calls depends on the rank."""

    def __init__(self) -> None:
        super().__init__()
        self.text = FullyShardedDataParallel(torch.nn.Linear(8, 8), device_id=device)
        self.image = FullyShardedDataParallel(torch.nn.Linear(8, 8), device_id=device)

    def forward(self, batch: torch.Tensor) -> torch.Tensor:
        """Run both towers."""
        first, second = (self.text, self.image) if rank == 0 else (self.image, self.text)
        return second(first(batch))


model = FullyShardedDataParallel(TwoTowers(), device_id=device)
model(torch.randn(2, 8)).sum().backward()
