# SPDX-License-Identifier: MIT
"""The checks as the browser calls them: the text of a draft in, its problems out, by the code of `firstfault check`.

The browser has the database already; what the checks need besides stands in rest.json, beside this package (checkbundle.py).
"""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import cache
from pathlib import Path

from firstfault import database, draft

from .load import parse
from .rest import Rest, from_data
from .validate import validate_one

REST = Path(__file__).resolve().parent.parent / "rest.json"


@cache
def rest() -> Rest:
    """Read what there is beside the draft."""
    return from_data(json.loads(REST.read_text("utf-8")), database.load().data)


def check(text: str, beside: Rest | None = None) -> str:
    """Give the problems of a draft as JSON, where its file belongs, and what in it is masked or still looks private."""
    raw = text.encode("utf-8", "replace")
    first, _ = parse(raw, "draft.yaml")
    family, name = (str(first.data.get(field) or "") if first else "" for field in ("family", "id"))
    file = f"entries/{family}/{name}.yaml" if family and name else "draft.yaml"
    entry, loading = parse(raw, file, family)
    problems = validate_one(entry, loading, beside or rest())
    return json.dumps({
        "file": file, "family": family, "id": name, "problems": [asdict(problem) for problem in problems],
        "hidden": draft.hidden(text), "private": draft.private(text),
    })
