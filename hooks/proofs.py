# SPDX-License-Identifier: MIT
"""What the mechanical proof says of a signal, in words for its page; proofs/results.json is written by `make prove`."""

from __future__ import annotations

import json
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).resolve().parent.parent / "proofs" / "results.json"


@lru_cache(maxsize=1)
def results() -> dict[str, dict[str, str]]:
    """Read the committed result; an encyclopedia without one still has its pages."""
    return dict(json.loads(RESULTS.read_text("utf-8"))["signals"]) if RESULTS.exists() else {}


def printed_by(emitter: dict[str, Any]) -> str:
    """Say who prints a line: project, file, versions."""
    span = " to ".join(escape(str(emitter[key])) for key in ("since", "until") if key in emitter)
    if "since" in emitter and "until" not in emitter:
        span = f"since {span}"
    elif "until" in emitter and "since" not in emitter:
        span = f"until {span}"
    parts = [escape(str(emitter.get("project", ""))), f"<code>{escape(str(emitter['file']), quote=False)}</code>" if "file" in emitter else "", span]
    return ", ".join(part for part in parts if part)


def found(name: str) -> str:
    """Say where the text of a signal was found."""
    result = results().get(name, {})
    where = escape(result.get("where", "")).replace("==", " ")
    if result.get("status") == "proven":
        hit, _, of = result.get("wordings", "1/1").partition("/")
        share = "" if hit == of else f" ({hit} of {of} wordings)"
        return f"found in {where}{share}"
    return {"cited": f"read at {where}", "reported": "seen in public reports", "drifted": f"no longer worded so in {where}"}.get(result.get("status", ""), "")
