# SPDX-License-Identifier: MIT
"""A DataLoader worker is killed by SIGKILL, as the kernel's OOM killer does it."""
import os
import signal

import torch
from torch.utils.data import DataLoader, Dataset


class Samples(Dataset):
    """Samples of which one ends its worker."""

    def __len__(self) -> int:
        return 64

    def __getitem__(self, index: int) -> torch.Tensor:
        if index == 21:
            os.kill(os.getpid(), signal.SIGKILL)
        return torch.ones(8)


if __name__ == "__main__":
    for number, batch in enumerate(DataLoader(Samples(), batch_size=4, num_workers=2)):
        print(f"batch {number} {tuple(batch.shape)}", flush=True)
