# SPDX-License-Identifier: MIT
"""A data set that uses a process pool of its own, inside a DataLoader worker, which is a daemon."""
from multiprocessing import Pool

import torch
from torch.utils.data import DataLoader, Dataset


def decode(part: int) -> float:
    """Stand for an expensive decoder."""
    return part / 255.0


class Clips(Dataset):
    """Clips whose frames are decoded in parallel."""

    def __len__(self) -> int:
        return 64

    def __getitem__(self, index: int) -> torch.Tensor:
        with Pool(2) as pool:
            return torch.tensor(pool.map(decode, range(8)))


if __name__ == "__main__":
    print("without workers", Clips()[0][:3], flush=True)
    for batch in DataLoader(Clips(), batch_size=4, num_workers=2):
        print(tuple(batch.shape), flush=True)
