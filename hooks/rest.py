# SPDX-License-Identifier: MIT
"""All entries, cut down to what the checks of one entry need to know of the others.

With it one entry is checked in a fraction of a second, and in a browser, which gets no YAML of the others: their names,
relations and signals, the places of their sentences, and the compiled database.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from firstfault import database

from .checks_words import places_of_sentences
from .compiling import compile_database, compiled_entry, signal, usable
from .edges import edges
from .entry import Entry

#: the fields that checks across entries read
NEEDED = ("id", "kind", "status", "aliases", "replaced_by")


@dataclass
class Rest:
    """What there is beside the entry that is checked."""

    entries: list[Entry] = field(default_factory=list)
    sentences: dict[str, list[str]] = field(default_factory=dict)
    compiled: dict[str, Any] = field(default_factory=dict)
    #: files that cannot be used at present; a relation to one of them is no second problem
    unread: list[str] = field(default_factory=list)

    def beside(self, entry: Entry) -> list[Entry]:
        """Give the other entries; a changed entry is not its own neighbour."""
        return [other for other in self.entries if other.file != entry.file]

    def data(self) -> dict[str, Any]:
        """Give it as JSON values, without the database, which travels by itself."""
        return {"entries": [[entry.file, entry.folder, entry.data] for entry in self.entries], "sentences": self.sentences, "unread": self.unread}


def outline(entry: Entry) -> Entry:
    """Cut an entry down; its lines are not kept, since nothing is reported of it."""
    data = {key: entry.data[key] for key in NEEDED if key in entry.data}
    data["related"] = [{"type": edge["type"], "id": edge["id"]} for edge in entry.data.get("related", [])]
    data["signals"] = [{"id": one["id"]} for one in entry.data["signals"]]
    return Entry(entry.file, entry.folder, data, schema_problems=[])


def rest_of(entries: Iterable[Entry], unread: Iterable[str] = ()) -> Rest:
    """Cut entries down and compile their database."""
    good, problems = usable(list(entries))
    left_out = {problem.file for problem in problems}
    return Rest([outline(entry) for entry in good], places_of_sentences(good), compile_database(good), sorted({*unread, *left_out}))


def from_data(data: dict[str, Any], compiled: dict[str, Any]) -> Rest:
    """Read what `Rest.data` gave."""
    return Rest([Entry(file, folder, fields, schema_problems=[]) for file, folder, fields in data["entries"]], data["sentences"], compiled, data["unread"])


def database_with(entry: Entry, rest: Rest) -> database.Database:
    """Give the whole database with one entry added, or in the place of its former self."""
    pairs = {(edge.type, edge.source, edge.target) for edge in edges([*rest.beside(entry), entry])}
    known = {*rest.compiled["entries"], entry.id}
    kept = sorted([*pair, ""] for pair in pairs if {*pair[1:]} <= known)
    signals = [signal(entry, raw) for raw in entry.data["signals"]]
    return database.Database(database.changed(rest.compiled, {entry.id: compiled_entry(entry)}, signals, kept))

