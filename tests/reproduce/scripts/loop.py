# SPDX-License-Identifier: MIT
"""A small training loop on gloo that the failing scripts share: each of them breaks it in one way."""
import os
import time
from datetime import timedelta

import torch
import torch.distributed as dist


def start(timeout: float = 20.0) -> int:
    """Join the process group that the launcher describes and return this process's global rank."""
    dist.init_process_group("gloo", timeout=timedelta(seconds=timeout))
    rank = dist.get_rank()
    print(f"rank {rank}/{dist.get_world_size()} pid {os.getpid()} ready", flush=True)
    return rank


def step(index: int, size: int = 1024, pause: float = 0.1) -> float:
    """One training step: local work, then the mean of a gradient-like tensor over all ranks."""
    gradient = torch.randn(size)
    dist.all_reduce(gradient)
    gradient /= dist.get_world_size()
    time.sleep(pause)
    loss = 4.0 / (index + 1) + float(gradient.abs().mean()) * 0.01
    if dist.get_rank() == 0:
        print(f"step {index} loss {loss:.4f}", flush=True)
    return loss
