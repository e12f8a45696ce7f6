# SPDX-License-Identifier: MIT
"""A branch of the model takes no part in the loss: DDP's second iteration refuses to start."""
import torch
from torch.nn.parallel import DistributedDataParallel

from loop import start


class TwoHeads(torch.nn.Module):
    """A model of which one head stays out of the loss."""

    def __init__(self) -> None:
        super().__init__()
        self.body = torch.nn.Linear(8, 8)
        self.head_a = torch.nn.Linear(8, 2)
        self.head_b = torch.nn.Linear(8, 2)

    def forward(self, batch: torch.Tensor) -> torch.Tensor:
        return self.head_a(self.body(batch))


start()
model = DistributedDataParallel(TwoHeads())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for index in range(3):
    optimizer.zero_grad()
    model(torch.randn(4, 8)).sum().backward()
    optimizer.step()
    print(f"iteration {index} done", flush=True)
