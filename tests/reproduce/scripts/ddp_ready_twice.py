# SPDX-License-Identifier: MIT
"""Reentrant checkpointing of a layer that is used twice under DDP: its gradient is ready twice in one backward."""
import torch
from torch.nn.parallel import DistributedDataParallel
from torch.utils.checkpoint import checkpoint

from loop import start


class Shared(torch.nn.Module):
    """One layer, used twice, each use checkpointed."""

    def __init__(self) -> None:
        super().__init__()
        self.inp = torch.nn.Linear(8, 8)
        self.layer = torch.nn.Linear(8, 8)

    def forward(self, batch: torch.Tensor) -> torch.Tensor:
        hidden = self.inp(batch)
        hidden = checkpoint(self.layer, hidden, use_reentrant=True)
        return checkpoint(self.layer, hidden, use_reentrant=True)


start()
model = DistributedDataParallel(Shared(), find_unused_parameters=True)
for index in range(3):
    model(torch.randn(4, 8)).sum().backward()
    print(f"iteration {index} done", flush=True)
