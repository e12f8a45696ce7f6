# SPDX-License-Identifier: MIT
"""The answer to a search, for a terminal or a program."""

import json
from collections.abc import Sequence

from .search import Hit
from .terminal import Style, clip, visible, wrap

GROUPS = {"exact": "Exact signature", "similar": "Similar signatures", "prose": "In the words of the page"}


def render(hits: Sequence[Hit], query: str, form: str = "text", width: int = 100, style: Style | None = None) -> str:
    """Hits as text or JSON."""
    if form == "json":
        shown = [{**hit._asdict(), "matched": hit.matched} for hit in hits]
        return json.dumps({"query": query, "hits": shown}, ensure_ascii=True, indent=1) + "\n"
    style = style or Style()
    if not hits:
        return ("Nothing in the encyclopedia shares rare words with this.\n"
                "Try the words that only this error has, or give the whole log to `firstfault diagnose`.\n")
    lines: list[str] = []
    # The groups stand in the order of their best answer, as in the site's search box.
    for group in dict.fromkeys(hit.group for hit in hits):
        lines += [style(GROUPS[group], "bold"), *(line for hit in hits if hit.group == group for line in _told(hit, width, style))]
    return "\n".join(lines)


def _told(hit: Hit, width: int, style: Style) -> list[str]:
    """One answer: what it is, the line, how to read on, and why it is here."""
    why = f"shares: {', '.join(hit.words)}" if hit.words else "the name"
    return [*wrap(hit.title, width, ""), "  " + style(clip(hit.signature, width - 2), "dim"),
            f"  {style(f'firstfault explain {hit.id}', 'cyan')}", f"  {style(clip(visible(why), width - 2), 'dim')}", ""]
