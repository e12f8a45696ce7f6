# SPDX-License-Identifier: MIT
"""First Fault: find the first fault in the log of a distributed GPU run.

The package imports nothing here, so that `firstfault --help` starts at once and every face pays only for what it uses.
"""

__version__ = "0.1.0"
