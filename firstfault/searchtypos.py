# SPDX-License-Identifier: MIT
"""Words that somebody may have meant: begun words, and words with one or two typing errors.

The same as overrides/assets/searchtypos.js.
"""

from __future__ import annotations

from collections.abc import Sequence

from .searchwords import stem

MOST = 4


def corrections(typed: str, known: Sequence[str]) -> list[tuple[str, float]]:
    """Terms of known words near a typed one, nearest first, with how sure that is."""
    if not 2 <= len(typed) <= 24:
        return []
    allowed = 0 if len(typed) < 4 else 1 if len(typed) < 8 else 2
    near: list[tuple[float, str]] = []
    for word in known:
        if word.startswith(typed):
            near.append((0.5 + (len(word) - len(typed)) / 100, word))
        elif abs(len(word) - len(typed)) <= allowed:
            errors = distance(typed, word, allowed)
            # The first letter is seldom wrong.
            if errors <= allowed:
                near.append((errors + (0.5 if word[0] != typed[0] else 0.0), word))
    found: dict[str, float] = {}
    for far, word in sorted(near):
        found.setdefault(stem(word), round(0.95 - 0.15 * far, 4))
    return list(found.items())[:MOST]


def distance(one: str, other: str, most: int) -> int:
    """How many letters are missing, added, wrong or swapped with the next; `most + 1` when more than `most`."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        older, before, row = before, row, [i]
        for j, wanted in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)
