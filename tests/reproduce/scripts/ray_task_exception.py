# SPDX-License-Identifier: MIT
"""A Ray task raises: the driver gets a RayTaskError with the worker's traceback inside."""
import ray


@ray.remote
def work() -> None:
    """Raise in the worker."""
    raise ValueError("reward has shape (8,), expected (8, 1)")


ray.init(num_cpus=2, include_dashboard=False, object_store_memory=100_000_000)
ray.get(work.remote())
