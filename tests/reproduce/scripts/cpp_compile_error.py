# SPDX-License-Identifier: MIT
"""torch.compile where the headers of the C++ library are not installed (here: hidden from the compiler)."""
import os
import tempfile
from pathlib import Path

folder = tempfile.mkdtemp()
compiler = Path(folder, "g++")
compiler.write_text('#!/bin/sh\nexec /usr/bin/g++ "$@" -nostdinc++\n')
compiler.chmod(0o755)
os.environ.update(CXX=str(compiler), TORCHINDUCTOR_CACHE_DIR=folder)

import torch  # noqa: E402 - reads the compiler's name at import


@torch.compile
def gelu(value: torch.Tensor) -> torch.Tensor:
    """Something to fuse."""
    return torch.nn.functional.gelu(value) * 2


gelu(torch.randn(64, 64))
