# SPDX-License-Identifier: MIT
"""Whether a wording really stands in a line: the close look after the prefilter's, which knows only that it can."""
from __future__ import annotations

from .database import Signal
from .lines import Line

#: Around a literal, this much of a long line is matched.
_BEFORE, _AFTER = 600, 2600


def bodies(lines: list[Line]) -> bytes:
    """The text of lines, one row for each."""
    return "\n".join(line.body.replace("\r", " ").replace("\n", " ") for line in lines).encode("utf-8", "replace")


def verify(line: Line, signal: Signal, number: int) -> dict[str, str] | None:
    """The captured fields if the wording really stands in the line, else None."""
    text = line.message if signal.anchored[number] else line.body
    if len(text) > _BEFORE + _AFTER:
        literal = max(signal.literals[number], key=len)
        at = text.find(literal)
        if at < 0:
            return None
        start = 0 if signal.anchored[number] else max(0, at - _BEFORE)
        text = text[start:at + _AFTER]
    if not all(word in line.body or word in line.message for run in signal.literals[number] for word in run.split()):
        return None  # most candidates end here, before their expression is even compiled
    found = signal.pattern(number).search(text)
    if found is None and not signal.anchored[number] and line.message is not line.body:
        found = signal.pattern(number).search(line.message[:_BEFORE + _AFTER])
    return None if found is None else {name: value for name, value in found.groupdict().items() if value is not None}
