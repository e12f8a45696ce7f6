# SPDX-License-Identifier: MIT
"""A Ray task fills host memory beyond the monitor's threshold (set low by run.py): Ray kills it."""
import time

import ray


@ray.remote(max_retries=0)
def fill() -> int:
    """Take memory step by step."""
    taken = []
    for _ in range(60):
        taken.append(bytearray(b"x" * 100_000_000))
        time.sleep(0.1)
    return len(taken)


ray.init(num_cpus=2, include_dashboard=False, object_store_memory=100_000_000)
ray.get(fill.remote())
