#!/bin/bash
# SPDX-License-Identifier: MIT
# Open MPI on two "nodes" of one machine (host names by UTS namespace; needs root); the daemon of the second is killed in mid run.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '#!/bin/bash\nhost=$1; shift\nexec unshare -u bash -c "hostname $host; exec bash -c '"'"'$*'"'"'"\n' >"$folder/fakessh"
chmod +x "$folder/fakessh"
mpirun --allow-run-as-root --mca plm_rsh_agent "$folder/fakessh" --host node1:1,node2:1 -np 2 \
    sh -c 'for i in 1 2 3 4 5 6 7 8; do echo "rank $OMPI_COMM_WORLD_RANK on $(hostname) step $i loss $((9-i)).1"; sleep 1; done' &
sleep 4
for daemon in $(pgrep -x orted); do [ "$(nsenter -t "$daemon" -u hostname)" = node2 ] && kill -9 "$daemon"; done
wait
