# SPDX-License-Identifier: MIT
"""As size_mismatch.py, run with TORCH_DISTRIBUTED_DEBUG=DETAIL, which compares every call across ranks."""
import runpy

runpy.run_path("size_mismatch.py", run_name="__main__")
