# SPDX-License-Identifier: MIT
"""Everything of the site that programs read instead of people: twins of pages, the API, the feed, llms.txt, robots.txt."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from . import api, compiling, feed, llms, twins
from .entry import Entry
from .page import Page, base_of
from .totext import twin


@dataclass(frozen=True)
class About:
    """The site itself: its name, what it is, and where it will be published (or nothing)."""

    name: str
    description: str
    address: str = ""


def files(pages: list[Page], entries: list[Entry], about: About) -> dict[str, str]:
    """Give every such file by its address below the site's root; equal entries give equal bytes."""
    version = str(compiling.compile_database(entries)["version"])
    texts: api.Texts = compiling.full_texts(entries, version)["entries"]
    families = list(dict.fromkeys(page.family for page in pages if page.family and not page.source))
    found = twins.files(pages, texts, about.address)
    found |= api.files(texts, version, about.address)
    found |= llms.files(texts, families, about.name, about.description, about.address)
    found[feed.ADDRESS] = feed.atom(texts, about.name, "New and changed entries", about.address)
    if about.address:
        found["robots.txt"] = f"User-agent: *\nAllow: /\nSitemap: {about.address}sitemap.xml\n"
    return found


def twin_of(page: Page) -> str:
    """Give the way from a page to its twins, without their ending."""
    return base_of(page.url) + twin(page.url)


def write(site: Path, pages: list[Page], entries: list[Entry], about: About) -> None:
    """Write them into a built site."""
    for address, text in files(pages, entries, about).items():
        path = site / address
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    if not about.address:
        # MkDocs writes a map without addresses, which says that there is nothing here.
        for name in ("sitemap.xml", "sitemap.xml.gz"):
            (site / name).unlink(missing_ok=True)
