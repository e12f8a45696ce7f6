# SPDX-License-Identifier: MIT
"""An exception in a DataLoader worker: the parent raises it again with the worker's traceback inside."""
import torch
from torch.utils.data import DataLoader, Dataset


class Samples(Dataset):
    """Samples of which one is broken."""

    def __len__(self) -> int:
        return 64

    def __getitem__(self, index: int) -> torch.Tensor:
        if index == 21:
            raise KeyError("input_ids")
        return torch.ones(8)


if __name__ == "__main__":
    for number, batch in enumerate(DataLoader(Samples(), batch_size=4, num_workers=2)):
        print(f"batch {number} {tuple(batch.shape)}", flush=True)
