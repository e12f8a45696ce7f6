# SPDX-License-Identifier: MIT
"""A checkpoint folder of the Trainer that holds weights and no tokenizer."""
import json
from pathlib import Path

from transformers import AutoTokenizer

folder = Path("checkpoint-500")
folder.mkdir()
(folder / "config.json").write_text(json.dumps({"model_type": "llama", "architectures": ["LlamaForCausalLM"]}))
AutoTokenizer.from_pretrained(str(folder))
