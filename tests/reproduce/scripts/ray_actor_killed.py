# SPDX-License-Identifier: MIT
"""A Ray actor's process is killed by SIGKILL, as the kernel's OOM killer does it."""
import os
import signal

import ray


@ray.remote
class Trainer:
    """An actor that dies in its second call."""

    def step(self, index: int) -> int:
        """Work, then die."""
        if index == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return index


ray.init(num_cpus=2, include_dashboard=False, object_store_memory=100_000_000)
trainer = Trainer.remote()
for number in range(3):
    print("step", ray.get(trainer.step.remote(number)), flush=True)
