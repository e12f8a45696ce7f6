# SPDX-License-Identifier: MIT
"""The message as each version words it, each wording to copy, with who prints it and where that was seen."""

from __future__ import annotations

from html import escape
from typing import Any

from firstfault.patterns import PatternError, compile_template

from .entry import Entry
from .markup import phrase, visible
from .page import Section
from .pieces import command, table
from .proofs import found, printed_by
from .shelf import Shelf


def holds(text: str, literals: tuple[str, ...]) -> bool:
    """Whether the fixed parts of a template stand in a text, in their order."""
    place = 0
    for literal in literals:
        if (place := text.find(literal, place)) < 0:
            return False
        place += len(literal)
    return True


def signal_of(text: str, signals: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Find the signal that recognises a wording: the one with most fixed letters, since wordings have `<n>` where a log has numbers."""
    best: tuple[int, dict[str, Any] | None] = (0, None)
    for raw in signals:
        for template in raw["match"]:
            try:
                literals = compile_template(template).literals
            except PatternError:
                continue
            weight = sum(map(len, literals))
            if weight > best[0] and holds(text, literals):
                best = (weight, raw)
    return best[1]


def wordings(entry: Entry, _shelf: Shelf) -> Section | None:
    """One block per wording."""
    items = []
    for place, raw in enumerate(entry.data.get("wordings", []), 1):
        signal = signal_of(raw["text"], entry.data["signals"])
        source = printed_by(signal.get("emitter", {})) if signal else ""
        proof = found(f"{entry.id}/{signal['id']}") if signal else ""
        by = f'<span class="pg-source">{"; ".join(part for part in (source, proof) if part)}</span>' if source or proof else ""
        items.append(f'<li id="wording-{place}">{command(raw["text"])}<p><b>{phrase(raw["where"])}</b>{by}</p></li>')
    return Section("wordings", "How each version words it", f'<ul class="pg-wordings">{"".join(items)}</ul>') if items else None


def signals(entry: Entry, shelf: Shelf) -> Section:
    """How the matcher recognises it, and what it must not take for it."""
    rows = []
    for raw in entry.data["signals"]:
        proof = found(f"{entry.id}/{raw['id']}")
        where = printed_by(raw.get("emitter", {})) + (f'<p class="pg-proof">{proof}</p>' if proof else "")
        templates = "".join(f"<code>{escape(text, quote=False)}</code>" for text in raw["match"])
        note = f"<p>{phrase(raw['note'])}</p>" if "note" in raw else ""
        rows.append([f"<b>{raw['id']}</b><br><span class='pg-badge pg-{raw['role']}'>{raw['role']}</span>", f"<div class='pg-templates'>{templates}</div>{note}", where])
    html = table(["Signal", "Matches", "Printed by"], rows, "pg-signals")
    for near in entry.data.get("near_misses", []):
        html += (
            f"<div class='pg-near'><p><b>Not this:</b> {shelf.words.line(near['why'])}</p>"
            f"<div class='highlight pg-log'><pre tabindex='0'><code>{escape(visible(near['log']).rstrip(), quote=False)}\n</code></pre></div></div>"
        )
    return Section("signals", "How it is recognised", f"<details class='pg-outline'><summary>{len(rows)} signal{'s' if len(rows) > 1 else ''}, as the matcher reads them</summary>{html}</details>")
