# SPDX-License-Identifier: MIT
"""An in-place edit of a value that the backward pass still needs."""
import torch

weight = torch.randn(4, 4, requires_grad=True)
gate = torch.sigmoid(weight)
gate += 1
gate.sum().backward()
