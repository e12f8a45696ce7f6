# SPDX-License-Identifier: MIT
"""Entries -> the compiled database of the matcher, and every entry whole: the values, without the files that hold them.

Apart from bundle.py, which writes them, because the checks in a browser need the one and not the other.
"""

from __future__ import annotations

from typing import Any

from firstfault import database
from firstfault.patterns import PatternError, compile_template

from . import measured
from .edges import edges, neighbours
from .entry import Entry
from .problems import Problem
from .schema import schema_problems


def qualified(context: dict[str, Any] | None, entry: Entry) -> dict[str, Any] | None:
    """Write the signals that a context names with their entry, as the engine looks them up."""
    if not context:
        return None
    return {**context, "any": [name if "/" in name else f"{entry.id}/{name}" for name in context["any"]]}


def signal(entry: Entry, raw: dict[str, Any]) -> dict[str, Any]:
    """Compile one signal."""
    templates = [compile_template(wording) for wording in raw["match"]]
    compiled = {
        "entry": entry.id,
        "id": raw["id"],
        "role": raw["role"],
        "regex": [template.regex for template in templates],
        "literals": [list(template.literals) for template in templates],
        "anchored": [template.anchored for template in templates],
        "needs": qualified(raw.get("needs"), entry),
        "unless": qualified(raw.get("unless"), entry),
    }
    return {key: value for key, value in compiled.items() if value is not None}


def address(entry: Entry) -> str:
    """Give the page's address below the site's root."""
    return f"{entry.id}/"


def compiled_entry(entry: Entry) -> dict[str, Any]:
    """Keep the fields that a diagnosis shows."""
    data = {**entry.data, "url": address(entry), "measured": measured.of(entry.id)}
    return {key: data[key] for key in database.ENTRY_FIELDS if data.get(key) not in (None, [], "")}


def usable(entries: list[Entry]) -> tuple[list[Entry], list[Problem]]:
    """Set apart the entries that no database can be made from, so that one broken file does not stop the others."""
    good: dict[str, Entry] = {}
    problems: list[Problem] = []
    for entry in entries:
        found = [*schema_problems(entry)]
        for number, raw in enumerate(entry.data.get("signals") or [] if not found else []):
            try:
                signal(entry, raw)
            except PatternError as error:
                found.append(entry.problem(f"signals[{number}].match", "this template does not compile", str(error), "mend it"))
        if not found and entry.id in good:
            found.append(entry.problem("id", f"`{entry.id}` is taken", f"{good[entry.id].file} has it", "choose another id"))
        if found:
            problems += found
        else:
            good[entry.id] = entry
    return [good[id_] for id_ in sorted(good)], problems


def compile_database(entries: list[Entry], site: str = "") -> dict[str, Any]:
    """Make the database dict of usable entries."""
    live = [entry for entry in entries if entry.data["status"] != "retired"]
    known = {entry.id for entry in live}
    signals = [signal(entry, raw) for entry in live for raw in entry.data["signals"]]
    pairs = {(e.type, e.source, e.target): e.tell for e in edges(live) if {e.source, e.target} <= known}
    return database.make(
        {entry.id: compiled_entry(entry) for entry in live},
        signals,
        [[*key, pairs[key]] for key in sorted(pairs)],
        site,
    )


def full_texts(entries: list[Entry], version: str) -> dict[str, Any]:
    """Give every entry whole, with its relations from both sides."""
    near = neighbours(entries)
    titles = {entry.id: entry.data["title"] for entry in entries}
    texts = {}
    for entry in entries:
        relations = [{**item._asdict(), "title": titles[item.id]} for item in near.get(entry.id, []) if item.id in titles]
        texts[entry.id] = {**entry.data, "related": relations, "url": address(entry), "measured": measured.of(entry.id)}
    return {"format": database.FORMAT, "version": version, "entries": texts}
