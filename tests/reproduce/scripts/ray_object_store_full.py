# SPDX-License-Identifier: MIT
"""Objects that are still referenced fill Ray's object store, and spilling is impossible (a tiny spill folder)."""
import numpy as np
import ray

ray.init(num_cpus=1, include_dashboard=False, object_store_memory=80_000_000, _system_config={"automatic_object_spilling_enabled": False})
kept = [ray.put(np.ones(20_000_000 // 8)) for _ in range(10)]
print(len(kept), "objects")
