# SPDX-License-Identifier: MIT
"""The sections that hold a picture, each with the same told in words below it."""

from __future__ import annotations

from typing import Any

from . import neighbourhood, ranktime, tree
from .entry import Entry
from .markup import BASE, phrase
from .page import Section
from .pieces import badge, bullets, heading, link
from .shelf import Shelf


def frame(picture: str, name: str, style: str = "") -> str:
    """Let a picture scroll where it is wider than the screen."""
    return f'<div class="pg-picture {style}" tabindex="0" role="region" aria-label="{name}">{picture}</div>'


def timeline(entry: Entry, _shelf: Shelf) -> Section | None:
    """Who waits for whom: ranks against time."""
    if not (raw := entry.data.get("timeline")):
        return None
    html = f'<p class="pg-hint">{phrase(raw["caption"])}.</p>{frame(ranktime.svg(raw), "Ranks against time", "pg-fits")}'
    return Section("timeline", "Who waits for whom", f'{html}<details class="pg-outline"><summary>The same as a list</summary>{ranktime.listing(raw)}</details>')


def outline(question: dict[str, Any], shelf: Shelf) -> str:
    """The decision as a nested list; the page's script makes its answers buttons."""
    items = []
    for item in question["answers"]:
        rest = outline(item["then"], shelf) if "then" in item else phrase(item["do"])
        if item.get("entry") and (entry := shelf.entries.get(shelf.names.get(item["entry"], ""))):
            rest += f" ({link(entry)})"
        items.append(f"<li><b>{phrase(item['answer'])}</b>: <div class='pg-then'>{rest}</div></li>")
    return f"<p class='pg-ask'>{phrase(question['ask'])}</p><ul class='pg-answers'>{''.join(items)}</ul>"


def decision(entry: Entry, shelf: Shelf) -> Section | None:
    """The decision tree as a picture, and as a list."""
    if not (raw := entry.data.get("decision")):
        return None
    picture = frame(tree.svg(raw, entry.data["title"], BASE, shelf.names), "Decision tree, scrolls sideways")
    walk = f'<details class="pg-outline pg-walk"><summary>The same as a list</summary><div class="pg-question">{outline(raw, shelf)}</div></details>'
    return Section("decision", "Which way from here", picture + walk)


RELATIONS = {
    "caused_by": "Can be caused by", "causes": "Can bring about", "wraps": "Can hide", "wrapped_by": "Can be hidden by",
    "confused_with": "Looks like", "supersedes": "Is the better name for", "superseded_by": "Is better named",
}


def related(entry: Entry, shelf: Shelf) -> Section | None:
    """Neighbours drawn, then by type, from both sides, each with what tells them apart."""
    near = [item for item in shelf.near.get(entry.id, []) if item.id in shelf.entries]
    if not near:
        return None
    picture, more = neighbourhood.svg(entry, shelf.entries, near, shelf.degree)
    html, children = "", []
    for kind, name in RELATIONS.items():
        if items := [item for item in near if item.type == kind]:
            rows = [f"{link(shelf.entries[item.id])} {badge(shelf.entries[item.id])}" + (f"<p>{shelf.words.line(item.tell)}</p>" if item.tell else "") for item in items]
            anchor = kind.replace("_", "-")
            html += f'<div class="pg-relation">{heading(anchor, name)}{bullets(rows)}</div>'
            children.append((anchor, name))
    count = f"All {len(near)} as a list" if len(near) > 1 else "The same as a list"
    # What the picture has no room for must not be behind a fold.
    listed = f'<details id="all-related" class="pg-outline pg-relations"{" open" if more else ""}><summary>{count}</summary>{html}</details>'
    return Section("related", "Related failures", frame(picture, "Neighbourhood of this failure", "pg-fits") + listed, children if more else [])
