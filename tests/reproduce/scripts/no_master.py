# SPDX-License-Identifier: MIT
"""No process listens at MASTER_ADDR:MASTER_PORT: the client socket of the store runs into its timeout."""
from loop import start

start(timeout=8)
