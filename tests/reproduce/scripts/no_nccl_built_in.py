# SPDX-License-Identifier: MIT
"""The NCCL backend asked of a torch without it: `torchrun --nproc-per-node 1 no_nccl_built_in.py` with the CPU wheel."""
import torch.distributed as dist

dist.init_process_group("nccl")
