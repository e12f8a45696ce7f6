# SPDX-License-Identifier: MIT
"""Samples of unequal length meet the default collate function in a worker."""
import torch
from torch.utils.data import DataLoader, Dataset


class Samples(Dataset):
    """Samples of which one is longer than the others."""

    def __len__(self) -> int:
        return 64

    def __getitem__(self, index: int) -> torch.Tensor:
        return torch.ones(512 if index != 21 else 497)


if __name__ == "__main__":
    for number, batch in enumerate(DataLoader(Samples(), batch_size=4, num_workers=2)):
        print(f"batch {number} {tuple(batch.shape)}", flush=True)
