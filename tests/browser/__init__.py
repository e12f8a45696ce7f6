# SPDX-License-Identifier: MIT
"""The site in a real browser: what a reader does, what must never happen, what goes wrong on the way."""
