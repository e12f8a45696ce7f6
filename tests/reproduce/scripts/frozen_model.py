# SPDX-License-Identifier: MIT
"""Every parameter is frozen, so the loss has no graph."""
import torch

model = torch.nn.Linear(4, 1)
for parameter in model.parameters():
    parameter.requires_grad_(False)
model(torch.randn(2, 4)).mean().backward()
