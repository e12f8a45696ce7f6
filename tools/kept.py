# SPDX-License-Identifier: MIT
"""What a measurement leaves under proofs/: the result for programs and for the next comparison, the table for people.

The page of measurements shows every table as it was committed, so all of them are written here, in one form.
"""
from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

PROOFS = Path(__file__).resolve().parent.parent / "proofs"


def dumps(result: dict[str, Any]) -> str:
    """The result as its file holds it; equal results give equal files."""
    return json.dumps(result, indent=1, sort_keys=True) + "\n"


def last(name: str) -> dict[str, Any]:
    """The result that was committed last; nothing before the first one."""
    path = PROOFS / f"{name}.json"
    return dict(json.loads(path.read_text("utf-8"))) if path.exists() else {}


def keep(name: str, result: dict[str, Any], text: str) -> None:
    """Write the result and its table, to be committed."""
    (PROOFS / f"{name}.json").write_text(dumps(result), encoding="utf-8", newline="\n")
    (PROOFS / f"{name}.md").write_text(text, encoding="utf-8", newline="\n")


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table, its last line ended."""
    return "".join(f"| {' | '.join(map(str, row))} |\n" for row in (head, ["---"] * len(head), *rows))
