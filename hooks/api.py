# SPDX-License-Identifier: MIT
"""The encyclopedia for programs: `api/v1/`, plain JSON files at addresses that stay.

`v1` changes when a field goes or changes its meaning; new fields may come at any time.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from .pieces import family_name
from .schema import schema

VERSION = 1
LICENCE = "CC BY 4.0"
BRIEF = ("id", "title", "signature", "kind", "status", "family", "layer", "behaviour", "created", "updated")
Texts = dict[str, dict[str, Any]]


def dumps(value: Any) -> str:
    """Write JSON the same way everywhere; equal entries give equal bytes."""
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def brief(entry: dict[str, Any], root: str) -> dict[str, Any]:
    """Give an entry as lists show it: what it is, and where the rest stands."""
    short = {key: entry[key] for key in BRIEF if key in entry}
    return {**short, "url": f"{root}{entry['id']}/", "json": f"{root}api/v{VERSION}/entries/{entry['id']}.json", "markdown": f"{root}{entry['id']}.md"}


def last_change(entries: Iterable[dict[str, Any]]) -> str:
    """Give the day of the youngest change: a build is dated by its content, not by its clock."""
    return max((str(entry.get("updated", "")) for entry in entries), default="")


def files(texts: Texts, version: str, site: str) -> dict[str, str]:
    """Give every file of the API by its address; without a site's address, links are relative to the file."""
    place = f"api/v{VERSION}/"
    top, below = site or "../../", site or "../../../"
    families = [name for name in schema()["properties"]["family"]["enum"] if any(entry["family"] == name for entry in texts.values())]
    of = {name: [entry for entry in texts.values() if entry["family"] == name] for name in families}
    head = {"api": VERSION, "database": version, "updated": last_change(texts.values()), "licence": LICENCE}
    listed = [{"family": name, "name": family_name(name), "entries": len(of[name]), "json": f"{top}{place}families/{name}.json"} for name in families]
    found = {
        f"{place}index.json": dumps({**head, "schema": f"{top}{place}entry.schema.json", "families": listed, "entries": [brief(entry, top) for entry in texts.values()]}),
        f"{place}families.json": dumps({**head, "families": listed}),
        f"{place}entry.schema.json": dumps(schema()),
    }
    for name, entries in of.items():
        found[f"{place}families/{name}.json"] = dumps({**head, "family": name, "name": family_name(name), "entries": [brief(entry, below) for entry in entries]})
    for id_, entry in texts.items():
        found[f"{place}entries/{id_}.json"] = dumps(entry)
    return found
