# SPDX-License-Identifier: MIT
"""What differs within a fold: a thousand lines of one kind are one row, which says from when to when and in which fields they differ."""
from __future__ import annotations

from collections import defaultdict
from typing import Any

from .events import Event
from .placing import shape

#: Lists of a result whose rows are folds, values quoted per field, and fields per row.
LISTS = ("consequences", "recovered", "benign")
_QUOTED, _MOST_FIELDS = 4, 6
#: The reader knows these from the row itself.
_SAID = frozenset({"rank", "host"})


def add(result: dict[str, Any], events: list[Event]) -> None:
    """Put `from`, `until` and `differs` into the rows of a result."""
    groups: dict[tuple[str, str], list[Event]] = defaultdict(list)
    for event in events:
        groups[event.entry or shape(event.label), _role(event.role)].append(event)
    for name in LISTS:
        for row in result.get(name, ()):
            members = groups.get((row["entry"] or shape(row["title"]), _role(row["role"])), [])
            times = [event.when for event in members if event.when is not None]
            row["from"], row["until"] = (min(times), max(times)) if times else (None, None)
            row["differs"] = _differs(members)


def _role(role: str) -> str:
    return role if role in ("wrapper", "teardown", "benign") else "consequence"


def _differs(members: list[Event]) -> list[dict[str, Any]]:
    """The captured fields that have several values: their names, some values, and how many there are."""
    values: dict[str, dict[str, None]] = defaultdict(dict)
    for event in members:
        for field, value in event.captures.items():
            if field not in _SAID:
                values[field][value[:120]] = None
        pid = event.line.origin.pid
        if pid is not None and "pid" not in event.captures:
            values["pid"][str(pid)] = None
    moving = [(field, list(seen)) for field, seen in values.items() if len(seen) > 1]
    return [{"field": field, "values": seen[:_QUOTED], "count": len(seen)} for field, seen in moving[:_MOST_FIELDS]]
