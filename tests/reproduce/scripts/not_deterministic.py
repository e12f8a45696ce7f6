# SPDX-License-Identifier: MIT
"""Determinism is demanded of an operator that has no deterministic kernel."""
import torch

torch.use_deterministic_algorithms(True)
table = torch.zeros(16)
table.put_(torch.tensor([1, 2, 1]), torch.ones(3))
