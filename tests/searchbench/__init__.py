# SPDX-License-Identifier: MIT
"""The measurement of the search (`make bench-search`): labelled queries, and both rankings over one index."""
