# SPDX-License-Identifier: MIT
"""First Fault: finds the first fault in the log of a distributed run."""
