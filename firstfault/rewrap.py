# SPDX-License-Identifier: MIT
"""Messages that a terminal cut at its width: the pieces stand on lines of their own, often cut inside a word.

A piece can't be told from a line of its own by its looks.  So lines are put together on trial, and a trial counts only
where a wording's text lies across a cut: that doesn't happen by chance.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence

from .database import Signal
from .lines import Line
from .prefilter import Prefilter
from .wordings import bodies, verify

#: A terminal narrower than this cuts nothing worth mending, one wider than this none has; pieces put together at most.
NARROWEST, WIDEST, MOST_PIECES = 40, 400, 8

_FRAMES = "│┃|╭╰"


def whole(lines: list[Line], prefilter: Prefilter, keys: Sequence[tuple[Signal, int]]) -> dict[int, tuple[int, Line, tuple[int, ...]]]:
    """Messages that a terminal cut: by the index of their first piece, the index behind the last, the message put together and the keys of its wordings."""
    found: dict[int, tuple[int, Line, tuple[int, ...]]] = {}
    trials = list(_trials(lines))
    for number, may_hold in prefilter.lines(bodies([trial for _index, _end, trial in trials])).items() if trials else ():
        index, end, trial = trials[number]
        across = tuple(key for key in may_hold if _lies_across(*keys[key], lines[index:end]) and verify(trial, *keys[key]) is not None)
        if across and index not in found:
            found[index] = (end, trial, across)
    return found


def _trials(lines: list[Line]) -> Iterator[tuple[int, int, Line]]:
    """Lines that may be the first piece of a longer one: its index, the index behind the last piece, and the whole on trial."""
    for index, line in enumerate(lines[:-1]):
        if not NARROWEST <= len(line.text) <= WIDEST or line.text.lstrip()[:1] in _FRAMES:
            continue  # a drawn box holds source code, and its message stands below it
        end = index + 1
        while end < len(lines) and end - index < MOST_PIECES and _continues(lines[end], line):
            end += 1
            if len(lines[end - 1].text) < len(line.text):
                break  # a piece that doesn't reach the edge is the last
        if end > index + 1:
            for glue in ("", " "):
                yield index, end, _whole(lines[index:end], glue)


def _continues(line: Line, first: Line) -> bool:
    """Whether a line can be a later piece: nothing stands before its text, and it is no wider than the first."""
    origin = line.origin
    return bool(line.body) and line.message == line.body and len(line.text) <= len(first.text) and not origin.header and line.number > first.number and not line.body[0].isspace()


def _whole(pieces: list[Line], glue: str) -> Line:
    first = pieces[0]
    more = glue.join(piece.body for piece in pieces[1:])
    return Line(first.file, first.number, first.order, first.text, first.body + glue + more, first.message + glue + more, first.origin)


def _lies_across(signal: Signal, number: int, pieces: list[Line]) -> bool:
    """Whether some part of a wording is in no piece alone, so that it is the cut that hides it."""
    folded = [" ".join(piece.body.split()) for piece in pieces]
    return any(all(" ".join(run.split()) not in piece for piece in folded) for run in signal.literals[number])
