# SPDX-License-Identifier: MIT
"""A Ray task's worker leaves by os._exit: the task fails after its retries."""
import os

import ray


@ray.remote(max_retries=0)
def work() -> None:
    """Leave without a word."""
    os._exit(3)


ray.init(num_cpus=2, include_dashboard=False, object_store_memory=100_000_000)
ray.get(work.remote())
