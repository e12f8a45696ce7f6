# SPDX-License-Identifier: MIT
"""A distributed checkpoint lacks a key of the model: torchrun --nproc-per-node 2 dcp_missing_key.py"""
import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp

dist.init_process_group("gloo")
path = "/tmp/dcp-missing-key"
dcp.save({"model.weight": torch.ones(8)}, checkpoint_id=path)
dcp.load({"model.weight": torch.ones(8), "model.norm._extra_state": torch.ones(1)}, checkpoint_id=path)
