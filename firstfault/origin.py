# SPDX-License-Identifier: MIT
"""What is known of a line beside its message: who wrote it, when, and for which rank."""
from __future__ import annotations

import re
from typing import Any

from .records import record
from .stamps import DATE, TIME, clock


@record(slots=True)
class Origin:
    """What the prefixes of one line tell.  Every field is None when the line does not say.

    ``rank`` is the global rank, ``local_rank`` the index on the node, ``task`` a scheduler's or launcher's
    process number, ``device`` a CUDA index.  ``time`` is in seconds; ``clock`` tells which clock: ``date`` (since
    1970, zone unknown), ``noyear`` (since the start of an unknown year), ``uptime`` (since boot).  ``writer``: the unit
    of the system log, `kernel` for the kernel's own lines, or the library whose prefix tells it.
    """

    rank: int | None = None
    local_rank: int | None = None
    task: int | None = None
    device: int | None = None
    host: str | None = None
    pid: int | None = None
    time: float | None = None
    clock: str = ""
    level: str | None = None
    source: str | None = None
    header: bool = False
    repeats: int = 0
    writer: str | None = None

    def stream(self) -> tuple[Any, ...]:
        """Lines with an equal stream key were written by one process, as far as the prefixes tell."""
        return (self.rank, self.local_rank, self.task, self.source)


def set_date(origin: Origin, date: str, rest: str) -> None:
    """Set the time from `YYYY-MM-DD` and a time of day; an inner one wins, over other clocks too."""
    year, month, day = date.replace("/", "-").split("-")
    value = clock(int(year), int(month), int(day), rest)
    if value is not None:
        origin.time, origin.clock = value, "date"


def set_noyear(origin: Origin, month: int, day: int, rest: str) -> None:
    """Set the time from a date without a year, unless a whole one is known."""
    if origin.clock != "date":
        value = clock(1971, month, day, rest)
        if value is not None:
            origin.time, origin.clock = value - 31536000, "noyear"


def fill(origin: Origin, outer: Origin) -> None:
    """Fill what a line leaves open with what stands around it."""
    for name in ("rank", "local_rank", "task", "device", "host", "pid", "level", "source"):
        if getattr(origin, name) is None:
            setattr(origin, name, getattr(outer, name))
    if origin.time is None:
        origin.time, origin.clock = outer.time, outer.clock


def take_facts(origin: Origin, facts: dict[str, Any]) -> None:
    """Fill what the line itself leaves open with what its record says."""
    for name in ("rank", "local_rank", "host"):
        if getattr(origin, name) is None:
            setattr(origin, name, facts[name])
    if origin.level is None and facts["level"]:
        origin.level = facts["level"][:1].upper()
    time = facts["time"]
    if origin.time is not None or time is None:
        return
    if isinstance(time, str):
        stamp = re.match(rf"{DATE}[T ]{TIME}", time)
        if stamp:
            set_date(origin, stamp["date"], stamp["t"])
    elif time > 1e9:
        seconds = time / 1000 if time > 1e11 else time  # many loggers count milliseconds
        origin.time, origin.clock = (float(seconds), "date") if seconds < 1e10 else (None, "")
