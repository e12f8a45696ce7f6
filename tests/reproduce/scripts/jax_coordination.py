# SPDX-License-Identifier: MIT
"""Failures of JAX's coordination service on CPUs: one process per task, all on this machine.

`for i in 0 1 2; do JAX_PLATFORMS=cpu python jax_coordination.py MODE $i 3 29911 & done; wait` with a Python that has jax;
MODE is `dead` (task 1 is killed), `barrier` (task 1 comes late) or `register` (start only some of the tasks).
"""
import os
import sys
import time

import jax

mode, me, tasks, port = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
jax.distributed.initialize(f"127.0.0.1:{port}", num_processes=tasks, process_id=me, initialization_timeout=15, heartbeat_timeout_seconds=10)
print(f"task {me} ready, {jax.device_count()} devices", flush=True)
if mode == "dead":
    time.sleep(2)
    if me == 1:
        os.kill(os.getpid(), 9)
    time.sleep(60)
elif mode == "barrier":
    if me == 1:
        time.sleep(40)
    jax._src.distributed.global_state.client.wait_at_barrier("checkpoint_done", 5000)
