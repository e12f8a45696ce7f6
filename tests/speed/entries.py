# SPDX-License-Identifier: MIT
"""A checkout with thousands of entries, to see what grows with them: the real ones, and variants of them with other ids, signals and words.

Every long word that stands in a signal's text, and every long word of prose, gets an ending of its variant; so signals
meet only their own samples, sentences differ, and links lead to the same variant.
"""
from __future__ import annotations

import argparse
import re
import shutil
from pathlib import Path
from typing import Any

import yaml

from hooks.entry import Entry
from hooks.load import load_folder

ROOT = Path(__file__).resolve().parent.parent.parent
#: what is copied to make a checkout; the rest is linked, since only entries differ
PARTS = ("firstfault", "hooks", "overrides", "schema", "proofs", "tests/cases", "mkdocs.yml", "package.json")
LINKED = ("node_modules", "build")
#: words that the engine itself reads lines by
KEPT = {"traceback", "recent", "error", "warning", "exception", "fatal", "killed", "failed", "failures", "exitcode", "local_rank", "signal", "torchrun", "elastic", "cause", "observed"}
#: fields whose values are names or addresses, not words
NAMES = {
    "id", "kind", "status", "family", "layer", "domain", "behaviour", "also_seen_as", "vendors", "role", "type", "url", "language",
    "helps", "provenance", "created", "updated", "check", "versions", "since", "until", "evidence", "project", "file", "commit", "package", "command"
}
IDS = {"id", "entry", "replaced_by"}
WORD = re.compile(r"(?<![A-Za-z_{<-])[A-Za-z]{7,}(?![A-Za-z_}>:(-])")
LINK = re.compile(r"\]\(([a-z0-9-]+)(#[a-z0-9-]+)?\)")


class Plain(yaml.CSafeDumper):
    """Writes no anchors: entries are plain data."""

    def ignore_aliases(self, data: Any) -> bool:
        """Write everything out."""
        return True


def variant(value: Any, ending: str, known: set[str], key: str = "", depth: int = 0) -> Any:
    """Give the same data with other ids, signals and words."""
    if isinstance(value, dict):
        return {name: variant(item, ending, known, name, depth + 1) for name, item in value.items()}
    if isinstance(value, list):
        return [variant(item, ending, known, key, depth + 1) for item in value]
    if not isinstance(value, str):
        return value
    if key == "aliases" or (key in IDS and value in known):
        return f"{value}-{ending}"
    if key in ("any", "all", "none"):
        entry, slash, signal = value.partition("/")
        return f"{entry}-{ending}/{signal}" if slash else value
    if key in NAMES:
        return value
    words = WORD.sub(lambda found: found.group() if found.group().lower() in KEPT else found.group() + ending, value)
    return LINK.sub(lambda found: f"]({found[1]}-{ending}{found[2] or ''})", words)


def endings(count: int) -> list[str]:
    """Give short endings that are words of no language."""
    letters = "jkqvwxz"
    return [f"q{a}{b}" for a in letters for b in letters][:count]


def checkout(folder: Path, count: int) -> Path:
    """Make a checkout with so many entries."""
    shutil.rmtree(folder, ignore_errors=True)
    for part in PARTS:
        source, target = ROOT / part, folder / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "data"))
        else:
            shutil.copy(source, target)
    for part in LINKED:
        (folder / part).symlink_to(ROOT / part)
    real = sorted((entry for entry in load_folder(ROOT / "entries", ROOT)[0] if entry.data.get("status") == "stable"), key=lambda entry: entry.id)
    write(real, folder / "entries", count)
    return folder


def write(real: list[Entry], folder: Path, count: int) -> None:
    """Write the first real entries, then variants until there are enough."""
    known = {entry.id for entry in real} | {alias for entry in real for alias in entry.data.get("aliases", [])}
    for entry in real[:count]:
        target = folder / Path(entry.file).relative_to("entries")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / entry.file, target)
    left = count - len(real)
    for ending in endings(-(-left // len(real)) if left > 0 else 0):
        for entry in real[:left]:
            data = shortened(variant(entry.data, ending, known))
            path = folder / data["family"] / f"{data['id']}.yaml"
            path.write_text(yaml.dump(data, Dumper=Plain, allow_unicode=True, sort_keys=False, width=10_000), encoding="utf-8")
        left -= min(left, len(real))


def shortened(data: dict[str, Any]) -> dict[str, Any]:
    """Keep titles and short texts within what the schema allows."""
    for key, most in (("title", 90), ("signature", 200), ("summary", 480), ("first_step", 320), ("root_cause", 320)):
        if len(str(data.get(key, ""))) > most:
            data[key] = str(data[key])[:most].rstrip()
    return data


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Make a checkout with many entries.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("count", type=int)
    options = parser.parse_args()
    print(checkout(options.folder, options.count))
