# SPDX-License-Identifier: MIT
"""As valueerror.py, with the entry point under @record, so that the launcher's block shows a traceback."""
from torch.distributed.elastic.multiprocessing.errors import record

from valueerror import main

if __name__ == "__main__":
    record(main)()
