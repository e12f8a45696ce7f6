# SPDX-License-Identifier: MIT
"""A DataLoader worker of rank 1 hangs in one sample, as on a file system that does not answer."""
import time

import torch
from torch.utils.data import DataLoader, Dataset

from loop import start, step


class Samples(Dataset):
    """Samples of which one is never read."""

    def __init__(self, stuck: int) -> None:
        self.stuck = stuck

    def __len__(self) -> int:
        return 64

    def __getitem__(self, index: int) -> torch.Tensor:
        if index == self.stuck:
            time.sleep(3600)
        return torch.ones(8)


if __name__ == "__main__":
    rank = start(60.0)
    for number, _batch in enumerate(DataLoader(Samples(21 if rank == 1 else -1), batch_size=4, num_workers=2, timeout=5)):
        step(number)
