# SPDX-License-Identifier: MIT
"""What a pull request is told beside its annotations: mechanical fixes as suggestions, and what it does to the bench.

Two jobs, so that it is safe for forks: `collect` runs the pull request's code, without a token that may write anything;
`post` runs the code of the main branch with such a token, and takes what was collected for what it is, a stranger's data.
"""
