# SPDX-License-Identifier: MIT
"""FSDP1 with use_orig_params=False over frozen and trained parameters in one unit."""
import torch
from torch.distributed.fsdp import FullyShardedDataParallel

from loop import start

start()
model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Linear(8, 8))
model[0].requires_grad_(False)
FullyShardedDataParallel(model, device_id=torch.device("cpu"), use_orig_params=False)
