# SPDX-License-Identifier: MIT
"""Who explains whom: typed edges of the entries, tiers of evidence, rank and order."""
from __future__ import annotations

from .database import Database
from .events import Event

#: Tiers of evidence, from the ground up: a fault on a lower tier explains one on a higher tier.
TIERS = {"hardware": 0, "kernel": 1, "process": 2, "communication": 3, "launcher": 4, "scheduler": 5}
#: A death that only the launcher reports stands between the rank's own words and what other ranks see of it.
_DEATH = 2.5
#: Within this many seconds (or lines, where no time is known) a victim may speak before the culprit.
SOON_SECONDS, SOON_LINES = 20.0, 400
#: A line without a time of its own may have been written this long after the last line that has one.
LATER_SECONDS = 900.0
#: What a worker said can stand so many seconds behind the report of its end; what comes later is said by a worker that was started again.
FLUSHED_SECONDS = 5.0
#: A launcher tells of a death only after it has ended the others, for whom it waits half a minute and more.
TOLD_SECONDS = 180.0
_DEPTH = 3
#: Up to this many candidates are all compared with one another; beyond it, this many of each kind speak.
_FEW, _PER_KIND = 100, 4


def tier(event: Event) -> float:
    """The tier of an event's evidence."""
    return _DEATH if event.death else TIERS[event.layer]


def before(one: Event, other: Event) -> bool:
    """Whether ``one`` came first: by time across files where both have one, else by reading order."""
    if one.line.file != other.line.file and one.when is not None and other.when is not None and one.when != other.when:
        return one.when < other.when
    return begins(one) <= begins(other)


def unclear(one: Event, other: Event) -> bool:
    """Whether nothing tells the order of two events: they stand in two files, and the one that looks later may be the earlier."""
    if one.line.file == other.line.file:
        return False
    if one.when is None or other.when is None:
        return True
    return min(one, other, key=lambda event: event.when or 0.0).at_least and abs(one.when - other.when) <= LATER_SECONDS


def may_precede(one: Event, other: Event) -> bool:
    """Whether ``one`` can have come first: it did, or nothing tells the order of two files without times."""
    return before(one, other) or unclear(one, other)


def _within(seconds: float, one: Event, other: Event) -> bool:
    """Whether both have a time, at most so far apart."""
    return one.when is not None and other.when is not None and abs(one.when - other.when) <= seconds


def _near(one: Event, other: Event) -> bool:
    """Whether both stand close together in one input, whatever the clocks of those who wrote them say."""
    return one.line.file == other.line.file and abs(one.order - other.order) <= SOON_LINES


def soon(one: Event, other: Event) -> bool:
    """Whether two events lie so close that their order says nothing."""
    if unclear(one, other) and one.when is not None and other.when is not None:
        return True
    if one.when is not None and other.when is not None:
        return abs(one.when - other.when) <= SOON_SECONDS
    return abs(one.order - other.order) <= SOON_LINES


def reaches(database: Database, source: str | None, target: str | None) -> bool:
    """Whether ``source`` can bring about ``target``, over at most three edges."""
    if source is None or target is None or source == target:
        return False
    level = {source}
    for _step in range(_DEPTH):
        level = {following for entry in level for following in database.causes.get(entry, ())}
        if target in level:
            return True
    return False


def explains(database: Database, cause: Event, effect: Event) -> bool:
    """Whether ``cause`` explains ``effect``."""
    if cause is effect or cause.role not in ("root", "either"):
        return False
    if cause.derived and not effect.derived and cause.entry == effect.entry:
        return True
    if effect.derived and not cause.derived and cause.entry == effect.entry:
        return False
    if cause.block is not None and cause.block is effect.block:
        return _earlier_in_block(cause, effect) and not reaches(database, effect.entry, cause.entry)
    if effect.role in ("wrapper", "teardown", "consequence"):
        return before(cause, effect) or soon(cause, effect) or tier(cause) <= 1
    if effect.death and cause.layer == "process" and cause.weight >= 2 and (None in (cause.rank, effect.rank) or cause.rank == effect.rank) and may_precede(cause, effect):
        return True  # the process's own last words, whatever they are
    if effect.death and cause.layer == "communication":
        return cause.rank is not None and cause.rank == effect.rank and (may_precede(cause, effect) or _within(FLUSHED_SECONDS, cause, effect))
    if cause.entry == effect.entry and "joined" in effect.captures | cause.captures and "port" in effect.captures | cause.captures:
        return "port" in cause.captures  # one side counts who came; the other says where it could not connect
    if _wraps(database, effect, cause):
        return True
    if reaches(database, cause.entry, effect.entry):
        return may_precede(cause, effect) or tier(cause) < tier(effect) or soon(cause, effect)
    if reaches(database, effect.entry, cause.entry):
        return False
    return _by_tier(cause, effect)


def _wraps(database: Database, outer: Event, inner: Event) -> bool:
    return bool(outer.entry and inner.entry and inner.entry in database.wraps.get(outer.entry, ()))


