# SPDX-License-Identifier: MIT
"""A flat parameter is freed after the forward pass, as FSDP does, and somebody takes a view of it."""
import torch

flat = torch.zeros(64)
print("view before", flat[:16].view(4, 4).shape, flush=True)
flat.untyped_storage().resize_(0)
print("view after", flat[:16].view(4, 4).shape, flush=True)
