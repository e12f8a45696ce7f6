# SPDX-License-Identifier: MIT
"""Lines as the rest of the engine sees them: without terminal codes, progress bars split off, origin known."""
from __future__ import annotations

import re
from dataclasses import dataclass, field

from .prefixes import Origin, peel, strip_ansi

#: Characters of a line that are kept for matching; what is beyond stands in no message worth reading.
LONGEST = 16_000
_BAR = re.compile(r"\d{1,3}%\|")
_BOX = re.compile(r"^[│┃|] ?(?=\S| )|\s*[│┃]\s*$")


@dataclass(slots=True)
class Line:
    """One line, or one carriage-return segment of it.

    ``text`` is the whole physical line without terminal codes; ``body`` the segment; ``message`` the segment
    without its prefixes.  ``order`` counts over all inputs.
    """

    file: str
    number: int
    order: int
    text: str
    body: str
    message: str
    origin: Origin = field(default_factory=Origin)


def split(data: bytes, file: str, number: int, order: int) -> list[Line]:
    """The lines of a block of whole lines; ``number`` and ``order`` are those of the first."""
    lines: list[Line] = []
    text = data.decode("utf-8", "replace")
    if text.endswith("\n"):
        text = text[:-1]
    for offset, raw in enumerate(text.split("\n")):
        lines.extend(_segments(raw, file, number + offset, order + offset))
    return lines


def _segments(raw: str, file: str, number: int, order: int) -> list[Line]:
    """A line, split at carriage returns; overwritten bars that say nothing new are dropped."""
    clean = strip_ansi(raw[:LONGEST] if len(raw) > LONGEST * 4 else raw)
    if "\r" not in clean:
        return [_line(clean, clean[:LONGEST], file, number, order)]
    whole = clean.rstrip("\r")
    parts = [part for part in whole.split("\r") if part.strip()]
    if not parts:
        return [_line("", "", file, number, order)]
    kept = [part for index, part in enumerate(parts) if index in (0, len(parts) - 1) or not _BAR.search(part[:200])]
    return [_line(whole[:LONGEST], part[:LONGEST], file, number, order) for part in kept[:2000]]


def _line(text: str, body: str, file: str, number: int, order: int) -> Line:
    message, origin = peel(body)
    if message[:1] in ("│", "┃"):
        message = _BOX.sub("", message)
    return Line(file, number, order, text[:LONGEST], body, message, origin)
