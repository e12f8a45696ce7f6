# SPDX-License-Identifier: MIT
"""Property-based fuzzers of everything that reads what strangers wrote; a short run of each is part of the tests."""
