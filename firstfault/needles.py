# SPDX-License-Identifier: MIT
"""Chooses by which few letters each literal is looked for: the plan of the prefilter, made once when a database is compiled.

Every occurrence of a start letter costs a little while a log is read, and every literal without one costs a search of its
own; so start letters are chosen that are rare in logs and that many literals share.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import prod
from typing import Any

from .prefilter import WINDOW, Needles, project

#: How often each letter stands in projected log text, per ten thousand; letters not listed are rarer still.
_FREQUENCY = {
    ord(letter): share for letter, share in dict(
        n=1106, r=1091, s=1006, t=950, i=729, o=708, l=584, k=472, p=444, h=334, N=218, u=214, g=207, y=171, R=167, C=167, I=166, v=158, F=132, O=118, T=113, D=103,
        E=82, L=66, A=64, G=61, w=60, B=58, M=55, x=51, Z=28, U=25, W=25, S=16, P=13, z=9, q=8, j=5, V=4, H=4, X=2, Y=2, J=1, Q=1,
    ).items()
}
#: What a search for one literal costs, in the same measure: as much as a start letter of this frequency.
_SEARCH = 20
#: What one more start letter costs beside its frequency.
_MORE = 3


def plan(literals: Iterable[tuple[int, Sequence[str]]]) -> dict[str, Any]:
    """The plan for the literal runs of each key: start letters, windows behind them, and literals searched by themselves."""
    runs = {key: [project(run.encode()) for run in texts] for key, texts in literals}
    places = {key: _places(projected) for key, projected in runs.items()}
    starts = _starts(list(places.values()))
    windows: dict[str, list[int]] = {}
    common: dict[str, list[int]] = {}
    for key, projected in runs.items():
        usable = [place for place in places[key] if place[0] in starts]
        if usable:
            window = min(usable, key=_rarity)[1]
            windows.setdefault(window.decode(), []).append(key)
        elif any(projected):
            common.setdefault(max(projected, key=len).decode(), []).append(key)
    return {"listing": f"[{bytes(sorted(starts)).decode() or '0'}](?=(.{{{WINDOW - 1}}}))", "windows": windows, "common": common}


def prepared(literals: Iterable[tuple[int, Sequence[str]]]) -> Needles:
    """Needles of literals for which no plan was made ahead."""
    known = dict(literals)
    return Needles(plan(known.items()), known.__getitem__)


def _rarity(place: tuple[int, bytes]) -> tuple[int, tuple[int, bytes]]:
    """How often a window may be met, as far as its letters tell."""
    return prod(_FREQUENCY.get(letter, 1) for letter in (place[0], *place[1])), place


def _places(projected: list[bytes]) -> set[tuple[int, bytes]]:
    """Every letter of a literal with the rest of the window that it begins."""
    return {(run[at], run[at + 1:at + WINDOW]) for run in projected for at in range(len(run) - WINDOW + 1) if run[at:at + WINDOW].isalpha()}


def _starts(places: list[set[tuple[int, bytes]]]) -> set[int]:
    """Start letters that together cost least; a literal without any is searched by itself."""
    uncovered = [{letter for letter, _window in found} for found in places]
    chosen: set[int] = set()
    while True:
        covers = Counter(letter for letters in uncovered for letter in letters)
        gains = {letter: count * _SEARCH - _FREQUENCY.get(letter, 1) - _MORE for letter, count in covers.items()}
        best = max(gains, key=lambda letter: (covers[letter] / (_FREQUENCY.get(letter, 1) + _MORE) if gains[letter] > 0 else 0, letter), default=None)
        if best is None or gains[best] <= 0:
            return chosen
        chosen.add(best)
        uncovered = [letters for letters in uncovered if best not in letters]
