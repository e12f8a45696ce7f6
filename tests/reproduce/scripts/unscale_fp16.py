# SPDX-License-Identifier: MIT
"""Trainable weights in half precision under a gradient scaler."""
import torch

model = torch.nn.Linear(4, 4).half()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu")
scaler.scale(model(torch.randn(2, 4).half()).sum()).backward()
scaler.unscale_(optimizer)
