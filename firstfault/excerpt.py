# SPDX-License-Identifier: MIT
"""The lines around one line of a log, taken from the log itself: an entry's sample shows how its error stands among others.

Fed like a diagnosis, so that it reads whatever a diagnosis reads: any size, encoding, compression, any member of an archive.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from .prefixes import strip_ansi
from .reading import Block, Reader

#: Lines kept before the chosen one (a traceback's frames stand there) and after it.
BEFORE, AFTER = 40, 3
#: A sample is an example, not a log: longer lines are cut.
LONGEST = 1200
_HEADER = "Traceback (most recent call last)"


class Excerpt:
    """Looks for a line by file and number, or by a part of its text, and keeps its surroundings."""

    def __init__(self, file: str = "", number: int = 0, text: str = "") -> None:
        self.notes: list[str] = []
        self.chosen = 0
        self.file = file
        self._number = number
        self._text = " ".join(text.split())
        self._reader: Reader | None = None
        self._lines: deque[tuple[int, str]] = deque(maxlen=BEFORE + 1)
        self._after = AFTER

    @property
    def found(self) -> bool:
        """Whether the line was met."""
        return self.chosen > 0

    def open(self, name: str, size: int | None = None) -> None:
        """Begin an input; its size changes nothing here."""
        self._reader = Reader(name)
        if not self.found:
            self._lines.clear()

    def feed(self, data: bytes) -> None:
        """Take more bytes of it."""
        if self._reader is not None and not (self.found and self._after <= 0):
            self._take(self._reader.feed(bytes(data)))

    def close(self) -> None:
        """The input is complete: what follows stands in another."""
        if self._reader is not None:
            self._take(self._reader.close())
        if self.found:
            self._after = 0
        self._reader = None

    def lines(self) -> list[tuple[int, str]]:
        """Number and text of the lines that make a sample: the whole traceback, or a few lines before and after."""
        kept = list(self._lines)
        at = next(place for place, (number, _text) in enumerate(kept) if number == self.chosen)
        headers = [place for place in range(at, -1, -1) if _HEADER in kept[place][1]]
        return kept[headers[0] if headers else max(at - 3, 0):]

    def _take(self, blocks: Iterator[Block]) -> None:
        for block in blocks:
            for offset, raw in enumerate(block.data.decode("utf-8", "replace").removesuffix("\n").split("\n")):
                if self.found and self._after <= 0:
                    return
                self._one(block.number + offset, raw)

    def _one(self, number: int, raw: str) -> None:
        text = _last_segment(strip_ansi(raw))
        if self.found:
            self._after -= 1
            self._lines = deque([*self._lines, (number, text)])
            return
        self._lines.append((number, text))
        if self._is_it(number, text):
            self.chosen = number
            assert self._reader is not None
            self.file = self._reader.name

    def _is_it(self, number: int, text: str) -> bool:
        if self._text:
            return self._text in " ".join(text.split())
        assert self._reader is not None
        return number == self._number and (not self.file or self._reader.name == self.file)


def of_text(text: str) -> Excerpt:
    """The excerpt of a paste that is the whole log; its decisive line is the last one that says anything."""
    lines = [line for line in text.split("\n") if line.strip()]
    excerpt = Excerpt(text=lines[-1])
    excerpt.open("paste")
    excerpt.feed(("\n".join(lines) + "\n").encode())
    excerpt.close()
    return excerpt


def _last_segment(text: str) -> str:
    """What a terminal shows of a line that overwrote itself."""
    shown = next((part for part in reversed(text.rstrip("\r").split("\r")) if part.strip()), "")
    return shown if len(shown) <= LONGEST else shown[:LONGEST] + " ..."
