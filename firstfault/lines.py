# SPDX-License-Identifier: MIT
"""Lines as the rest of the engine sees them: without terminal codes, progress bars split off, origin known."""
from __future__ import annotations

from collections.abc import Iterator

from . import structured
from .lazy import Pattern
from .origin import Origin, fill, take_facts
from .prefixes import peel, strip_ansi
from .records import field, record

#: Characters of a line that are kept for matching; what is beyond stands in no message worth reading.
LONGEST = 16_000
_GLUED = Pattern(r"(?:[a-zA-Z?]/s|s/it)\](?P<rest>[^\s\],].{6,})$")
_BAR = Pattern(r"\d{1,3}%\|")
#: A name that our own masking hid: a log that was masked before it was shared is read like the one that it was.
_PSEUDONYM = Pattern(r"<((?:host|ip)-\d{1,6})>")
_BREAK = Pattern(r"[\r\n]+")
_BOX = Pattern(r"^[│┃|] ?(?=\S| )|\s*[│┃]\s*$")


@record(slots=True)
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
    rows = text.split("\n")
    for offset, raw in structured.joined(rows) if structured.may_be_cut(text) else enumerate(rows):
        lines.extend(_segments(raw, file, number + offset, order + offset))
    return lines


def _segments(raw: str, file: str, number: int, order: int) -> list[Line]:
    """A line, split at carriage returns; overwritten bars that say nothing new are dropped."""
    clean = strip_ansi(raw[:LONGEST] if len(raw) > LONGEST * 4 else raw)
    if "\r" not in clean:
        return list(_lines(clean, clean[:LONGEST], file, number, order))
    whole = clean.rstrip("\r")
    parts = [part for part in whole.split("\r") if part.strip()]
    if not parts:
        return [Line(file, number, order, "", "", "")]
    kept = [part for index, part in enumerate(parts) if index in (0, len(parts) - 1) or not _BAR.search(part[:200])]
    return [line for part in kept[:2000] for line in _lines(whole[:LONGEST], part[:LONGEST], file, number, order)]


def _behind_bar(message: str, origin: Origin) -> tuple[str, Origin]:
    """What hangs on the end of a progress bar that was never followed by a line end."""
    found = _GLUED.search(message)
    if found is None:
        return message, origin
    rest, inner = peel(found["rest"])
    if inner.rank is None:
        inner.rank = origin.rank
    inner.local_rank, inner.task, inner.source, inner.host = origin.local_rank, origin.task, inner.source or origin.source, inner.host or origin.host
    if inner.time is None:
        inner.time, inner.clock = origin.time, origin.clock
    return rest, inner


def _lines(text: str, body: str, file: str, number: int, order: int, outer: Origin | None = None) -> Iterator[Line]:
    """The line of a segment; where it is a record of a container or a logger, the lines inside, all at the record's place."""
    if "#011" in body:
        body = body.replace("#011", "\t")  # how syslog writes a tab
    if "<host-" in body or "<ip-" in body:
        body = _PSEUDONYM.sub(r"\1", body)
    message, origin = peel(body)
    if message.startswith('{"') and structured.is_record(message):
        record = structured.unwrap(message)
        if record is not None:
            said, facts = record
            take_facts(origin, facts)
            if said is not None and outer is None:
                for part in _BREAK.split(strip_ansi(said))[:2000]:
                    yield from _lines(text, part[:LONGEST], file, number, order, origin)
                return
    if outer is not None:
        fill(origin, outer)
    if "/s]" in message or "s/it]" in message:
        message, origin = _behind_bar(message, origin)
    if message[:1] in ("│", "┃"):
        message = _BOX.sub("", message)
    yield Line(file, number, order, text[:LONGEST], body, message, origin)
