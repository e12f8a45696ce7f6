# SPDX-License-Identifier: MIT
"""The glossary: its page, and the link from the first use of a term in an entry's running text."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from .markup import BASE, phrase
from .page import Page

FILE = Path(__file__).resolve().parent / "glossary.yaml"
#: in rendered text: what is skipped whole (code, links, headings, captions), and other tags
SKIPPED = re.compile(r"(<(code|a|pre|h[1-6])\b.*?</\2>|<[^>]*>)", re.DOTALL)


class Term(NamedTuple):
    """One term: how it is written, and what it means."""

    name: str
    forms: tuple[str, ...]
    exact: bool
    text: str

    @property
    def anchor(self) -> str:
        """Give its place on the page."""
        return re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")


@lru_cache(maxsize=1)
def terms() -> tuple[Term, ...]:
    """Read the terms, in the order of their names."""
    raw: list[dict[str, Any]] = yaml.safe_load(FILE.read_text("utf-8"))
    found = (Term(item["term"], (item["term"], *item.get("also", ())), bool(item.get("case")), item["text"]) for item in raw)
    return tuple(sorted(found, key=lambda term: term.name.lower()))


@lru_cache(maxsize=1)
def pattern() -> re.Pattern[str]:
    """Compile all forms into one expression, longest first; plain words also as plural and at the start of a sentence."""
    forms = []
    for number, term in enumerate(terms()):
        for form in term.forms:
            written = re.escape(form) if term.exact else f"[{form[0].upper()}{form[0].lower()}]{re.escape(form[1:])}"
            forms.append((len(form), f"(?P<t{number}_{len(forms)}>{written}s?)"))
    return re.compile(r"(?<![\w/.-])(?:" + "|".join(form for _, form in sorted(forms, reverse=True)) + r")(?![\w/-])")


def linked(html: str, before: str = "") -> str:
    """Link the first use of each term in rendered text; what `before` holds already is not linked again."""
    seen = {found for part in SKIPPED.split(before)[::3] for found in used(part)} if before else set()

    def link(match: re.Match[str]) -> str:
        number = int(str(match.lastgroup)[1:].partition("_")[0])
        if number in seen:
            return match.group()
        seen.add(number)
        return f'<a class="pg-term" href="{BASE}glossary/#{terms()[number].anchor}">{match.group()}</a>'

    parts = SKIPPED.split(html)
    # Every match of SKIPPED leaves three parts: text, the whole match, the name of its tag.
    return "".join(pattern().sub(link, part) if place % 3 == 0 else part for place, part in enumerate(parts) if place % 3 != 2)


def used(text: str) -> set[int]:
    """Give the numbers of the terms in a text."""
    return {int(str(match.lastgroup)[1:].partition("_")[0]) for match in pattern().finditer(text)}


def glossary() -> Page:
    """Show every term with its anchor."""
    items = []
    for term in terms():
        also = f" <span class='pg-hint'>also {escape(', '.join(term.forms[1:]))}</span>" if term.forms[1:] else ""
        here = f'<a class="headerlink" href="#{term.anchor}" aria-label="Link to {escape(term.name)}">#</a>'
        items.append(f'<dt id="{term.anchor}">{escape(term.name)}{here}{also}</dt><dd>{phrase(term.text)}</dd>')
    top = '<header class="pg-top"><h1 id="top">Glossary</h1><p class="pg-lead">Terms of distributed GPU work, as the entries use them.</p></header>'
    description = "Terms of distributed GPU training and inference, as the entries use them."
    return Page("glossary/", "Glossary", description, f'{top}<dl class="pg-pairs pg-glossary">{"".join(items)}</dl>')
