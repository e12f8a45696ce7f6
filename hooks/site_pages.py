# SPDX-License-Identifier: MIT
"""All pages of the site and how they hang together, still without knowing MkDocs."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from .browse import all_entries
from .compiling import usable
from .edges import neighbours
from .entry import Entry
from .glossary import glossary
from .guides import entry_format, where_your_log_goes
from .indexes import benign, family_pages, home, wrappers
from .load import ENTRIES, ROOT, load_folder
from .measurements import measurements
from .page import Page
from .pieces import family_name
from .problems import Problem
from .render import entry_page, html_of
from .shelf import Shelf
from .validate import validate

__all__ = ["SiteMap", "build", "html_of"]


@dataclass
class SiteMap:
    """Pages, their order, short addresses, what is wrong with the entries, and the entries themselves."""

    pages: list[Page] = field(default_factory=list)
    nav: list[Any] = field(default_factory=list)
    redirects: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)


def redirect(target: str, title: str) -> str:
    """Lead from a short address to a page, without a script."""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n<link rel="icon" href="data:,">\n<title>{escape(title)}</title>\n<meta http-equiv="refresh" content="0; url=../{target}/">\n'
        f'<link rel="canonical" href="../{target}/">\n<meta name="robots" content="noindex"><meta name="site-version" content=""></head>\n'
        f'<body><p><a href="../{target}/">{escape(title)}</a></p></body></html>\n'
    )


def navigation(shelf: Shelf) -> list[Any]:
    """Order the pages for people. The families are the shelves; entries stand on their family's page, so that no page's list of pages grows with them."""
    shelves = [{family_name(family): f"{family}/index.md"} for family in shelf.families]
    return [
        {"Diagnose a log": "index.md"},
        {"All entries": "entries/index.md"},
        {"Lines that hide the cause": "wrappers/index.md"},
        {"Lines that look bad": "benign/index.md"},
        *shelves,
        {"Where your log goes": "where-your-log-goes/index.md"},
        {"Measurements": "measurements/index.md"},
        {"Entry format": "entry-format/index.md"},
        {"Glossary": "glossary/index.md"},
    ]


def build(folder: Path = ENTRIES, diagnose: bool = True) -> SiteMap:
    """Read, check and render everything."""
    loaded, problems = load_folder(folder, ROOT)
    entries, _unusable = usable(loaded)
    near = neighbours(entries)
    shelf = Shelf(entries, near)
    pages = [
        home(shelf), all_entries(shelf), wrappers(shelf), benign(shelf), where_your_log_goes(), measurements(), entry_format(), glossary(),
        *family_pages(shelf), *(entry_page(entry, shelf) for entry in entries),
    ]
    redirects = {alias: redirect(entry.id, entry.data["title"]) for entry in entries for alias in entry.data.get("aliases", []) if alias not in shelf.entries}
    return SiteMap(pages, navigation(shelf), redirects, validate(loaded, problems, diagnose), entries)
