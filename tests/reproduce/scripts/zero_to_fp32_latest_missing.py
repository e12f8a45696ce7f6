# SPDX-License-Identifier: MIT
"""zero_to_fp32 on a folder whose `latest` was not copied along."""
from pathlib import Path

from deepspeed.utils.zero_to_fp32 import convert_zero_checkpoint_to_fp32_state_dict

folder = Path("checkpoint-500")
(folder / "global_step500").mkdir(parents=True, exist_ok=True)
convert_zero_checkpoint_to_fp32_state_dict(str(folder), "merged")
