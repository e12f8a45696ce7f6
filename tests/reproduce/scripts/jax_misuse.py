# SPDX-License-Identifier: MIT
"""Mistakes with JAX on one machine: `python jax_misuse.py MODE [PROCESS]` with a Python that has jax and no GPU.

MODE: `late` (distributed set-up after the first computation), `backend` (run with JAX_PLATFORMS=tpu),
`nonaddressable` (start processes 0 and 1 with JAX_PLATFORMS=cpu).
"""
import sys

import jax
import jax.numpy as jnp
import numpy as np

mode = sys.argv[1]
if mode == "late":
    jnp.ones(3).sum()
    jax.distributed.initialize("127.0.0.1:29950", num_processes=1, process_id=0)
elif mode == "backend":
    print(jax.devices())
elif mode == "nonaddressable":
    jax.distributed.initialize("127.0.0.1:29951", num_processes=2, process_id=int(sys.argv[2]))
    mesh = jax.sharding.Mesh(np.array(jax.devices()), ("x",))
    sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("x"))
    array = jax.make_array_from_callback((4,), sharding, lambda index: np.ones(4)[index])
    print(np.asarray(array))
