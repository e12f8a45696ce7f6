# SPDX-License-Identifier: MIT
"""Entries -> site: the modules are the pipeline (load, validate, render, bundle), in reading order."""
