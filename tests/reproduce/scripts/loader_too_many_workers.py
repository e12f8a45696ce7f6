# SPDX-License-Identifier: MIT
"""More loader workers than CPUs: python3 loader_too_many_workers.py"""
from torch.utils.data import DataLoader

if __name__ == "__main__":
    DataLoader([1, 2], num_workers=64)
