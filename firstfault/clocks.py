# SPDX-License-Identifier: MIT
"""How far the clocks of several inputs are apart, told by the steps that all ranks take together.

Ranks of one run print the same step within a moment of each other.  Where one input shows every common step minutes
before the others, its host's clock is wrong (or in another time zone), and its times must be moved before they order events.
"""
from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from .events import Event, FileFacts

#: Common steps that it takes, the smallest difference worth a correction (seconds), and how far single steps may stray from it.
STEPS, LEAST, SPREAD = 3, 2.0, 1.5
#: Steps of one input that are looked at: its last ones, which lie nearest to the fault.
_LAST = 500


def offsets(files: Iterable[FileFacts]) -> dict[str, float]:
    """For each input whose clock is off, by how many seconds it is ahead of the others; inputs that can't be compared are left out."""
    files = list(files)
    if len(files) < 2:
        return {}
    moments = {facts.name: steps for facts in files if len(steps := _steps(facts)) >= STEPS}
    if len(moments) < 2:
        return {}
    usual: dict[tuple[str, int], list[float]] = {}
    for steps in moments.values():
        for step, when in steps.items():
            usual.setdefault(step, []).append(when)
    middle = {step: _middle(whens) for step, whens in usual.items() if len(whens) > 1}
    found = {}
    for name, steps in moments.items():
        apart = [when - middle[step] for step, when in steps.items() if step in middle]
        if len(apart) >= STEPS:
            ahead = _middle(apart)
            if abs(ahead) >= LEAST and _middle([abs(one - ahead) for one in apart]) <= SPREAD:
                found[name] = ahead
    return found


def _middle(values: list[float]) -> float:
    """The middle value, of two the lower: with two inputs one is the measure and the other is off."""
    return sorted(values)[(len(values) - 1) // 2]


def _steps(facts: FileFacts) -> dict[tuple[str, int], float]:
    """When an input first showed each step."""
    shown: dict[tuple[str, int], float] = {}
    orders = [order for order, _time in facts.times]
    for order, step, counter in facts.progress[-_LAST:]:
        at = bisect_right(orders, order)
        if step >= 0 and at and orders[at - 1] == order:
            shown.setdefault((counter, step), facts.times[at - 1][1])
    return shown


def correct(events: Iterable[Event], files: Iterable[FileFacts]) -> dict[str, float]:
    """Move the times of events in inputs whose clock is off; what was moved is returned, to be said."""
    ahead = offsets(files)
    for event in events if ahead else ():
        if event.when is not None:
            event.when -= ahead.get(event.line.file, 0.0)
    return ahead


def sentences(ahead: dict[str, float]) -> list[str]:
    """What a reader must know of moved times."""
    return [
        f"{name}: its clock is {abs(seconds):.0f} s {'ahead of' if seconds > 0 else 'behind'} the others, as the steps that all ranks share tell; "
        "its times were moved before they ordered anything"
        for name, seconds in sorted(ahead.items())
    ]
