# SPDX-License-Identifier: MIT
"""ray.init on a machine too slow for it: the raylet registers later than the driver waits. Start it beside enough other work, or with `taskset -c 0 nice`."""
import ray

ray.init(num_cpus=1, include_dashboard=False)
print("started", ray.nodes()[0]["Alive"])
