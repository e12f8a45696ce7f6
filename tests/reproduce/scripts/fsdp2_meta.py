# SPDX-License-Identifier: MIT
"""FSDP2 on a model that is still on the meta device when training begins."""
import torch
from torch.distributed.fsdp import fully_shard

from loop import start

start()
with torch.device("meta"):
    model = torch.nn.Linear(8, 8)
fully_shard(model)
model(torch.randn(4, 8))
