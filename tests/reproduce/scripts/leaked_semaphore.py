# SPDX-License-Identifier: MIT
"""A process leaves without releasing a named semaphore; the resource tracker says so: python3 leaked_semaphore.py"""
import multiprocessing
import os

if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    gate = multiprocessing.Semaphore(1)
    print("step 100 loss 2.1\ntraining finished", flush=True)
    os._exit(0)
