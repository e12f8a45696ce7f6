# SPDX-License-Identifier: MIT
"""torch.multiprocessing.spawn: one child is killed by SIGKILL."""
import os
import signal
import time

import torch.multiprocessing as mp


def worker(rank: int) -> None:
    """Die by a signal on one rank."""
    if rank == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(5)


if __name__ == "__main__":
    mp.spawn(worker, nprocs=3)
