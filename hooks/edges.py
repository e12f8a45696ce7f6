# SPDX-License-Identifier: MIT
"""Typed relations between entries: written on one side of an entry's file, used from both sides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .entry import Entry

#: written type -> (type as the matcher reads it, whether the written target comes first)
NORMAL = {
    "causes": ("causes", False),
    "caused_by": ("causes", True),
    "wraps": ("wraps", False),
    "wrapped_by": ("wraps", True),
    "supersedes": ("supersedes", False),
    "superseded_by": ("supersedes", True),
    "confused_with": ("confused", False),
}
#: how the page of A, and the page of B, names an edge from A to B
SEEN_FROM = {
    "causes": ("causes", "caused_by"),
    "wraps": ("wraps", "wrapped_by"),
    "supersedes": ("supersedes", "superseded_by"),
    "confused": ("confused_with", "confused_with"),
}


class Edge(NamedTuple):
    """One relation, read from source to target, and who wrote it."""

    type: str
    source: str
    target: str
    tell: str
    writer: Entry
    path: str


def edges(entries: Iterable[Entry]) -> Iterator[Edge]:
    """Yield all relations in normal form, in the order of the entries."""
    for entry in entries:
        for number, raw in enumerate(entry.data.get("related") or []):
            kind, turned = NORMAL[raw["type"]]
            source, target = (raw["id"], entry.id) if turned else (entry.id, raw["id"])
            if kind == "confused" and source > target:
                source, target = target, source
            yield Edge(kind, source, target, raw.get("tell", ""), entry, f"related[{number}]")


class Neighbour(NamedTuple):
    """What one page says of another entry."""

    type: str
    id: str
    tell: str


def neighbours(entries: Iterable[Entry]) -> dict[str, list[Neighbour]]:
    """Give each entry its relations from both sides."""
    found: dict[str, list[Neighbour]] = {}
    for edge in edges(entries):
        here, there = SEEN_FROM[edge.type]
        found.setdefault(edge.source, []).append(Neighbour(here, edge.target, edge.tell))
        found.setdefault(edge.target, []).append(Neighbour(there, edge.source, edge.tell))
    return {id_: sorted(set(items)) for id_, items in found.items()}
