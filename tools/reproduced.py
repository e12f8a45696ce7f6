# SPDX-License-Identifier: MIT
"""How many entries carry a log captured from a real run, and whether the script that made it is there."""
from __future__ import annotations

import re
import sys
from pathlib import Path

from hooks.compiling import usable
from hooks.entry import Entry
from hooks.load import load_folder

ROOT = Path(__file__).resolve().parent.parent


def captured(entries: list[Entry]) -> dict[str, list[str]]:
    """Give, for each entry with a reproduced sample, the scripts that its samples name."""
    return {
        entry.id: sources for entry in entries
        if (sources := [sample["source"] for sample in entry.data["samples"] if sample["provenance"] == "reproduced"])
    }


def script(source: str) -> Path | None:
    """Give the script that a source names, if it is there."""
    for word in re.findall(r"[\w./-]+", source):
        path = ROOT / word.rstrip(".")
        if word.startswith("tests/reproduce/") and path.is_file():
            return path
    return None


def lost(entries: list[Entry]) -> list[str]:
    """Say which reproduced samples name no script that exists."""
    return [f"{id_}: {source}" for id_, sources in captured(entries).items() for source in sources if not script(source)]


def main() -> int:
    """Print the counts; exit 1 when a script is not there."""
    entries, _problems = usable(load_folder(ROOT / "entries", ROOT)[0])
    found, missing = captured(entries), lost(entries)
    scripts = {script(source) for sources in found.values() for source in sources} - {None}
    print("\n".join(f"no such script: {line}" for line in missing) + ("\n" if missing else ""), end="")
    print(f"{len(found)} entries carry a log captured from a real run ({sum(map(len, found.values()))} samples, {len(scripts)} scripts)")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
