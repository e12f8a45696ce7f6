# SPDX-License-Identifier: MIT
"""For an error that no entry knows: the entries that come closest, and what keeps each from fitting.

Two ways to come close: a wording stands there but what must stand around it does not, or a line shares rare words with
a wording that goes on differently.  Both say what was missed, so that a reader can judge, and a contributor can see
whether an entry needs one more wording or the field one more entry.
"""
from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from .database import Database, Signal
from .events import Collector, Event

#: Entries named at most, and letters of a line looked at.
MOST, LONGEST = 4, 4000
#: A wording is close when this share of its words' weight stands in the line, and so much of it (three rare words or so).
_SHARE, _ENOUGH = 0.45, 7.0
_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]{2,60}")


def nearest(root: Event, collector: Collector, database: Database) -> list[dict[str, Any]]:
    """The closest entries, best first, each with ``entry``, ``title``, ``url``, ``shares`` (words in common) and ``why`` it does not fit."""
    found: dict[str, dict[str, Any]] = {}
    for event in collector.raw:
        signal = event.signal
        if signal is not None and event.role in ("root", "either") and _together(event, root):
            why = _context(signal, event, database)
            if why:
                found.setdefault(signal.entry, _row(signal.entry, database, sorted(_words(" ".join(signal.literals[0])))[:6], why))
    for signal, number, shared in _alike(root, database):
        if len(found) >= MOST:
            break
        if signal.entry not in found:
            found[signal.entry] = _row(signal.entry, database, shared, _difference(signal, number, shared))
    return list(found.values())[:MOST]


def _together(event: Event, root: Event) -> bool:
    """Whether a recognised line is the error's own, or stands in its traceback."""
    return event.line.order == root.line.order or (root.block is not None and event.block is root.block)


def _row(entry: str, database: Database, shared: list[str], why: str) -> dict[str, Any]:
    known = database.entries[entry]
    return {"entry": entry, "title": known["title"], "url": known.get("url"), "shares": shared, "why": why}


def _context(signal: Signal, event: Event, database: Database) -> str:
    """What a wording that stands there lacks around it, or what beside it rules it out; empty for a signal without conditions."""
    where = f"its line {event.line.number} stands here"
    if signal.needs:
        return f"{where}, but it takes {_named(signal, signal.needs, database)} beside it, and that is not in this log"
    if signal.unless:
        return f"{where}, but {_named(signal, signal.unless, database)} beside it says otherwise"
    return ""


def _named(signal: Signal, context: dict[str, Any], database: Database) -> str:
    """The texts of the signals that a condition names, as people would search for them."""
    names = {name if "/" in name else f"{signal.entry}/{name}" for name in context["any"]}
    texts = ["…".join(other.literals[0]) for other in database.signals if other.name in names]
    return " or ".join(f"“{' '.join(text.split())[:60]}”" for text in texts[:3]) or "another line"


def _alike(root: Event, database: Database) -> Iterator[tuple[Signal, int, list[str]]]:
    """Wordings that share rare words with the error's lines, closest first."""
    lines = [root.line, *(raised.line for raised in root.block.raised)] if root.block is not None else [root.line]
    here = _words(" ".join(line.body[:LONGEST] for line in lines))
    wordings = [(signal, number, _words(" ".join(runs))) for signal in database.signals if signal.role in ("root", "either") for number, runs in enumerate(signal.literals)]
    spread = Counter(word for _signal, _number, words in wordings for word in words)
    weight = {word: math.log(1 + len(wordings) / count) for word, count in spread.items()}
    rows = []
    for signal, number, words in wordings:
        shared = sorted(words & here, key=lambda word: (-weight[word], word))
        common, whole = sum(weight[word] for word in shared), sum(weight[word] for word in words)
        if common >= _ENOUGH and common >= _SHARE * whole:
            rows.append((common * common / whole, signal, number, shared))
    rows.sort(key=lambda row: (-row[0], row[1].index))
    yield from ((signal, number, shared) for _score, signal, number, shared in rows)


def _difference(signal: Signal, number: int, shared: list[str]) -> str:
    """The first part of a wording that the error does not hold."""
    for run in signal.literals[number]:
        if not _words(run) <= set(shared):
            return f"it is printed as “{' '.join('…'.join(signal.literals[number]).split())[:110]}”; this error does not say “{_lacking(run, shared)}”"
    return f"it is printed as “{' '.join('…'.join(signal.literals[number]).split())[:110]}”; the words are there, in another order or apart"


def _lacking(run: str, shared: list[str]) -> str:
    return " ".join(word for word in run.split() if _words(word) - set(shared))[:60]


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text))
