#!/bin/bash
# SPDX-License-Identifier: MIT
# More threads and processes than the limit allows (ulimit -u as an ordinary user): bash thread_limit.sh threads|fork
set -eu
case "$1" in
threads) code='import threading, time
for _ in range(64): threading.Thread(target=time.sleep, args=(3,)).start()' ;;
fork) code='import multiprocessing, time
for _ in range(64): multiprocessing.Process(target=time.sleep, args=(3,)).start()' ;;
esac
exec setpriv --reuid=65534 --regid=65534 --clear-groups bash -c "ulimit -u 40; exec python3 -c '$code'"
