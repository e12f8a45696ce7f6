# SPDX-License-Identifier: MIT
"""What render hands to MkDocs: one page of the site, without knowing MkDocs."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape


@dataclass
class Section:
    """One heading of a page with what stands below it."""

    anchor: str
    title: str
    html: str
    children: list[tuple[str, str]] = field(default_factory=list)

    def __str__(self) -> str:
        """Give its HTML."""
        link = f'<a class="headerlink" href="#{self.anchor}" title="Link to this section" aria-label="Link to this section">#</a>'
        return f'<h2 id="{self.anchor}">{escape(self.title)}{link}</h2>\n{self.html}\n'


@dataclass
class Page:
    """One page: its address below the site's root, its words, and how it is shown."""

    url: str
    title: str
    description: str
    top: str
    sections: list[Section] = field(default_factory=list)
    template: str = ""
    source: str | None = None
    family: str = ""
    hide: tuple[str, ...] = ()
    headline: str = ""

    @property
    def src(self) -> str:
        """Give the name of the Markdown file that MkDocs believes it comes from; the folder makes the shelf."""
        if self.source:
            return f"{self.family}/{self.url.rstrip('/')}.md"
        return f"{self.url}index.md"

    @property
    def html(self) -> str:
        """Give the whole content."""
        return self.top + "".join(str(section) for section in self.sections)


def base_of(url: str) -> str:
    """Give the way from a page to the site's root."""
    return "../" * url.count("/")
