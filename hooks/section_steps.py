# SPDX-License-Identifier: MIT
"""The sections that a reader works through: how to confirm, the fix, the proof, what to collect.

Each item has an anchor and a name under which the browser may remember a tick (overrides/assets/ticks.js).
"""

from __future__ import annotations

from typing import Any

from .entry import Entry
from .page import Section
from .pieces import anchor_link, bullets, command, heading
from .shelf import Shelf


def item(name: str, html: str) -> str:
    """Make one item of a checklist."""
    return f'<li id="{name}" data-tick="{name}">{html}</li>'


def to_do(shelf: Shelf, name: str, text: str, raw: dict[str, Any], flags: str = "") -> str:
    """Say what to do, with the link to this item, and the command for it."""
    return f"<div class='pg-do'>{shelf.words.line(text)} {flags}{anchor_link(name, 'step')}</div>" + (command(raw["command"]) if "command" in raw else "")


def marks(raw: dict[str, Any], flags: dict[str, str]) -> str:
    """Show what a step needs or risks."""
    return "".join(f'<span class="pg-flag pg-flag-{key}">{name}</span>' for key, name in flags.items() if raw.get(key))


def confirm(entry: Entry, shelf: Shelf) -> Section | None:
    """The checklist: what to do, what a positive looks like, where to go if not."""
    items = []
    for place, raw in enumerate(entry.data.get("confirm", []), 1):
        html = to_do(shelf, f"check-{place}", raw["do"], raw)
        html += f"<p class='pg-yes'><b>It is this if</b> {shelf.words.line(raw['positive'])}</p>"
        html += f"<p class='pg-no'><b>If not</b> {shelf.words.line(raw['negative'])}</p>" if "negative" in raw else ""
        items.append(item(f"check-{place}", html))
    return Section("confirm", "How to confirm it", f"<ul class='pg-checklist pg-checks'>{''.join(items)}</ul>") if items else None


def fix(entry: Entry, shelf: Shelf) -> Section | None:
    """The steps, why they work, and how not to meet it again."""
    if not (raw := entry.data.get("fix")):
        return None
    steps = []
    for place, step in enumerate(raw["steps"], 1):
        flags = marks(step, {"destructive": "Destructive", "root": "Needs root"})
        cost = f'<p class="pg-cost"><b>Cost</b> {shelf.words.line(step["cost"])}</p>' if "cost" in step else ""
        steps.append(item(f"step-{place}", to_do(shelf, f"step-{place}", step["do"], step, flags) + cost))
    html = f"<ol class='pg-steps'>{''.join(steps)}</ol>{heading('why-it-works', 'Why it works')}{shelf.words.block(raw['why'])}"
    html += heading("prevention", "Prevention") + bullets([shelf.words.line(text) for text in raw["prevention"]])
    return Section("fix", "The fix", html, [("why-it-works", "Why it works"), ("prevention", "Prevention")])


def verify(entry: Entry, shelf: Shelf) -> Section | None:
    """The command that proves the fix."""
    if not (raw := entry.data.get("verify")):
        return None
    html = f"{command(raw['command'])}<p class='pg-yes'><b>Expected</b> {shelf.words.line(raw['expected'])}</p><p class='pg-no'><b>Otherwise</b> {shelf.words.line(raw['otherwise'])}</p>"
    return Section("verify", "Prove that it is fixed", html)


def collect(entry: Entry, shelf: Shelf) -> Section | None:
    """Evidence to collect when only this line is there."""
    items = []
    for place, raw in enumerate(entry.data.get("collect", []), 1):
        flags = marks(raw, {"rerun": "Needs another run", "root": "Needs root", "slows": "Slows training"})
        html = to_do(shelf, f"evidence-{place}", raw["what"], raw, flags)
        items.append(item(f"evidence-{place}", html + f"<p class='pg-yes'><b>Separates</b> {shelf.words.line(raw['separates'])}</p>"))
    return Section("collect", "If this line is all you have", f"<ul class='pg-checklist'>{''.join(items)}</ul>") if items else None
