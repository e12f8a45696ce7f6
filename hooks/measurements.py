# SPDX-License-Identifier: MIT
"""The page of measurements: every proofs/*.md, as the command that measured it wrote it, or, of what can be measured once only, as it was written down."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

import markdown

from .page import Page, Section

PROOFS = Path(__file__).resolve().parent.parent / "proofs"
#: what readers ask first stands first; what is not named here follows by name
ORDER = ("bench", "first-sight", "search", "site", "browser", "speed")
RELATIVE = re.compile(r"\[([^\]\n]+)\]\((?!https?://)(?:\.\./)?([^)\n]+)\)")
TITLE = re.compile(r"\A# (?P<title>[^\n]+)\n")


def measurements() -> Page:
    """Show every measurement with the command that gives it."""
    files = sorted(PROOFS.glob("*.md"), key=lambda path: (ORDER.index(path.stem) if path.stem in ORDER else len(ORDER), path.stem))
    sections = [section(path) for path in files]
    top = (
        '<header class="pg-top"><h1 id="top">Measurements</h1><p class="pg-lead">What was measured, and the command that measures it again. '
        "Each section is the file that the command wrote, as it is committed under <code>proofs/</code>; only the logs that were new to the matcher can't be new to it twice.</p></header>"
    )
    return Page("measurements/", "Measurements", "How good the matcher and the search are, how fast, and what a page weighs, with the commands that measure it.", top, sections)


def section(path: Path) -> Section:
    """Show one file; its links into the source become the names of the files."""
    text = path.read_text("utf-8")
    found = TITLE.match(text)
    title = found["title"] if found else path.stem.capitalize()
    words = RELATIVE.sub(lambda link: f"{link[1]} (`{link[2]}`)", TITLE.sub("", text, count=1))
    # A heading inside belongs to its section.
    html = markdown.markdown(re.sub(r"^#+ ", "### ", words, flags=re.MULTILINE), extensions=["tables", "fenced_code"])
    # Columns are compared with each other: on a phone such a table scrolls sideways, its cells are not stacked.
    first, *tables = html.split("<table>")
    opened = (f'<div style="overflow-x:auto" tabindex="0" role="region" aria-label="{escape(title)}, table {number}"><table>{part}' for number, part in enumerate(tables, 1))
    return Section(path.stem, title, "".join([first, *opened]).replace("</table>", "</table></div>"))
