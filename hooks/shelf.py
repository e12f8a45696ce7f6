# SPDX-License-Identifier: MIT
"""What a page may know of the other entries."""

from __future__ import annotations

from functools import cached_property

from .edges import Neighbour
from .entry import Entry
from .markup import Words
from .schema import schema


class Shelf:
    """All entries, their relations, and the renderer of their words."""

    def __init__(self, entries: list[Entry], near: dict[str, list[Neighbour]]) -> None:
        """Keep entries by id and alias, and the words' renderer."""
        self.entries = {entry.id: entry for entry in entries}
        self.names = {alias: entry.id for entry in entries for alias in entry.data.get("aliases", [])} | {id_: id_ for id_ in self.entries}
        self.near = near
        self.words = Words(self.names)
        self.degree = {id_: len(items) for id_, items in near.items()}

    @cached_property
    def families(self) -> dict[str, list[Entry]]:
        """Give the families that have entries, in the schema's order, each sorted by title."""
        found: dict[str, list[Entry]] = {family: [] for family in schema()["properties"]["family"]["enum"]}
        for entry in sorted(self.entries.values(), key=lambda entry: entry.data["title"].lower()):
            if entry.data["status"] != "retired":
                found[entry.data["family"]].append(entry)
        return {family: items for family, items in found.items() if items}

    @cached_property
    def places(self) -> dict[str, int]:
        """Give each entry's place on its family's shelf."""
        return {entry.id: place for items in self.families.values() for place, entry in enumerate(items)}

    def beside(self, entry: Entry) -> tuple[Entry | None, Entry | None]:
        """Give the entries before and after one in its family."""
        items, place = self.families.get(entry.data["family"], []), self.places.get(entry.id)
        if place is None:
            return None, None
        return items[place - 1] if place else None, items[place + 1] if place + 1 < len(items) else None
