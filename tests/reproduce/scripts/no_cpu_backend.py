# SPDX-License-Identifier: MIT
"""A group that has a backend for GPU tensors only is handed a tensor on the CPU: `torchrun --nproc-per-node 2 no_cpu_backend.py`."""
import torch
import torch.distributed as dist

dist.init_process_group("cuda:gloo")
print(f"rank {dist.get_rank()} ready", flush=True)
dist.all_reduce(torch.ones(4))
