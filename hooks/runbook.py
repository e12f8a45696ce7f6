# SPDX-License-Identifier: MIT
"""An entry -> a runbook in Markdown, to be copied into a ticket: what to do and look for, without the explanations.

It lies in the page as text (a `template` element), and `[ ]` becomes `[x]` where the reader has ticked
(overrides/assets/runbook.js), in the order of the page's own checklists.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from firstfault.report_markdown import fence

from .entry import Entry
from .markup import bare


def block(text: str, indent: str = "  ") -> list[str]:
    """Fence a command."""
    return [f"{indent}{line}".rstrip() for line in fence(text.rstrip().split("\n"), "sh").split("\n")]


def task(name: str, text: str, raw: dict[str, Any], notes: list[tuple[str, str]]) -> Iterator[str]:
    """Write one thing to do, with a box to tick; the name is for the script and is taken out of the copy."""
    yield f"- [ ] {{{name}}} {' '.join(text.split())}"
    if "command" in raw:
        yield from ["", *block(raw["command"]), ""]
    for label, key in notes:
        if key in raw:
            yield f"  - {label}: {' '.join(raw[key].split())}"


def lines(entry: Entry) -> Iterator[str]:
    """Write the runbook line by line."""
    data = entry.data
    yield from [f"# {bare(data['title'])}", "", *fence([data["signature"]], "text").split("\n"), "", f"First: {' '.join(data['first_step'].split())}", ""]
    if "unhide" in data:
        yield from ["## Where the real error is", "", " ".join(data["unhide"]["where"].split()), "", " ".join(data["unhide"]["how"].split()), ""]
        yield from [*block(data["unhide"]["command"], ""), ""] if "command" in data["unhide"] else []
    parts = (
        ("Confirm", data.get("confirm", []), "check", "do", [("It is this if", "positive"), ("If not", "negative")]),
        ("Fix", data.get("fix", {}).get("steps", []), "step", "do", [("Cost", "cost")]),
        ("Collect, if this line is all there is", data.get("collect", []), "evidence", "what", [("Separates", "separates")]),
    )
    for title, items, name, key, notes in parts:
        if items:
            yield from [f"## {title}", ""]
            for place, raw in enumerate(items, 1):
                careful = "".join(f" ({word})" for flag, word in (("destructive", "destructive"), ("root", "needs root")) if raw.get(flag))
                yield from task(f"{name}-{place}", raw[key] + careful, raw, notes)
            yield ""
    if verify := data.get("verify"):
        yield from [
            "## Prove that it is fixed", "", *block(verify["command"], ""), "",
            f"- Expected: {' '.join(verify['expected'].split())}", f"- Otherwise: {' '.join(verify['otherwise'].split())}", ""
        ]
    if restart := data.get("restart"):
        yield from ["## Restart", "", f"Helps: {restart['helps']}. Resume from: {' '.join(restart['resume_from'].split())}", ""]


def runbook(entry: Entry) -> str:
    """Give the element that holds it; a harmless line needs none."""
    if entry.kind == "benign":
        return ""
    return f'<template id="runbook">{escape(chr(10).join(lines(entry)).strip(), quote=False)}\n</template>'
