# SPDX-License-Identifier: MIT
"""Task 0 of a Slurm step outgrows --mem: srun -l --kill-on-bad-exit=1 --ntasks=2 --mem=300M python3 slurm_oom.py"""
import os
import time

rank = int(os.environ.get("SLURM_PROCID", 0))
print(f"rank {rank}: loading samples", flush=True)
held: list[bytearray] = []
while rank == 0:
    held.append(bytearray(b"1") * (8 << 20))
time.sleep(30)
