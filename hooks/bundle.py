# SPDX-License-Identifier: MIT
"""Entries -> the compiled database of the matcher, and the full texts that `explain` prints.

Both are built, never committed. Equal entries give equal bytes, so the version is the content's.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from firstfault import database, report_html, searchformat
from firstfault.patterns import PatternError, compile_template

from . import measured, reportpage, searchindex
from .edges import edges, neighbours
from .entry import Entry
from .load import load_folder
from .problems import Problem
from .schema import schema_problems

ROOT = Path(__file__).resolve().parent.parent
ENTRIES = ROOT / "entries"


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


def write(entries: list[Entry], folder: Path, site: str = "") -> dict[str, Any]:
    """Write database.json, entries.json, search.json and report.html; a reader never sees half a file."""
    data = compile_database(entries, site)
    texts = json.dumps(full_texts(entries, data["version"]), ensure_ascii=False, separators=(",", ":"))
    folder.mkdir(parents=True, exist_ok=True)
    index = json.dumps(searchindex.build([entry.data for entry in entries]), ensure_ascii=False, separators=(",", ":"))
    for name, text in (("database.json", database.dumps(data)), ("entries.json", texts), (searchformat.FILE, index), (report_html.FILE, reportpage.template())):
        fresh = folder / f".{name}.new"
        fresh.write_text(text, encoding="utf-8", newline="\n")
        fresh.replace(folder / name)
    return data


def main(arguments: list[str] | None = None) -> int:
    """Compile the database into a folder."""
    parser = argparse.ArgumentParser(prog="python -m hooks.bundle", description="Compile the entries into a database.")
    parser.add_argument("folder", type=Path, help="where to write database.json, entries.json and search.json")
    parser.add_argument("--site", default="", help="address of the site that shows the entries, put before their pages' addresses")
    parser.add_argument("--strict", action="store_true", help="exit 1 when an entry had to be left out")
    options = parser.parse_args(arguments)
    loaded, problems = load_folder(ENTRIES, ROOT)
    entries, unusable = usable(loaded)
    problems += unusable
    for problem in sorted(problems):
        print(problem, file=sys.stderr)
    data = write(entries, options.folder, options.site)
    left_out = len({problem.file for problem in problems})
    print(f"{len(data['entries'])} entries, {len(data['signals'])} signals, version {data['version']}" + (f"; {left_out} left out" if left_out else ""))
    return 1 if problems and options.strict else 0


if __name__ == "__main__":
    raise SystemExit(main())
