# SPDX-License-Identifier: MIT
"""A list of batches keeps their descriptors open: (ulimit -n 128; python3 open_files.py)"""
import torch
from torch.utils.data import DataLoader, Dataset


class Samples(Dataset):
    """Samples with several tensors each."""

    def __len__(self) -> int:
        return 512

    def __getitem__(self, index: int) -> dict[str, torch.Tensor]:
        return {name: torch.ones(16) for name in ("ids", "mask", "labels")}


if __name__ == "__main__":
    kept = []
    for number, batch in enumerate(DataLoader(Samples(), batch_size=2, num_workers=2)):
        kept.append(batch)
        if number % 8 == 0:
            print(f"batch {number}", flush=True)
