# SPDX-License-Identifier: MIT
"""Started with plain python: the launcher's variables are missing."""
from loop import start

start()
