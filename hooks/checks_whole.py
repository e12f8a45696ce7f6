# SPDX-License-Identifier: MIT
"""Checks that need all entries: names are unique, links lead somewhere, relations agree."""

from __future__ import annotations

from collections.abc import Iterator

from .edges import edges
from .entry import Entry, walk
from .problems import Problem
from .prose import ENTRY_LINK, links, prose
from .schema import did_you_mean

#: ids that exist although their file could not be used, so that one broken file is one problem
Names = dict[str, str]


def names_once(entries: list[Entry], _known: Names) -> Iterator[Problem]:
    """An id or alias leads to one page."""
    owner: dict[str, Entry] = {}
    for entry in entries:
        owner.setdefault(entry.id, entry)
    for entry in entries:
        if owner[entry.id] is not entry:
            yield entry.problem("id", f"`{entry.id}` is taken", f"{owner[entry.id].file} has it", "choose another id")
        for number, alias in enumerate(entry.data.get("aliases", [])):
            if alias in owner:
                yield entry.problem(f"aliases[{number}]", f"`{alias}` is taken", f"{owner[alias].file} has it", "remove it from one of them")
            owner.setdefault(alias, entry)


def missing(entry: Entry, path: str, name: str, known: Names, at: str = "") -> Problem:
    """Report a name that leads nowhere."""
    todo = did_you_mean(name, list(known)) or "write the id of an entry that exists"
    return entry.problem(path, f"there is no entry `{name}`", "a link must lead to a page", todo, at=at)


def targets_exist(entries: list[Entry], known: Names) -> Iterator[Problem]:
    """Relations, decisions, successors and links in prose lead to entries that exist."""
    for entry in entries:
        for number, edge in enumerate(entry.data.get("related", [])):
            if edge["id"] not in known:
                yield missing(entry, f"related[{number}].id", edge["id"], known)
        for path, value in walk(entry.data.get("decision", {}), "decision"):
            if path.endswith(".entry") and value not in known:
                yield missing(entry, path, value, known)
        if entry.data.get("replaced_by") and entry.data["replaced_by"] not in known:
            yield missing(entry, "replaced_by", entry.data["replaced_by"], known)
        for path, text in prose(entry):
            for whole, target in links(text):
                if (found := ENTRY_LINK.fullmatch(target)) and found["id"] not in known:
                    yield missing(entry, path, found["id"], known, at=whole[:12])


def relations_use_ids(entries: list[Entry], known: Names) -> Iterator[Problem]:
    """The matcher reasons with ids, an alias would be a second name for the same edge."""
    for entry in entries:
        for number, edge in enumerate(entry.data.get("related", [])):
            if known.get(edge["id"], edge["id"]) != edge["id"]:
                yield entry.problem(f"related[{number}].id", f"`{edge['id']}` is an alias", "relations name entries by id", f"write `{known[edge['id']]}`")


def relations_agree(entries: list[Entry], _known: Names) -> Iterator[Problem]:
    """A relation is written on one side only, and the other way round it would contradict itself."""
    seen = {}
    for edge in edges(entries):
        if edge.source == edge.target:
            yield edge.writer.problem(edge.path, "an entry is related to itself", "a relation has two ends", "remove it")
            continue
        key, turned = (edge.type, edge.source, edge.target), (edge.type, edge.target, edge.source)
        if key in seen:
            there = seen[key]
            todo = "keep the one that is easier to explain"
            other = edge.target if edge.writer.id == edge.source else edge.source
            why = f"{there.writer.file}:{there.writer.line(there.path)} has it; the other side is derived"
            yield edge.writer.problem(edge.path, f"this relation with `{other}` stands twice", why, todo)
        elif turned in seen:
            there = seen[turned]
            why = f"{there.writer.file}:{there.writer.line(there.path)} says the opposite"
            yield edge.writer.problem(edge.path, f"`{edge.source}` {edge.type} `{edge.target}` contradicts another relation", why, "decide which way it goes")
        seen.setdefault(key, edge)


def contexts_exist(entries: list[Entry], known: Names) -> Iterator[Problem]:
    """`needs` and `unless` name signals that exist."""
    signals = {f"{entry.id}/{signal['id']}" for entry in entries for signal in entry.data["signals"]}
    usable = {entry.id for entry in entries}
    for entry in entries:
        for number, signal in enumerate(entry.data["signals"]):
            for side in ("needs", "unless"):
                for place, name in enumerate(signal.get(side, {}).get("any", [])):
                    full = name if "/" in name else f"{entry.id}/{name}"
                    owner = full.partition("/")[0]
                    if full in signals or (owner in known and owner not in usable):
                        continue
                    near = did_you_mean(full, sorted(signals)) or "name a signal of this entry, or `entry-id/signal-id`"
                    yield entry.problem(f"signals[{number}].{side}.any[{place}]", f"there is no signal `{name}`", "the condition could never hold", near)


def retired_leads_on(entries: list[Entry], _known: Names) -> Iterator[Problem]:
    """A retired entry leads to a living one."""
    status = {entry.id: entry.data["status"] for entry in entries}
    for entry in entries:
        successor = entry.data.get("replaced_by")
        if entry.data["status"] == "retired" and status.get(successor) == "retired":
            yield entry.problem("replaced_by", f"`{successor}` is retired too", "a reader would be sent on twice", "name the entry that is alive")
