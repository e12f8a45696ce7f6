# SPDX-License-Identifier: MIT
"""A collective gets a tensor on a device that the group has no backend for (meta stands in for a second device)."""
import torch
import torch.distributed as dist

from loop import start

start()
dist.all_reduce(torch.ones(4, device="meta"))
