# SPDX-License-Identifier: MIT
"""Rank by rank: who spoke from where, how far it came, what it said first, who is silent; and every event as a mark to draw.

The verdict's lists are cut where people stop reading.  A picture of a thousand ranks needs all of them, but only where
each stands and of which kind it is: a mark is seven numbers.
"""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from . import naming
from .events import Collector, Event, FileFacts
from .placing import shape

#: Ranks in the table, and marks in the picture; what is beyond is counted.
MOST_RANKS, MOST_MARKS = 4096, 12_000
_LOUD = ("root", "either", "consequence", "wrapper", "teardown")


def add(result: dict[str, Any], collector: Collector, events: list[Event]) -> None:
    """Put the table of ranks and the marks of the picture into a result."""
    roles = _roles(result, events)
    shown = [event for event in events if event.role in _LOUD]
    result["ranks_table"] = _table(result, collector, shown, roles)
    result["map"] = _marks([event for event in events if event.role != "advice"], roles)


def _roles(result: dict[str, Any], events: list[Event]) -> dict[int, str]:
    """What each event is in this verdict: an event that could have been the first fault, and is not, follows from it."""
    accused = result.get("root") or {}
    places = {(line["file"], line["line"]) for line in accused.get("evidence", ())[:2]}
    overcome = {(row["entry"], line["file"], line["line"]) for row in result.get("recovered", ()) for line in row["evidence"]}
    roles: dict[int, str] = {}
    found = False
    for event in events:
        role = "consequence" if event.role in ("root", "either") else event.role
        if not found and event.entry == accused.get("entry") and (event.line.file, event.line.number) in places and event.role not in ("clue", "advice", "benign"):
            role, found = "root", True
        elif (event.entry, event.line.file, event.line.number) in overcome:
            role = "recovered"
        roles[id(event)] = role
    return roles


def _table(result: dict[str, Any], collector: Collector, events: list[Event], roles: dict[int, str]) -> list[dict[str, Any]]:
    rows: dict[tuple[int, str], dict[str, Any]] = {}
    named = _ranks_of_files(collector, events)
    for facts in collector.files.values():
        rank = next(iter(facts.ranks)) if len(facts.ranks) == 1 else named.get(facts.name.replace("\\", "/"))
        for each in sorted(facts.ranks)[:MOST_RANKS] if rank is None else [rank]:
            _row(rows, each, facts)
        if rank is None and not facts.ranks:
            _row(rows, None, facts)
    for rank in (result.get("ranks") or {}).get("seen", ())[:MOST_RANKS]:
        _row(rows, rank)
    for event in events:
        facts = collector.files.get(event.line.file)
        row = _row(rows, event.rank, facts if event.rank is None or not _known(rows, event.rank) else None)
        row["events"] += event.count
        row["host"] = row["host"] or event.host
        role = roles[id(event)]
        if row["fault"] is None or (role == "root" and row["role"] != "root"):
            row["fault"] = {"file": event.line.file, "line": event.line.number, "entry": event.entry, "title": _title(event), "time": event.when}
            row["role"] = role
    accused = result.get("root") or {}
    for row in rows.values():
        if row["rank"] is not None and row["rank"] == accused.get("rank") and not any(other["role"] == "root" and other["rank"] is not None for other in rows.values()):
            row["role"] = "root"  # a comparison of ranks accuses one that need not have said anything
    for rank in (result.get("ranks") or {}).get("missing", ()):
        _row(rows, rank)["role"] = "silent"
    return sorted(rows.values(), key=lambda row: (row["rank"] is None, row["rank"] or 0))[:MOST_RANKS]


def _row(rows: dict[tuple[int, str], dict[str, Any]], rank: int | None, facts: FileFacts | None = None) -> dict[str, Any]:
    """The row of a rank; lines that belong to no rank have one row per file."""
    key = (-1, facts.name if facts else "") if rank is None else (rank, "")
    row = rows.get(key)
    if row is None:
        row = rows[key] = {"rank": rank, "host": None, "files": [], "last_step": None, "last_line": None, "fault": None, "role": "quiet", "events": 0}
    if facts is not None and facts.name not in row["files"] and len(row["files"]) < 8:
        row["files"].append(facts.name)
        if len(facts.ranks) <= 1:
            row["last_step"] = max(filter(None, (row["last_step"], _last_step(facts))), default=None)
            row["last_line"] = facts.last_line.number if facts.last_line else None
            row["host"] = row["host"] or (facts.last_line.origin.host if facts.last_line else None)
    return row


def _known(rows: dict[tuple[int, str], dict[str, Any]], rank: int) -> bool:
    """Whether a rank has a file already: an accused rank need not have written the line that accuses it."""
    return bool(rows.get((rank, ""), {}).get("files"))


def _ranks_of_files(collector: Collector, events: Iterable[Event]) -> dict[str, int]:
    """The one rank that a file belongs to where only names tell it; a launcher's output belongs to none."""
    if len(collector.files) < 2:
        return {}
    consoles = {event.line.file for event in events if event.layer == "launcher"}
    spoken = {name.replace("\\", "/"): facts.ranks for name, facts in collector.files.items()}
    return {name: rank for name, rank in naming.ranks([name for name in collector.files if name not in consoles], spoken).items() if not spoken.get(name)}


def _last_step(facts: FileFacts) -> int | None:
    """The last number of the counter that came last: a step where steps are printed, else an epoch or iteration."""
    return facts.progress[-1][1] if facts.progress else None


def _title(event: Event) -> str:
    return event.label[:200]


def _marks(events: list[Event], roles: dict[int, str]) -> dict[str, Any]:
    """All events as `rank order time kind line file count`, - where not known; kinds and files are numbered.  One string each keeps the JSON readable."""
    kinds: dict[tuple[str, str], int] = {}
    names: list[dict[str, Any]] = []
    files: dict[str, int] = {}
    marks: list[str] = []
    kept = sorted(events, key=lambda event: roles[id(event)] != "root")[:MOST_MARKS]
    for event in sorted(kept, key=lambda event: event.order):
        role = roles[id(event)]
        key = (event.entry or shape(event.label), role)
        if key not in kinds:
            kinds[key] = len(names)
            names.append({"entry": event.entry, "title": _title(event), "role": role})
        file = files.setdefault(event.line.file, len(files))
        rank = "-" if event.rank is None else event.rank
        when = "-" if event.when is None else f"{event.when:.3f}"
        marks.append(f"{rank} {event.order} {when} {kinds[key]} {event.line.number} {file} {event.count}")
    return {"kinds": names, "files": list(files), "marks": marks, "left_out": len(events) - len(marks)}
