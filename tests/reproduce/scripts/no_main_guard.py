# SPDX-License-Identifier: MIT
"""Spawned workers import the script again, and the script has no `if __name__ == "__main__"`."""
import torch
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(64, 8))
for number, _batch in enumerate(DataLoader(data, batch_size=4, num_workers=2, multiprocessing_context="spawn")):
    print(f"batch {number}", flush=True)
