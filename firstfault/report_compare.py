# SPDX-License-Identifier: MIT
"""What a comparison of two runs says, for a terminal or a program."""
from __future__ import annotations

import json
from typing import Any

from .phrases import place, plural
from .terminal import clip, visible

FORMATS = ("text", "json")


def render(outcome: dict[str, Any], form: str = "text", width: int = 100) -> str:
    """The outcome in one of `FORMATS`; text is masked, as every report that people read."""
    if form == "json":
        return json.dumps(outcome, indent=1) + "\n"
    from .redact import mask_result, masker_for

    shown = mask_result(outcome, masker_for(outcome))
    good, bad = shown["good"], shown["bad"]
    parts = [f"{plural(bad['lines'], 'line')} against {plural(good['lines'], 'line')} of the good run ({plural(good['kinds'], 'kind')} of lines there)"]
    if shown["first"] is None:
        parts.append("Every line of the failed run has its like in the good one. Compare with another good run, or look at what is missing below.")
    else:
        parts.append("The first line that never appears in the good run:\n" + _line(shown["first"], width))
    if shown["first_error"] and shown["first_error"] != shown["first"]:
        parts.append("The first of them that is an error:\n" + _line(shown["first_error"], width))
    parts += _list(f"New in the failed run ({plural(shown['new_kinds'], 'kind')} of lines)", shown["new"][1:], shown["new_kinds"] - 1, width)
    parts += _list(f"Only in the good run ({plural(shown['missing_kinds'], 'kind')} of lines)", shown["missing"], shown["missing_kinds"], width)
    parts += [f"Note: {visible(note)}" for note in shown["notes"]]
    return "\n\n".join(parts) + "\n"


def _line(row: dict[str, Any], width: int) -> str:
    return f"  {visible(place(row))}\n    {clip(row['text'], max(40, width - 4))}"


def _list(title: str, rows: list[dict[str, Any]], count: int, width: int) -> list[str]:
    if not rows:
        return []
    more = [f"  and {count - len(rows):,} more"] if count > len(rows) else []
    return ["\n".join([f"{title}:", *(f"  {visible(place(row))}  {clip(row['text'], max(40, width - 24))}" for row in rows), *more])]
