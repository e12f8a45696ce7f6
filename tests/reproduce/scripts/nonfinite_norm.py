# SPDX-License-Identifier: MIT
"""Clipping a gradient that holds an infinity."""
import torch

parameter = torch.nn.Parameter(torch.ones(2))
parameter.grad = torch.tensor([float("inf"), 1.0])
torch.nn.utils.clip_grad_norm_([parameter], max_norm=1.0, error_if_nonfinite=True)
