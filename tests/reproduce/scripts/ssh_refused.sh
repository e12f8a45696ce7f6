#!/bin/bash
# SPDX-License-Identifier: MIT
# Launchers over ssh to a daemon of their own at port 2222: the host's key is unknown (hostkey) or the user's is not accepted (denied).
# Needs sshd, mpirun, and for `deepspeed` also pdsh and deepspeed.   ssh_refused.sh hostkey|changed|denied|open mpirun|deepspeed|check|plain
set -u
work=$(mktemp -d)
cd "$work" || exit 1
for key in host other user; do ssh-keygen -q -t ed25519 -N '' -f $key; done
: >known; : >authorized; mkdir -p bin /run/sshd
printf 'Port 2222\nListenAddress 127.0.0.1\nHostKey %s/host\nPidFile %s/pid\nAuthorizedKeysFile %s/authorized\nStrictModes no\nUsePAM no\nPasswordAuthentication no\n' "$work" "$work" "$work" >cfg
printf 'Host node1 node2\n HostName 127.0.0.1\n Port 2222\n UserKnownHostsFile %s/known\n IdentityFile %s/user\n IdentitiesOnly yes\n BatchMode yes\n' "$work" "$work" >config
printf '#!/bin/bash\nexec /usr/bin/ssh -F %s/config "$@"\n' "$work" >bin/ssh; chmod +x bin/ssh; export PATH=$work/bin:$PATH
"$(command -v sshd || echo /usr/sbin/sshd)" -f "$work/cfg"
trap 'kill "$(cat "$work/pid")"; rm -rf "$work"' EXIT
know() { printf '[127.0.0.1]:2222 %s\n' "$(cut -d' ' -f1,2 "$1.pub")" >known; }
case $1 in changed) know other ;; denied) know host ;; open) know host; cat user.pub >authorized; chmod 644 user ;; esac
printf 'node1 slots=1\nnode2 slots=1\n' >hostfile; echo 'print("trained")' >train.py
case $2 in
plain) ssh node2 hostname ;;
mpirun) mpirun --allow-run-as-root --host node1:1,node2:1 -np 2 hostname ;;
check) deepspeed --hostfile hostfile --force_multi train.py ;;
deepspeed) PDSH_RCMD_TYPE=ssh deepspeed --hostfile hostfile --force_multi --no_ssh_check --master_addr 127.0.0.1 train.py ;;
esac
