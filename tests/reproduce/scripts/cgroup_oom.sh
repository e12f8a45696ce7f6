#!/bin/sh
# SPDX-License-Identifier: MIT
# A process outgrows its memory cgroup and the kernel kills it (cgroup v1 or v2, needs root); prints the kernel's own lines.
set -eu
if [ -f /sys/fs/cgroup/cgroup.controllers ]; then base=/sys/fs/cgroup; limit=memory.max; else base=/sys/fs/cgroup/memory; limit=memory.limit_in_bytes; fi
group="$base/train.scope"
mkdir "$group"
echo 96M > "$group/$limit"
trap 'sleep 1; rmdir "$group"' EXIT
sh -c "echo \$\$ > '$group/cgroup.procs'; exec python3 -c '
held = []
while True:
    held.append(bytearray(b\"1\") * (8 << 20))
'" || echo "exit status $?"
dmesg | tail -n 120 | grep -E 'invoked oom-killer|usage|oom-kill:|Killed process|oom_reaper'
