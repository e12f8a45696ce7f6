# SPDX-License-Identifier: MIT
"""How often an entry was right on the labelled logs: read from proofs/bench.json, which `make bench-cases` writes.

An entry without a labelled log says so: no number stands on a page that nobody has measured.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

RESULT = Path(__file__).resolve().parent.parent / "proofs" / "bench.json"


@lru_cache(maxsize=1)
def result() -> dict[str, Any]:
    """Read the committed result; an encyclopedia without one still has its pages."""
    return dict(json.loads(RESULT.read_text("utf-8"))) if RESULT.exists() else {"entries": {}, "totals": {}}


def of(entry: str) -> dict[str, int] | None:
    """Give the counts of an entry, or nothing where no labelled log has it."""
    return result()["entries"].get(entry)
