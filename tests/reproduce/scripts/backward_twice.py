# SPDX-License-Identifier: MIT
"""A recurrent state that carries the former step's graph along: the second backward finds it freed."""
import torch

weight = torch.randn(4, 4, requires_grad=True)
hidden = torch.randn(4, 4)
for step in range(2):
    hidden = torch.tanh(hidden @ weight)
    hidden.sum().backward()
    print(f"step {step} done", flush=True)
