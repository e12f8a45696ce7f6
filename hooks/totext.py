# SPDX-License-Identifier: MIT
"""A page's HTML -> Markdown, for the pages that are no entry: lists, tables and guides have no other text than their page.

Knows the elements that this site makes and drops what only a browser can use: pictures, boxes to type in, scripts.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

from firstfault.report_markdown import code, fence

from .markup import BASE

DROPPED = {"svg", "script", "style", "noscript", "textarea", "button", "template", "form", "select", "label"}
BLOCKS = {"p", "div", "section", "article", "header", "footer", "aside", "figure", "figcaption", "dl", "dd", "details", "summary", "nav", "main", "blockquote"}
MARKS = {"strong": "**", "b": "**", "em": "*", "i": "*", "dt": "**"}
SPECIAL = re.compile(r"([\\`*\[\]<>])")
OWN = re.compile(re.escape(BASE) + r"(?P<path>(?:[a-z0-9-]+/)*)(?:[?#][^\s]*)?")
Attributes = list[tuple[str, "str | None"]]


def twin(path: str) -> str:
    """Give the address of a page's twin without its ending: the first page has no name of its own."""
    return path.rstrip("/") or "index"


class _Reader(HTMLParser):
    """Collects blocks of Markdown while the HTML goes by."""

    def __init__(self, base: str) -> None:
        super().__init__()
        self.base = base
        self.blocks: list[str] = []
        self.line = ""
        self.lead = ""
        self.lists: list[int] = []
        self.dropped: list[str] = []
        self.verbatim: str | None = None
        self.span: str | None = None
        self.rows: list[list[str]] | None = None
        self.targets: list[str | None] = []

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        """Open a block, a mark, a list, a table or a link."""
        given = dict(attrs)
        if self.dropped or tag in DROPPED or "headerlink" in (given.get("class") or "") or given.get("id") == "diagnose":
            # Void elements have no end to wait for.
            self.dropped += [tag] if tag not in ("input", "br", "img", "hr", "path", "rect") else []
        elif tag == "pre":
            self.flush()
            self.verbatim = ""
        elif self.verbatim is not None:
            return
        elif tag == "table":
            self.flush()
            self.rows = []
        elif self.rows is not None and tag == "tr":
            self.rows.append([])
        elif tag in ("ul", "ol"):
            self.flush()
            self.lists.append(0 if tag == "ol" else -1)
        elif tag == "li":
            self.item()
        else:
            self.inline(tag, given)

    def inline(self, tag: str, given: dict[str, str | None]) -> None:
        """Open what stands in a line, or begin a new one."""
        if tag in BLOCKS or re.fullmatch("h[1-6]", tag):
            self.flush()
            self.lead = "#" * int(tag[1]) + " " if tag[0] == "h" and tag[1:].isdigit() else self.lead
        elif tag == "a":
            self.targets.append(self.target(given.get("href") or ""))
            self.line += "[" if self.targets[-1] else ""
        elif tag == "code":
            self.line += " " if self.line.endswith(")") else ""
            self.span = ""
        elif tag in MARKS:
            if tag == "dt":
                self.flush()
            self.line += MARKS[tag]
        elif tag == "br":
            self.line += " "

    def handle_endtag(self, tag: str) -> None:
        """Close it again."""
        if self.dropped:
            if tag in self.dropped:
                while self.dropped.pop() != tag:
                    pass
        elif tag == "pre" and self.verbatim is not None:
            self.add(fence(self.verbatim.rstrip("\n").split("\n"), ""))
            self.verbatim = None
        elif self.verbatim is None:
            self.close_block(tag) if tag in ("td", "th", "table", "ul", "ol") else self.close_inline(tag)

    def close_block(self, tag: str) -> None:
        """Close a cell, a table or a list."""
        if tag in ("td", "th") and self.rows:
            self.rows[-1].append(" ".join(self.line.split()).replace("|", "\\|"))
            self.line = ""
        elif tag == "table" and self.rows is not None:
            self.table(self.rows)
            self.rows = None
        elif tag in ("ul", "ol") and self.lists:
            self.flush()
            self.lists.pop()

    def close_inline(self, tag: str) -> None:
        """Close what stands in a line, or end it."""
        if tag == "a" and self.targets:
            target = self.targets.pop()
            self.line += f"]({target})" if target else ""
        elif tag == "code" and self.span is not None:
            self.line += code(self.span)
            self.span = None
        elif tag in MARKS:
            self.line = self.line.rstrip() + MARKS[tag] + " "
        elif tag in BLOCKS or tag == "li" or re.fullmatch("h[1-6]", tag):
            self.flush()

    def handle_data(self, data: str) -> None:
        """Take the words; outside of code, what Markdown would act on is escaped."""
        if self.dropped:
            return
        if self.verbatim is not None:
            self.verbatim += data
        elif self.span is not None:
            self.span += data
        else:
            self.line += SPECIAL.sub(r"\\\1", data)

    def item(self) -> None:
        """Begin an item of the innermost list."""
        self.flush()
        if self.lists and self.lists[-1] >= 0:
            self.lists[-1] += 1
        mark = f"{self.lists[-1]}. " if self.lists and self.lists[-1] > 0 else "- "
        self.lead = "  " * max(len(self.lists) - 1, 0) + mark

    def target(self, href: str) -> str | None:
        """Give where a link leads from the Markdown twin: to the twin of the other page."""
        if own := OWN.fullmatch(href):
            return f"{self.base}{twin(own['path'])}.md"
        return href.replace(BASE, self.base) if href and not href.startswith("#") else None

    def table(self, rows: list[list[str]]) -> None:
        """Write a table with its heads."""
        wide = max((len(row) for row in rows), default=0)
        lines = ["| " + " | ".join([*row, *[""] * (wide - len(row))]) + " |" for row in rows if row]
        if lines:
            self.add("\n".join([lines[0], "|" + " --- |" * wide, *lines[1:]]))

    def flush(self) -> None:
        """End the line under way; inside a cell there is only one."""
        if self.rows:
            self.line += " "
            return
        text = " ".join(self.line.split())
        self.line = ""
        if text:
            inside = "  " * len(self.lists) if self.lists and not self.lead else ""
            self.add(f"{inside}{self.lead}{text}")
            self.lead = ""

    def add(self, block: str) -> None:
        """Keep a block."""
        self.blocks.append(block)


def markdown(html: str, base: str = "") -> str:
    """Give the Markdown of a page's HTML; `base` is the way from the twin to the site's root."""
    reader = _Reader(base)
    reader.feed(html)
    reader.close()
    reader.flush()
    text = ""
    for before, block in zip(["", *reader.blocks], reader.blocks, strict=False):
        close = all(re.match(r"\s*(?:- |\d+\. )", part) for part in (before, block))
        text += ("\n" if close else "\n\n" if text else "") + block
    return text + "\n"
