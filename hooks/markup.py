# SPDX-License-Identifier: MIT
"""An entry's words -> HTML that can hold nothing but those words.

Python-Markdown passes HTML through and resolves images, entities and reference links; all of that is taken out here,
so that what a stranger writes is shown as text even if the checks before it missed something.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from typing import Any
from xml.etree.ElementTree import Element

import markdown
from markdown.treeprocessors import Treeprocessor

from .prose import ENTRY_LINK

OFF = {
    "preprocessors": ("html_block",),
    "parser.blockprocessors": ("hashheader", "setextheader", "reference", "hr"),
    "inlinePatterns": ("html", "entity", "image_link", "image_reference", "reference", "short_reference", "short_image_ref", "autolink", "automail"),
}
PLAIN = re.compile(r"[^\n*_\[\]<>\\&`]*")
CODED = re.compile(r"(?:[^\n*_\[\]<>\\&`]|`[^`\n]+`)*")
ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b")


class SafeLinks(Treeprocessor):
    """Keeps links to https addresses and to entries, and turns every other link into its text."""

    names: dict[str, str]

    def run(self, root: Element) -> None:
        """Look at every link of a text."""
        for link in root.iter("a"):
            target = link.get("href", "")
            link.attrib.clear()
            if found := ENTRY_LINK.fullmatch(target):
                name = self.names.get(found["id"], found["id"])
                link.set("href", f"{BASE}{name}/" + (f"#{found['anchor']}" if found["anchor"] else ""))
            elif re.match(r"https://[^\s<>\"'`\\]+\Z", target):
                link.set("href", target)
                link.set("rel", "noopener nofollow")
            else:
                link.tag = "span"


#: stands for the way to the site's root until the page that shows the text is known
BASE = "\x02base\x03"


class Words:
    """Renders the words of entries; `names` says which id an alias stands for."""

    def __init__(self, names: dict[str, str]) -> None:
        """Set up the one Markdown renderer."""
        self.markdown: Any = markdown.Markdown(extensions=["fenced_code", "sane_lists"], output_format="html")
        for registry, items in OFF.items():
            part = self.markdown
            for step in registry.split("."):
                part = getattr(part, step)
            for item in items:
                if item in part:
                    part.deregister(item)
        safe = SafeLinks(self.markdown)
        safe.names = names
        self.markdown.treeprocessors.register(safe, "safe_links", 5)
        self.block = lru_cache(maxsize=None)(self._block)

    def _block(self, text: str) -> str:
        """Render paragraphs, lists, code and links."""
        text = text.strip()
        if CODED.fullmatch(text):
            return f"<p>{phrase(text)}</p>"
        self.markdown.reset()
        return str(self.markdown.convert(text))

    def line(self, text: str) -> str:
        """Render a text that should not open a paragraph of its own when it has only one."""
        html = self.block(text)
        inner = html[3:-4] if html.startswith("<p>") and html.endswith("</p>") else html
        return html if "<p>" in inner else inner


def phrase(text: str) -> str:
    """Render one line: text, with `code`."""
    if PLAIN.fullmatch(text):
        return escape(text, quote=False)
    parts = re.split(r"`([^`\n]+)`", text)
    return "".join(f"<code>{escape(part, quote=False)}</code>" if odd % 2 else escape(part, quote=False) for odd, part in enumerate(parts))


def bare(text: str) -> str:
    """Give a line as plain text, for places that show no markup."""
    return " ".join(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text).replace("`", "").replace("**", "").split())


def visible(log: str) -> str:
    """Give a log as a reader can see it: without colour codes, other controls written out."""
    text = ANSI.sub("", log).replace("\r\n", "\n")
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", lambda match: f"\\x{ord(match.group()):02x}", text)
