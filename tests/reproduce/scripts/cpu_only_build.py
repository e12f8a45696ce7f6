# SPDX-License-Identifier: MIT
"""A tensor for the GPU with a build of torch that has no CUDA."""
import torch

print(torch.__version__, flush=True)
torch.zeros(1).cuda()
