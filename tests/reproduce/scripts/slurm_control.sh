#!/bin/bash
# SPDX-License-Identifier: MIT
# Launches that Slurm itself refuses, on one machine with two slurmds (gpu-a, gpu-b); needs root and Debian's slurmctld, slurmd, munge.
#   slurm_control.sh gone | stale | otherkey | nocontroller | busy | unkillable
set -u
work=${WORK:-/tmp/slurm-control}
mkdir -p "$work/state" && cd "$work" || exit 1
key() { [ -e "$1.key" ] || (umask 077; head -c 128 /dev/urandom >"$1.key")
        munged --force --key-file="$work/$1.key" --socket="$work/$1.sock" --pid-file="$work/$1.pid" --log-file="$work/$1.log" --seed-file="$work/$1.seed"; }
cat >slurm.conf <<END
ClusterName=demo
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmctldPort=17817
AuthType=auth/munge
AuthInfo=socket=$work/one.sock,cred_expire=5
SlurmUser=root
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool.%n
SlurmctldPidFile=$work/ctld.pid
SlurmdPidFile=$work/%n.pid
SlurmctldLogFile=$work/ctld.log
SlurmdLogFile=$work/%n.log
ProctrackType=proctrack/linuxproc
MessageTimeout=10
UnkillableStepTimeout=20
KillWait=5
ReturnToService=2
NodeName=gpu-a NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=17818 CPUs=2
NodeName=gpu-b NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=17819 CPUs=2
PartitionName=p Nodes=gpu-a,gpu-b Default=YES
END
sed "s#one.sock#two.sock#" slurm.conf >other.conf
export SLURM_CONF=$work/slurm.conf
cat >train.py <<'END'
import os, time
r = os.environ.get("SLURM_PROCID", "0")
for step in range(1, 4):
    print(f"rank {r} step {step} loss {4 / step ** .5:.3f}", flush=True)
    time.sleep(2)
END
printf '#!/bin/bash\necho "nodes: $SLURM_JOB_NODELIST"\ntouch %s/ready; while [ -e %s/ready ]; do sleep 0.5; done\nsrun -N2 -n2 -l python3 %s/train.py\necho "srun ended with $?"\n' "$work" "$work" "$work" >job.sh
start() { slurmd -f "$1" -N "$2"; }
stop() { kill "$(cat "$1.pid")"; sleep 1.5; }
key one; key two
slurmctld -f slurm.conf -c; start slurm.conf gpu-a; start slurm.conf gpu-b; sleep 5
case $1 in
busy) kill -STOP "$(cat ctld.pid)"; sbatch -N1 --wrap hostname; kill -CONT "$(cat ctld.pid)" ;;
unkillable)
    head -c 40000000 /dev/zero >img; mkfs.ext4 -q img; mkdir -p mnt; mount -o loop img mnt
    printf '#!/bin/bash\nsrun -l python3 -c "import time; print(\\"saving checkpoint\\", flush=True); time.sleep(5); open(\\"%s/mnt/c.pt\\", \\"wb\\").write(bytes(9999999))"\n' "$work" >save.sh
    sbatch -N1 -n1 -o out save.sh; sleep 3; fsfreeze -f mnt; sleep 8; scancel --me; sleep 45
    cat out; sinfo -R; tail -n 3 gpu-a.log; fsfreeze -u mnt; umount mnt ;;
*)  rm -f ready; sbatch -N2 -n2 --ntasks-per-node=1 -o out job.sh
    until [ -e ready ]; do sleep 0.5; done
    case $1 in
    gone) stop gpu-b; rm ready ;;
    stale) kill -STOP "$(cat gpu-b.pid)"; rm ready; sleep 8; kill -CONT "$(cat gpu-b.pid)" ;;
    otherkey) stop gpu-b; start other.conf gpu-b; rm ready ;;
    nocontroller) stop ctld; rm ready; sbatch -N1 --wrap hostname ;;
    esac
    sleep 30; cat out; tail -n 4 gpu-b.log ;;
esac
for p in ctld gpu-a gpu-b one two; do [ -e $p.pid ] && kill "$(cat $p.pid)"; done
