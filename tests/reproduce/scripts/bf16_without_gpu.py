# SPDX-License-Identifier: MIT
"""TrainingArguments(bf16=True) where torch sees no GPU that can do it."""
from transformers import TrainingArguments

TrainingArguments(output_dir="out", bf16=True, report_to=[])
