# SPDX-License-Identifier: MIT
"""As op_mismatch.py, run with TORCH_DISTRIBUTED_DEBUG=DETAIL, which compares every call across ranks."""
import runpy

runpy.run_path("op_mismatch.py", run_name="__main__")
