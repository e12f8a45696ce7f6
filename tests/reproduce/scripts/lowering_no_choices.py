# SPDX-License-Identifier: MIT
"""max-autotune may only use Triton for matrix products, and this device has no Triton template."""
import torch
import torch._inductor.config as inductor

inductor.max_autotune = True
inductor.max_autotune_gemm_backends = "TRITON"


@torch.compile
def project(value: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """A matrix product."""
    return value @ weight


project(torch.randn(64, 64), torch.randn(64, 64))
