# SPDX-License-Identifier: MIT
"""FSDP1 over parameters of two dtypes, as LoRA in float32 over a bfloat16 base."""
import torch
from torch.distributed.fsdp import FullyShardedDataParallel

from loop import start

start()
model = torch.nn.Sequential(torch.nn.Linear(8, 8, dtype=torch.bfloat16), torch.nn.Linear(8, 8))
FullyShardedDataParallel(model, device_id=torch.device("cpu"))
