# SPDX-License-Identifier: MIT
"""The `.md` and `.json` twin of every page: `/ID/` has `/ID.md` and `/ID.json`, the first page has `/index.md`.

An entry's twins are what `firstfault explain ID` prints, so the terminal, the page and the twin say the same.
"""

from __future__ import annotations

from typing import Any

from firstfault import explain

from .api import Texts, brief, dumps
from .page import Page
from .prose import LINK, blank_code
from .totext import OWN, markdown, twin


def files(pages: list[Page], texts: Texts, site: str) -> dict[str, str]:
    """Give both twins of every page by their addresses."""
    found, names = {}, names_of(texts)
    for page in pages:
        name = twin(page.url)
        if page.source and (entry := texts.get(name)):
            found[f"{name}.md"] = entry_markdown(entry, names)
            found[f"{name}.json"] = dumps(entry)
        else:
            base = "../" * name.count("/")
            text = markdown(page.html, base)
            found[f"{name}.md"] = text
            found[f"{name}.json"] = dumps(page_data(page, text, texts, site or base))
    return found


def entry_markdown(entry: dict[str, Any], names: dict[str, str], base: str = "") -> str:
    """Give an entry as Markdown; what its words link to is the other entry's twin, `base` away."""
    return to_twins(explain.render(entry, "markdown"), names, base)


def names_of(texts: Texts) -> dict[str, str]:
    """Give every id and alias with the id it stands for."""
    return {alias: id_ for id_, entry in texts.items() for alias in entry.get("aliases", [])} | {id_: id_ for id_ in texts}


def to_twins(text: str, names: dict[str, str], base: str) -> str:
    """Lead links between entries to twins; what stands in code is no link, but a link's words may hold code."""
    parts, position = [], 0
    for match in LINK.finditer(blank_code(text)):
        name, mark, anchor = match["target"].partition("#")
        if found := names.get(name.rstrip("/")):
            parts += [text[position : match.start("target")], f"{base}{found}.md{mark}{anchor}"]
            position = match.end("target")
    return "".join([*parts, text[position:]])


def page_data(page: Page, text: str, texts: Texts, root: str) -> dict[str, Any]:
    """Give what a page that is no entry holds: its sections, the entries it leads to in their order, and its text."""
    named = dict.fromkeys(match["path"].rstrip("/") for match in OWN.finditer(page.html))
    return {
        "title": page.title, "description": page.description, "url": f"{root}{page.url}",
        "sections": [{"anchor": section.anchor, "title": section.title} for section in page.sections],
        "entries": [brief(texts[name], root) for name in named if name in texts], "text": text,
    }
