# SPDX-License-Identifier: MIT
"""Batches larger than a small /dev/shm (mounted with 1 MiB by run.py): the worker dies by SIGBUS or cannot write."""
import torch
from torch.utils.data import DataLoader, Dataset


class Samples(Dataset):
    """Large samples."""

    def __len__(self) -> int:
        return 64

    def __getitem__(self, index: int) -> torch.Tensor:
        return torch.ones(1024, 1024)


if __name__ == "__main__":
    for number, batch in enumerate(DataLoader(Samples(), batch_size=4, num_workers=2)):
        print(f"batch {number} {tuple(batch.shape)}", flush=True)