def _by_tier(cause: Event, effect: Event) -> bool:
    """A fault on a lower tier explains one above it, if the order allows."""
    low, high = tier(cause), tier(effect)
    if effect.kind == "wrapper" and not effect.death and cause.kind != "wrapper" and cause.weight >= 2:
        return before(cause, effect) or soon(cause, effect)
    if max(low, high) <= 1 and None in (cause.entry, effect.entry) and (low >= high or cause.entry is not None):
        return _known_below(cause, effect) or (low == high and _echo(cause, effect))
    if low >= high:
        return _echo(cause, effect) or _first_hand(cause, effect) or _led_to(cause, effect) or (effect.entry is None and effect.weight <= 2 < cause.weight and high <= 1 and _well_after(effect, cause))
    if cause.weight < 2 and effect.weight >= 5:
        return False
    if before(cause, effect) or (low <= _DEATH and may_precede(cause, effect)):
        return cause.role == "root" or cause.death or cause.weight >= 5 or effect.weight <= cause.weight or (cause.weight >= 2 and effect.hearsay)
    if cause.death:
        return soon(cause, effect) or (effect.hearsay and (_within(TOLD_SECONDS, cause, effect) or _near(cause, effect)))
    if cause.role != "root":
        return False
    if low <= 1:
        return cause.entry is not None or not _well_after(cause, effect)
    return soon(cause, effect) and cause.weight >= 3 and (cause.rank is None or cause.rank != effect.rank)


def _first_hand(cause: Event, effect: Event) -> bool:
    """On one tier, what a process says of itself, or whom it accuses by name, explains what is only told of others."""
    if cause.entry is not None or cause.weight < 2 or cause.layer != effect.layer or cause.hearsay:
        return False
    return effect.hearsay and (may_precede(cause, effect) or soon(cause, effect))


def _led_to(cause: Event, effect: Event) -> bool:
    """On one tier and in one process, an unknown failure explains a known one after it that can be a consequence."""
    alike = cause.layer == effect.layer and cause.line.origin.stream() == effect.line.origin.stream() and cause.line.file == effect.line.file
    return alike and cause.entry is None and cause.role == "root" and cause.weight >= 2 and effect.role == "either" and before(cause, effect) and soon(cause, effect)


def _known_below(cause: Event, effect: Event) -> bool:
    """Of lines close together, a known one of a driver or the kernel speaks for vaguer ones that lie no deeper; an unknown one never for a known."""
    return effect.entry is None and cause.weight >= 3 > effect.weight and tier(cause) <= tier(effect) and (before(cause, effect) or soon(cause, effect))


def _well_after(one: Event, other: Event) -> bool:
    """Whether two events with times of their own show that ``one`` came well after ``other``."""
    timed = one.when is not None and other.when is not None and not one.at_least and not other.at_least
    return timed and (one.when or 0.0) - (other.when or 0.0) > SOON_SECONDS


def _echo(cause: Event, effect: Event) -> bool:
    """The same failure said again: same entry on another rank, or an unknown error that follows a known one."""
    if cause.layer != effect.layer or not before(cause, effect) or begins(cause) == begins(effect):
        return False
    if cause.entry is not None and cause.entry == effect.entry:
        return True
    return effect.entry is None and cause.weight > effect.weight and not _first_hand(effect, cause)


def _earlier_in_block(cause: Event, effect: Event) -> bool:
    """Within one traceback the head of the chain explains the rest; a known line explains an unknown one."""
    if (cause.entry is None) != (effect.entry is None):
        unknown, known = (cause, effect) if cause.entry is None else (effect, cause)
        heads = known.role == "either" and unknown.role == "root" and unknown.order < known.order
        return heads == (cause is unknown)
    if cause.role != effect.role and "root" in (cause.role, effect.role):
        return cause.role == "root"
    return cause.order < effect.order


def standing(event: Event) -> int:
    """How well an event can stand as first fault, 0 best: known roots and exceptions, then what may be a consequence, then bare error lines."""
    if event.role == "root" and (event.weight >= 3 or tier(event) <= 1):
        return 0
    if event.role == "either" and event.weight >= 5:
        return 1
    if event.weight >= 3:
        return 1
    return 2 if event.weight == 2 else 3


def choose(database: Database, events: list[Event]) -> tuple[Event | None, list[Event]]:
    """The first fault among events, and what else stands unexplained (best first)."""
    candidates = [event for event in events if event.role in ("root", "either")]
    causers = _speakers(candidates)
    free = [event for event in candidates if not any(explains(database, other, event) for other in causers)]
    if not free:
        free = candidates
    timed = _all_timed(free)
    free.sort(key=lambda event: (standing(event), tier(event) > 1, (event.when or 0.0) if timed else 0.0, begins(event)))
    return (free[0], free[1:]) if free else (None, [])


def _speakers(candidates: list[Event]) -> list[Event]:
    """Those that can explain others: where thousands say the same, the earliest few of each kind speak for all."""
    if len(candidates) <= _FEW:
        return candidates
    kinds: dict[tuple[object, ...], int] = {}
    speakers = []
    for event in sorted(candidates, key=begins):
        kind = (event.entry, event.layer, event.role, event.weight, event.death, bool(event.derived))
        kinds[kind] = kinds.get(kind, 0) + 1
        if kinds[kind] <= _PER_KIND:
            speakers.append(event)
    return speakers


def _all_timed(events: list[Event]) -> bool:
    """Whether time can order events: they stand in several files, and each has one.  Otherwise the reading order does."""
    return len({event.line.file for event in events}) > 1 and all(event.when is not None for event in events)


def begins(event: Event) -> int:
    """Where an event begins: a traceback at its first line, not at its exception."""
    return event.block.first.order if event.block is not None else event.order
