#!/bin/sh
# SPDX-License-Identifier: MIT
# Open MPI, whose daemon is not on the PATH that a remote shell gives: a stand-in for ssh runs the command with a PATH that leads nowhere.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '#!/bin/bash\nshift\nPATH=/nonexistent exec /bin/bash -c "$*"\n' > "$folder/fakessh"
chmod +x "$folder/fakessh"
mpirun --allow-run-as-root --mca plm_rsh_agent "$folder/fakessh" --host node2:2 -np 2 hostname
