# SPDX-License-Identifier: MIT
"""The mechanical proof: is every signal's text really in the software that is said to print it?"""
