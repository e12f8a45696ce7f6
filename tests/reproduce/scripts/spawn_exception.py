# SPDX-License-Identifier: MIT
"""torch.multiprocessing.spawn: one child raises, the parent wraps it."""
import torch.multiprocessing as mp


def worker(rank: int) -> None:
    """Raise on one rank."""
    if rank == 1:
        raise ValueError("learning rate must be positive, got -0.001")


if __name__ == "__main__":
    mp.spawn(worker, nprocs=3)
