# SPDX-License-Identifier: MIT
"""What search engines and link previews read in a page's head: JSON-LD, and the words of a shared link.

A data block is not run by a browser, so the page's policy needs no hash for it.
"""

from __future__ import annotations

import json
from html import escape
from typing import Any

from .page import Page, base_of
from .pieces import family_name

CONTEXT = "https://schema.org"
LICENCE = "https://creativecommons.org/licenses/by/4.0/"


def data_block(value: dict[str, Any]) -> str:
    """Write JSON-LD so that no text in it can end the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    return f'<script type="application/ld+json">{text}</script>'


def article(page: Page, data: dict[str, Any], site: str, name: str) -> dict[str, Any]:
    """Describe an entry's page."""
    address = site + page.url if site else "./"
    described = {
        "@context": CONTEXT, "@type": "TechArticle", "headline": page.title, "alternativeHeadline": page.headline, "description": page.description,
        "inLanguage": "en", "license": LICENCE, "articleSection": family_name(page.family), "datePublished": data.get("created"), "dateModified": data.get("updated"),
        "keywords": ", ".join([*data.get("aliases", []), *data.get("frameworks", [])]), "proficiencyLevel": "Expert",
        "author": {"@type": "Organization", "name": f"{name} contributors"}, "publisher": {"@type": "Organization", "name": name},
        "mainEntityOfPage": address, "url": address,
    }
    return {key: value for key, value in described.items() if value}


def breadcrumbs(page: Page, site: str, name: str) -> dict[str, Any]:
    """Describe the way from the first page to this one."""
    root = site or base_of(page.url)
    steps = [(name, root)] + ([(family_name(page.family), f"{root}{page.family}/")] if page.source else []) + [(page.title, site + page.url if site else "./")]
    items = [{"@type": "ListItem", "position": number, "name": title, "item": address} for number, (title, address) in enumerate(steps, 1)]
    return {"@context": CONTEXT, "@type": "BreadcrumbList", "itemListElement": items}


def shorten(words: str, most: int = 280) -> str:
    """Cut at a word, where a preview would cut anywhere."""
    return words if len(words) <= most else words[:most].rpartition(" ")[0] + " ..."


def preview(page: Page, site: str, name: str) -> str:
    """Give the words that a chat or a feed shows of a shared link."""
    title = f"{page.title} - {name}" if page.url else name
    words = f"{page.headline}: {page.description}" if page.headline else page.description
    named = {
        "og:type": "article" if page.source else "website", "og:site_name": name, "og:title": title, "og:description": shorten(words),
        "og:url": site + page.url if site else "", "twitter:card": "summary", "twitter:title": title, "twitter:description": shorten(words),
    }
    return "".join(f'<meta {"name" if key.startswith("twitter") else "property"}="{key}" content="{escape(value)}">\n' for key, value in named.items() if value)


def head(page: Page, data: dict[str, Any] | None, site: str, name: str) -> str:
    """Give everything of this kind for one page."""
    blocks = [breadcrumbs(page, site, name)] if page.url else [{"@context": CONTEXT, "@type": "WebSite", "name": name, "description": page.description, "url": site or "./"}]
    if data is not None:
        blocks.insert(0, article(page, data, site, name))
    return preview(page, site, name) + "\n".join(map(data_block, blocks))
