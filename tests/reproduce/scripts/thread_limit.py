# SPDX-License-Identifier: MIT
"""The limit of processes and threads is reached (RLIMIT_NPROC is set low by run.py, and the user is not root)."""
import threading
import time

threads = [threading.Thread(target=time.sleep, args=(2,), daemon=True) for _ in range(4000)]
for thread in threads:
    thread.start()
