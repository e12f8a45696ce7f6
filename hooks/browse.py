# SPDX-License-Identifier: MIT
"""The table of all entries with its filters: whole without a script, narrowed by one (overrides/assets/browse.js).

A row carries the numbers of its facet values (`data-k`), in the order in which the boxes stand in the form, so that
thousands of rows stay small and are filtered without reading their text.
"""

from __future__ import annotations

from html import escape
from itertools import groupby

from .entry import Entry
from .facets import Facet, facets
from .markup import BASE
from .page import Page
from .pieces import BEHAVIOURS, badge, family_name, link
from .shelf import Shelf


def box(facet: Facet, key: str, number: int, count: int) -> str:
    """Show one value with its count."""
    return (
        f'<label class="pg-value"><input type="checkbox" name="{facet.key}" value="{escape(key)}" data-n="{number}">'
        f"<span>{escape(facet.names[key])}</span> <b>{count}</b></label>"
    )


def menu(facet: Facet, numbers: dict[str, int], counts: dict[str, int]) -> str:
    """Show a facet: open in a row where there are few values, as a menu where there are many."""
    used = [key for key in facet.names if counts[key]]
    values = ""
    for group, keys in groupby(used, lambda key: facet.groups[key] if facet.groups else ""):
        inner = "".join(box(facet, key, numbers[key], counts[key]) for key in keys)
        values += f'<div role="group" aria-label="{escape(group)}"><p>{escape(group)}</p>{inner}</div>' if group else inner
    if facet.key in ("run", "line"):
        return f'<fieldset class="pg-open"><legend>{facet.title}</legend>{values}</fieldset>'
    return f'<details class="pg-menu" data-facet="{facet.key}"><summary>{facet.title}</summary><fieldset><legend class="pg-unseen">{facet.title}</legend>{values}</fieldset></details>'


def form(shown: list[Facet], numbers: list[dict[str, int]], counts: list[dict[str, int]]) -> str:
    """Show the filters; the script takes away `hidden`, since nothing else could act on them."""
    menus = [menu(facet, numbers[place], counts[place]) for place, facet in enumerate(shown)]
    return (
        '<form class="pg-filters" hidden role="search" aria-label="Filter the entries">'
        '<label class="pg-words"><span>Words of the title or the line</span><input type="search" name="q" autocomplete="off" spellcheck="false"></label>'
        f'{"".join(menus[:2])}<div class="pg-menus">{"".join(menus[2:])}</div>'
        '<p class="pg-count"><output></output> <button type="reset" class="pg-plain">Clear all filters</button></p></form>'
    )


def row(entry: Entry, codes: list[int]) -> str:
    """Show one entry."""
    data = entry.data
    forms = " or ".join(BEHAVIOURS[form].lower() for form in (data.get("behaviour"), *data.get("also_seen_as", [])) if form)
    return (
        f'<tr data-k="{" ".join(map(str, codes))}"><td>{link(entry)}<code>{escape(data["signature"], quote=False)}</code></td>'
        f'<td>{badge(entry)}</td><td>{forms}</td><td>{family_name(data["family"])}</td><td>{data["layer"]}</td></tr>'
    )


def table(shelf: Shelf) -> str:
    """Show the form and the table."""
    entries = [entry for items in shelf.families.values() for entry in items]
    shown = facets(shelf)
    numbers: list[dict[str, int]] = []
    counts = [dict.fromkeys(facet.names, 0) for facet in shown]
    total = 0
    for facet in shown:
        numbers.append({key: total + place for place, key in enumerate(facet.names)})
        total += len(facet.names)
    rows = []
    for entry in entries:
        codes = []
        for place, facet in enumerate(shown):
            for key in facet.values(entry):
                codes.append(numbers[place][key])
                counts[place][key] += 1
        rows.append(row(entry, codes))
    head = "".join(f'<th scope="col">{name}</th>' for name in ("Entry", "Line is", "Run", "Family", "Layer"))
    return (
        f'{form(shown, numbers, counts)}<div class="pg-table pg-all"><table class="pg-rows"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
        '<p class="pg-none" hidden>No entry has all of these. Take a filter away, or <a href="#">clear all</a>.</p>'
    )


def all_entries(shelf: Shelf) -> Page:
    """Every entry in one table."""
    count = sum(map(len, shelf.families.values()))
    families = " · ".join(f'<a href="{BASE}{family}/">{family_name(family)}</a> {len(items)}' for family, items in shelf.families.items())
    top = (
        f'<header class="pg-top"><h1>All entries</h1><p class="pg-lead">{count} entries, by family. '
        f'To find one by a log line, paste the line into the search, or a whole log on <a href="{BASE}">the first page</a>.</p></header>'
        f"<noscript><p>Filters need a script; the table below has every entry. By family: {families}</p></noscript>"
    )
    return Page(
        "entries/", "All entries",
        "Every failure, wrapper and harmless line in one table, by how the run fails, family, layer, owner, framework, vendor and version.",
        top + table(shelf), template="browse.html", hide=("navigation", "toc")
    )
