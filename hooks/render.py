# SPDX-License-Identifier: MIT
"""Entry -> page: the first screen, then every section in its fixed order."""

from __future__ import annotations

from html import escape

from firstfault import phrases

from . import measured
from .entry import Entry
from .markup import BASE, bare, phrase
from .page import Page, Section, base_of
from .pieces import BEHAVIOURS, LAYERS, ROLES, badge, family_name, link, role
from .runbook import runbook
from .sections import SECTIONS
from .shelf import Shelf


def facts(entry: Entry) -> str:
    """The line of badges: what this line is, who speaks, what the run does."""
    data = entry.data
    parts = [badge(entry), f'<span class="pg-fact" title="{LAYERS[data["layer"]]}"><b>Layer</b> {data["layer"]}</span>']
    if "behaviour" in data:
        forms = [data["behaviour"], *data.get("also_seen_as", [])]
        parts.append(f'<span class="pg-fact"><b>Run</b> {" or ".join(BEHAVIOURS[form].lower() for form in forms)}</span>')
    if "owner" in data:
        parts.append(f'<span class="pg-fact"><b>Who can change it</b> {phrase(data["owner"])}</span>')
    return f'<p class="pg-facts">{"".join(parts)}</p>'


def retired(entry: Entry, shelf: Shelf) -> str:
    """Lead from a retired entry to its successor."""
    successor = shelf.entries.get(str(entry.data.get("replaced_by", "")))
    return f'<p class="pg-retired">This entry is retired. Its place is taken by {link(successor)}.</p>' if successor else ""


JUMPS = {
    "is-it-this": "Is it this?", "unhide": "Unhide the cause", "harmless": "Harmless when", "confirm": "Confirm", "fix": "Fix", "verify": "Prove it", "collect": "What to collect",
    "timeline": "Who waits", "related": "Neighbours", "wordings": "Wordings",
}


def jumps(sections: list[Section]) -> str:
    """Lead from the first screen to what a reader in trouble looks for."""
    links = "".join(f'<a href="#{section.anchor}">{JUMPS[section.anchor]}</a>' for section in sections if section.anchor in JUMPS)
    return f'<nav class="pg-jumps" aria-label="On this page">{links}</nav>'


def first_screen(entry: Entry, shelf: Shelf, sections: list[Section]) -> str:
    """Signature, the first thing to do, then what it is in two sentences and what kind of line it is."""
    data = entry.data
    draft = '<span class="pg-flag">Draft</span>' if data["status"] == "draft" else ""
    return (
        f'<header class="pg-top"><p class="pg-eyebrow"><a href="{BASE}{data["family"]}/">{family_name(data["family"])}</a>{draft}</p>'
        f'<h1 id="top"><code>{escape(data["signature"], quote=False)}</code></h1><p class="pg-name">{phrase(data["title"])}</p>{retired(entry, shelf)}'
        f'<aside class="pg-first" aria-label="The first thing to do"><p class="pg-first-title">Do this first</p>{shelf.words.block(data["first_step"])}</aside>'
        f'<div class="pg-summary">{shelf.words.block(data["summary"])}</div>{facts(entry)}'
        f'<p class="pg-meaning">{ROLES[role(entry)][2]}</p>{jumps(sections)}</header>\n'
    )


def family_nav(entry: Entry, shelf: Shelf) -> str:
    """Lead to the entries before and after this one in its family."""
    before, after = shelf.beside(entry)
    family = entry.data["family"]
    count = len(shelf.families.get(family, []))
    ways = [
        f'<a class="pg-before" href="{BASE}{before.id}/" rel="prev"><span>Previous in this family</span>{phrase(before.data["title"])}</a>' if before else '<span class="pg-before"></span>',
        f'<a class="pg-shelf" href="{BASE}{family}/"><span>{count} {"entry" if count == 1 else "entries"}</span>{family_name(family)}</a>',
        f'<a class="pg-after" href="{BASE}{after.id}/" rel="next"><span>Next</span>{phrase(after.data["title"])}</a>' if after else '<span class="pg-after"></span>',
    ]
    return f'<nav class="pg-family" aria-label="Family">{"".join(ways)}</nav>'


def page_foot(entry: Entry) -> str:
    """Identity and dates; the links to edit and to the data are the template's."""
    data = entry.data
    names = "".join(f"<code>{escape(alias)}</code> " for alias in data.get("aliases", []))
    rows = [("Id", f"<code>{entry.id}</code>"), ("Also found as", names), ("Added", phrase(data.get("created", ""))), ("Last changed", phrase(data.get("updated", "")))]
    met = ", ".join(phrase(item) for item in data.get("frameworks", []))
    rows.insert(2, ("Met in", met))
    rows.append(("On labelled logs", f'{phrases.measured(measured.of(entry.id))} (<a href="{BASE}measurements/#bench">how</a>)'))
    return '<dl class="pg-foot">' + "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in rows if value) + "</dl>"


def entry_page(entry: Entry, shelf: Shelf) -> Page:
    """Make the page of one entry."""
    data = entry.data
    sections = [section for make in SECTIONS if (section := make(entry, shelf))]
    sections[-1].html += page_foot(entry) + family_nav(entry, shelf) + runbook(entry)
    page = Page(f"{entry.id}/", bare(data["title"]), bare(data["summary"]), first_screen(entry, shelf, sections), sections, "entry.html", entry.file, data["family"])
    page.headline = data["signature"]
    return page


def html_of(page: Page) -> str:
    """Give a page's HTML with its links made relative."""
    return page.html.replace(BASE, base_of(page.url))
