# SPDX-License-Identifier: MIT
"""The Atom feed of new and changed entries, from the dates that the entries themselves carry."""

from __future__ import annotations

from html import escape
from typing import Any

from .api import Texts, last_change
from .markup import bare
from .pieces import family_name

ADDRESS = "feed.xml"
MOST = 60
#: identities that hold wherever the site is published (RFC 4151)
TAG = "tag:github.com,2026:firstfault/firstfault/"


def moment(day: str) -> str:
    """Write a day as Atom wants it."""
    return f"{day or '1970-01-01'}T00:00:00Z"


def item(entry: dict[str, Any], site: str) -> str:
    """Give one entry of the feed; its title says whether it is new or changed."""
    changed = entry["updated"] != entry["created"]
    return (
        f"<entry><title>{escape('Changed: ' if changed else 'New: ', quote=False)}{escape(entry['title'], quote=False)}</title><id>{TAG}{entry['id']}</id>"
        f"<link href=\"{escape(site)}{entry['id']}/\"/><published>{moment(entry['created'])}</published><updated>{moment(entry['updated'])}</updated>"
        f"<category term=\"{entry['family']}\" label=\"{escape(family_name(entry['family']))}\"/>"
        f"<summary>{escape(entry['signature'], quote=False)}\n\n{escape(bare(entry['summary']), quote=False)}</summary></entry>\n"
    )


def atom(texts: Texts, title: str, subtitle: str, site: str) -> str:
    """Give the feed, youngest first; without a site's address its links are relative to it."""
    dated = [entry for entry in texts.values() if entry.get("updated") and entry.get("created") and entry["status"] != "retired"]
    # Equal days keep the order of ids, so that equal entries give equal bytes.
    youngest = sorted(dated, key=lambda entry: (entry["updated"], entry["created"]), reverse=True)[:MOST]
    return (
        f'<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en"{f" xml:base={chr(34)}{escape(site)}{chr(34)}" if site else ""}>\n'
        f'<title>{escape(title, quote=False)}</title><subtitle>{escape(subtitle, quote=False)}</subtitle><id>{TAG}entries</id>\n'
        f'<link rel="self" type="application/atom+xml" href="{escape(site)}{ADDRESS}"/><link rel="alternate" type="text/html" href="{escape(site) or "./"}"/>\n'
        f"<updated>{moment(last_change(dated))}</updated><author><name>{escape(title, quote=False)} contributors</name></author><rights>CC BY 4.0</rights>\n"
        f"{''.join(item(entry, site) for entry in youngest)}</feed>\n"
    )
