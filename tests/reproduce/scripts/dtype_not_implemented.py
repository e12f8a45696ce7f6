# SPDX-License-Identifier: MIT
"""An operator that has no half precision kernel on the CPU."""
import torch

torch.cdist(torch.randn(2, 4).half(), torch.randn(3, 4).half())
