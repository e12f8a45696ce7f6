# SPDX-License-Identifier: MIT
"""Workers that are spawned get the data set by pickle, and its transform is a function inside a function."""
from collections.abc import Callable

import torch
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    """Samples with a transform."""

    def __init__(self, transform: Callable[[torch.Tensor], torch.Tensor]) -> None:
        self.transform = transform

    def __len__(self) -> int:
        return 64

    def __getitem__(self, index: int) -> torch.Tensor:
        return self.transform(torch.ones(8))


def main() -> None:
    """Iterate with two spawned workers."""
    scale = 255.0
    data = Images(transform=lambda sample: sample / scale)
    for batch in DataLoader(data, batch_size=4, num_workers=2, multiprocessing_context="spawn"):
        print(tuple(batch.shape), flush=True)


if __name__ == "__main__":
    main()
