# SPDX-License-Identifier: MIT
"""Sampling from logits that are not numbers."""
import torch

logits = torch.full((1, 8), float("nan"))
torch.multinomial(torch.softmax(logits, dim=-1), num_samples=1)
