# SPDX-License-Identifier: MIT
"""Processes that died without a word: only the launcher's report speaks for them.

A rank killed by a signal, or one that left without a traceback, is the silent one; the others then report closed
connections, and those reports stand earlier in the log than the launcher's.
"""
from __future__ import annotations

from . import generic
from .causes import FLUSHED_SECONDS
from .event import Event
from .launchers import Launchers
from .lazy import Pattern
from .lines import Line

#: SIGABRT follows an error that was printed; SIGTERM is how launchers end the others.
_ABORT, _TERM = -6, -15
#: Some other signal.
_SIGNALLED = -9
#: What stands in a log before a process aborts.
_LAST_WORDS = Pattern(r"terminate called|what\(\):|Fatal Python error|Assertion|Check failed|corrupt|\(\): invalid|[Ee]nforce fail")
#: How a parent numbers the process that it lost.
_NUMBERED = Pattern(r"\b(?:[Pp]rocess|\w{0,20}[Ww]orker|[Ss]hard)[ _-](?P<rank>\d{1,3})\b")


def promote(events: list[Event], launchers: Launchers) -> list[Event]:
    """Turn the launcher's report of a silent death into a fault of that rank; gives events to add."""
    added = []
    _children(events)
    for code, local_rank, pid, line in launchers.agents:
        rank = launchers.rank_of_pid(line.origin.host, pid)
        if rank is None:
            rank = launchers.rank_of_local(line.file, local_rank)
        event = _report(events, line)
        if code == 0 or not _silent(code, rank, _until(events, event)):
            continue
        if event is None:
            event = Event(None, None, "either", "launcher", line, {}, None, f"process {pid} exited with code {code}", 3, last=line.order)
            added.append(event)
        event.role, event.death, event.weight = "either", True, max(event.weight, 4)
        event.rank, event.local_rank = rank, local_rank
    _tasks(events, launchers)
    told = _told_to_stop(events)
    if told is not None:
        told.role, told.death = "either", True
    for event in events:
        if event.layer == "launcher" and event.role == "either" and event.block is None and generic.died(event.line.message):
            event.death = True
        if event.death and event.rank is None and generic.died(event.line.message):
            event.rank = _numbered(event, launchers)
    for event in events:
        signal = event.captures.get("signal", "")
        if event.role == "wrapper" and event.layer == "launcher" and event.rank is not None and signal.isdecimal() and int(signal) not in (-_ABORT, -_TERM):
            event.role, event.death = "either", True
    return added


def _children(events: list[Event]) -> None:
    """A program that a rank started failed, and the rank died of it."""
    for event in events:
        if _of_its_own_child(event, events):
            event.role, event.death, event.weight = "either", True, max(event.weight, 4)


def _tasks(events: list[Event], launchers: Launchers) -> None:
    """The scheduler's report of a silent death, where no launcher stands between it and the ranks."""
    task = None if launchers.agents else _first_task(events)
    if task is not None and _code(task) != 1 and _silent(_code(task), _task(task), _until(events, task)) and not _told_more(events, task):
        task.role, task.death, task.weight, task.rank = "either", True, max(task.weight, 4), _task(task)


def _of_its_own_child(event: Event, events: list[Event]) -> bool:
    """Whether a report of another process is what a rank itself died of: a program that it started failed, and its traceback says nothing else."""
    if event.role != "wrapper" or event.layer != "launcher" or not event.uncaught or event.line.message.lstrip().partition(":")[0].rpartition(".")[2] != "CalledProcessError":
        return False
    return not any(other is not event and other.block is event.block and other.role in ("root", "either") for other in events)


def _first_task(events: list[Event]) -> Event | None:
    """The first task that a scheduler saw end: those after it were ended because of it, or fell over its absence."""
    return next((event for event in events if event.role == "wrapper" and event.layer == "scheduler" and _task(event) is not None), None)


def _told_more(events: list[Event], task: Event) -> bool:
    """Whether something in the log says more than that a task ended: anything but what its peers saw of it, or what the scheduler did about it later."""
    others = [event for event in events if event.role in ("root", "either")]
    return not others or any(not event.hearsay and not (event.layer == "scheduler" and event.order > task.order) for event in others)


def _task(event: Event) -> int | None:
    """The number of a scheduler's task, which is the rank where no launcher of its own stands between."""
    number = event.captures.get("task", "")
    return int(number) if number.isdecimal() and len(number) < 8 else None


def _code(event: Event) -> int:
    """A task's exit code, as the scheduler writes it: a number, or the words of a signal."""
    number = event.captures.get("exitcode", "")
    return int(number) if number.isdecimal() and len(number) < 6 else _ABORT if "Aborted" in event.line.message else _SIGNALLED


def _numbered(event: Event, launchers: Launchers) -> int | None:
    """The rank of a process that its parent calls by a small number: its place, not its process number."""
    found = _NUMBERED.search(event.line.message[:400]) if event.layer == "launcher" else None
    return int(found["rank"]) if found and int(found["rank"]) < (launchers.world or 64) else None


def _told_to_stop(events: list[Event]) -> Event | None:
    """The first agent that was told to stop from outside, where other inputs only saw their peers vanish."""
    told = [event for event in events if event.role == "wrapper" and event.layer == "launcher" and "death signal, shutting down" in event.line.message]
    if not told or any(event.layer in ("process", "kernel", "hardware", "scheduler") and event.role in ("root", "either") for event in events):
        return None
    files = {event.line.file for event in events if event.layer == "communication" and event.role in ("root", "either")}
    return next((event for event in told if event.line.file not in files), None) if files else None


def _until(events: list[Event], report: Event | None) -> list[Event]:
    """What was said before a launcher's report or soon after it: what workers that were started again say comes later, and belongs to them."""
    told = None if report is None else report.when
    return events if told is None else [event for event in events if event.when is None or event.when <= told + FLUSHED_SECONDS]


def _silent(code: int, rank: int | None, events: list[Event]) -> bool:
    """Whether the death is news: a signal from outside, or an exit of a rank that printed no error."""
    if code < 0 and code not in (_ABORT, _TERM):
        return True
    if code == _ABORT and any(event.rank in (None, rank) and _LAST_WORDS.search(event.line.message) for event in events if event.role in ("root", "either")):
        return False
    spoken = {event.rank for event in events if event.role in ("root", "either") and (event.layer in ("process", "communication") or event.uncaught) and event.block is not None}
    if rank is None or rank in spoken or not spoken - {None}:
        return False
    return all(event.layer != "process" for event in events if event.role == "root" or (event.role == "either" and event.block is not None))


def _report(events: list[Event], line: Line) -> Event | None:
    """The event that the launcher's line already has."""
    return next((event for event in events if event.line.order == line.order and event.role not in ("clue", "benign", "advice")), None)
