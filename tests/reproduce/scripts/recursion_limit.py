# SPDX-License-Identifier: MIT
"""A wrapper that looks attributes up on the module it wraps, before that module is set."""
import copy

import torch


class Wrapped:
    """Forwards what it does not know to the inner model."""

    def __init__(self, inner: torch.nn.Module) -> None:
        self.inner = inner

    def __getattr__(self, name: str) -> object:
        return getattr(self.inner, name)


copy.deepcopy(Wrapped(torch.nn.Linear(4, 4)))
