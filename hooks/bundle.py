# SPDX-License-Identifier: MIT
"""Entries -> what the installed engine reads: the database, the full texts that `explain` prints, the search index, the report's page.

All are built, never committed. Equal entries give equal bytes, so the version is the content's.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from firstfault import database, report_html, searchformat

from . import reportpage, searchindex
from .compiling import compile_database, full_texts, usable
from .entry import Entry
from .load import ENTRIES, ROOT, load_folder


def write(entries: list[Entry], folder: Path, site: str = "") -> dict[str, Any]:
    """Write database.jsonl, entries.json, search.json and report.html; a reader never sees half a file."""
    data = compile_database(entries, site)
    texts = json.dumps(full_texts(entries, data["version"]), ensure_ascii=False, separators=(",", ":"))
    folder.mkdir(parents=True, exist_ok=True)
    index = json.dumps(searchindex.build([entry.data for entry in entries]), ensure_ascii=False, separators=(",", ":"))
    for name, text in (("database.jsonl", database.dumps(data)), ("entries.json", texts), (searchformat.FILE, index), (report_html.FILE, reportpage.template())):
        fresh = folder / f".{name}.new"
        fresh.write_text(text, encoding="utf-8", newline="\n")
        fresh.replace(folder / name)
    return data


def main(arguments: list[str] | None = None) -> int:
    """Compile the database into a folder."""
    parser = argparse.ArgumentParser(prog="python -m hooks.bundle", description="Compile the entries into a database.")
    parser.add_argument("folder", type=Path, help="where to write database.jsonl, entries.json and search.json")
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
