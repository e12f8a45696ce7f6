# SPDX-License-Identifier: MIT
"""How well a pasted line fits a text that software prints: whether it holds the text, else how much of it in order.

The line may be cut anywhere and carry prefixes, other numbers and paths. The same as overrides/assets/searchmatch.js.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

Weigh = Callable[[str], float]
#: How much more a word counts that directly follows the one before it in both texts.
NEIGHBOUR = 0.35


def holds(line: str, runs: Sequence[str]) -> bool:
    """Whether the literal runs stand in the line, in their order. Both are in small letters, with single blanks."""
    at = 0
    for run in runs:
        at = line.find(run, at)
        if at < 0:
            return False
        at += len(run)
    return True


def shared(line: Sequence[str], text: Sequence[str], weigh: Weigh) -> float:
    """The weight of the words that both have in the same order, runs of neighbours counting more."""
    weights = [weigh(key) for key in text]
    best = [0.0] * (len(text) + 1)
    ending = [0.0] * (len(text) + 1)  # the best that ends with a match of this word of the text and of the line's last word
    for key in line:
        corner, corner_ending = 0.0, 0.0
        for j, other in enumerate(text, 1):
            above, above_ending = best[j], ending[j]
            ending[j] = 0.0
            if key == other:
                weight = weights[j - 1]
                follows = corner_ending + NEIGHBOUR * weight if corner_ending else 0.0
                ending[j] = weight + max(corner, follows)
            best[j] = max(above, best[j - 1], ending[j])
            corner, corner_ending = above, above_ending
    return best[-1]


def whole(text: Sequence[str], weigh: Weigh) -> float:
    """What `shared` gives at most: the text compared with itself."""
    weights = [weigh(key) for key in text]
    return sum(weights) + NEIGHBOUR * sum(weights[1:])
