# SPDX-License-Identifier: MIT
"""Processes that died without a word: only the launcher's report speaks for them.

A rank killed by a signal, or one that left without a traceback, is the silent one; the others then report closed
connections, and those reports stand earlier in the log than the launcher's.
"""
from __future__ import annotations

from .events import Event
from .launchers import Launchers
from .lines import Line

#: SIGABRT follows an error that was printed; SIGTERM is how launchers end the others.
_ABORT, _TERM = -6, -15


def promote(events: list[Event], launchers: Launchers) -> list[Event]:
    """Turn the launcher's report of a silent death into a fault of that rank; gives events to add."""
    spoken = {event.rank for event in events if event.role in ("root", "either") and event.layer in ("process", "communication") and event.block is not None}
    added = []
    for code, local_rank, pid, line in launchers.agents:
        rank = launchers.rank_of_pid(line.origin.host, pid)
        if code == 0 or not _silent(code, rank, spoken, events):
            continue
        event = _report(events, line)
        if event is None:
            event = Event(None, None, "either", "launcher", line, {}, None, f"process {pid} exited with code {code}", 3, last=line.order)
            added.append(event)
        event.role, event.death, event.weight = "either", True, max(event.weight, 4)
        event.rank, event.local_rank = rank, local_rank
    told = _told_to_stop(events)
    if told is not None:
        told.role, told.death = "either", True
    for event in events:
        signal = event.captures.get("signal", "")
        if event.role == "wrapper" and event.layer == "launcher" and event.rank is not None and signal.isdecimal() and int(signal) not in (-_ABORT, -_TERM):
            event.role, event.death = "either", True
    return added


def _told_to_stop(events: list[Event]) -> Event | None:
    """The first agent that was told to stop from outside, where other inputs only saw their peers vanish."""
    told = [event for event in events if event.role == "wrapper" and event.layer == "launcher" and "death signal, shutting down" in event.line.message]
    if not told or any(event.layer in ("process", "kernel", "hardware", "scheduler") and event.role in ("root", "either") for event in events):
        return None
    files = {event.line.file for event in events if event.layer == "communication" and event.role in ("root", "either")}
    return next((event for event in told if event.line.file not in files), None) if files else None


def _silent(code: int, rank: int | None, spoken: set[int | None], events: list[Event]) -> bool:
    """Whether the death is news: a signal from outside, or an exit of a rank that printed no error."""
    if code < 0 and code not in (_ABORT, _TERM):
        return True
    if rank is None or rank in spoken or not spoken - {None}:
        return False
    return all(event.layer != "process" for event in events if event.role == "root" or (event.role == "either" and event.block is not None))


def _report(events: list[Event], line: Line) -> Event | None:
    """The event that the launcher's line already has."""
    return next((event for event in events if event.line.order == line.order and event.role not in ("clue", "benign", "advice")), None)
