# SPDX-License-Identifier: MIT
"""A result, written for whoever reads it: a terminal, an issue or chat, a program.

Text and Markdown are masked unless told otherwise, since they are read over shoulders and pasted. JSON is the contract:
each `text` is the whole physical line, so it is masked only on demand.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .masking import Masker
    from .terminal import Style

FORMATS = ("text", "json", "markdown")
_LONGEST = 2000
_KIND_WORDS = {"token": "secret", "key": "line of private keys", "url": "private address", "email": "e-mail address",
               "user": "user name", "ip": "IP address", "host": "host name"}


def render(result: Mapping[str, Any], form: str = "text", *, masked: bool | None = None, width: int = 100, style: Style | None = None,
           masker: Masker | None = None) -> str:
    """The report in one of `FORMATS`; `masked=None` is each format's own default, `masker` one whose pseudonyms are in use already."""
    if masked is None:
        masked = form != "json"
    if form == "json" and not masked:
        return _as_json(result)  # without the modules that the other forms need: a program that asks for JSON is in a hurry
    from . import report_markdown, report_text
    from .phrases import short_names
    from .redact import mask_result, masker_for

    footer: list[str] = []
    if form != "json":
        result = _cut(short_names(result))
    if masked or form == "markdown":
        # Markdown exists to be pasted elsewhere: it has no unmasked form.
        masker = masker or masker_for(result)
        result = mask_result(result, masker)
        footer = _legend(masker, form)
    if form == "json":
        return _as_json(result)
    if form == "markdown":
        return report_markdown.render(result, footer)
    return report_text.render(result, width, style, footer)


def _as_json(result: Mapping[str, Any]) -> str:
    """ASCII only: no escape sequence, bidirectional control or lone surrogate of a log reaches a terminal or a pipe as itself."""
    return json.dumps(result, ensure_ascii=True, indent=1) + "\n"


def _cut(value: Any) -> Any:
    """Only the beginning of very long lines: no more is shown, and masking a megabyte of each would cost a second."""
    if isinstance(value, str):
        return value[:_LONGEST]
    if isinstance(value, Mapping):
        return {key: _cut(item) for key, item in value.items()}
    return [_cut(item) for item in value] if isinstance(value, list) else value


def _legend(masker: Masker, form: str) -> list[str]:
    counts = masker.legend()
    if not counts:
        return []
    hidden = ", ".join(f"{count} {_KIND_WORDS[kind]}{'' if count == 1 else 'es' if _KIND_WORDS[kind].endswith('s') else 's'}"
                       for kind, count in counts.items())
    return [f"Masked: {hidden}." + (" --no-mask shows them." if form == "text" else "")]
