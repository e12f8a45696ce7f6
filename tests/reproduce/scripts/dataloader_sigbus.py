# SPDX-License-Identifier: MIT
"""A worker touches a sparse file in a full /dev/shm and gets SIGBUS (mount -t tmpfs -o size=1m tmpfs /dev/shm in a private mount namespace)."""
import numpy
import torch
from torch.utils.data import DataLoader, Dataset


class Cached(Dataset):
    """Caches decoded samples in shared memory, more than there is."""

    def __len__(self) -> int:
        return 16

    def __getitem__(self, index: int) -> torch.Tensor:
        cache = numpy.memmap(f"/dev/shm/cache-{index}", dtype="uint8", mode="w+", shape=(400_000,))
        cache[:] = index
        return torch.tensor(index)


if __name__ == "__main__":
    for number, batch in enumerate(DataLoader(Cached(), batch_size=2, num_workers=2)):
        print(f"batch {number}", flush=True)
