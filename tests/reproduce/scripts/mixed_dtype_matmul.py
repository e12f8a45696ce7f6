# SPDX-License-Identifier: MIT
"""A float32 input into a bfloat16 layer without autocast."""
import torch

layer = torch.nn.Linear(4, 4).to(torch.bfloat16)
layer(torch.randn(2, 4))
