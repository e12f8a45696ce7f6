# SPDX-License-Identifier: MIT
"""The answer to a search, for a terminal or a program."""

import json
from collections.abc import Sequence

from .search import Hit
from .terminal import Style, clip, wrap


def render(hits: Sequence[Hit], query: str, form: str = "text", width: int = 100, style: Style | None = None) -> str:
    """Hits as text or JSON."""
    if form == "json":
        return json.dumps({"query": query, "hits": [hit._asdict() for hit in hits]}, ensure_ascii=True, indent=1) + "\n"
    style = style or Style()
    if not hits:
        return ("Nothing in the encyclopedia shares rare words with this.\n"
                "Try the words that only this error has, or give the whole log to `firstfault diagnose`.\n")
    lines: list[str] = []
    for hit in hits:
        lines += [*wrap(hit.title, width, ""), "  " + style(clip(hit.signature, width - 2), "dim")]
        why = "the text matches this entry" if hit.matched else f"shares: {', '.join(hit.words)}" if hit.words else "the name"
        lines += [f"  {style(f'firstfault explain {hit.id}', 'cyan')}", f"  {style(why, 'dim')}", ""]
    return "\n".join(lines)
