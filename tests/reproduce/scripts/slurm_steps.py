# SPDX-License-Identifier: MIT
"""A run that outlives its Slurm time limit: sbatch --ntasks=2 --time=1 --wrap 'srun -l python3 slurm_steps.py'"""
import os
import time

rank = int(os.environ.get("SLURM_PROCID", 0))
for step in range(1, 400):
    print(f"rank {rank} step {step * 10} loss {4 / step ** 0.5:.3f}", flush=True)
    time.sleep(10)
