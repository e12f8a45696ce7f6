# SPDX-License-Identifier: MIT
"""What may be written to a terminal, and how it is laid out.

Log text is hostile: it can hold escape sequences that retitle a window or fill a clipboard, and characters that reorder
or hide a line. Everything printed goes through `visible`, so the only escape sequences on the terminal are our own.
"""

import os
import re
from typing import IO

_BIDI = [0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
_HIDDEN = [0x00AD, 0x115F, 0x1160, 0x180E, 0x200B, 0x200C, 0x200D, *range(0x2060, 0x2066), 0x3164, 0xFEFF, 0xFFA0]
_BREAKS = [0x2028, 0x2029]


def _escape(code: int) -> str:
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


_VISIBLE = {
    code: _escape(code)
    for code in [*range(0x20), *range(0x7F, 0xA0), *_BIDI, *_HIDDEN, *_BREAKS, *range(0xE0000, 0xE0080)]
}
_VISIBLE[0x09] = "    "
_SURROGATE = re.compile("[\ud800-\udfff]")
# A stack of combining marks paints over the neighbouring lines: beyond three in a row they are spelled out.
_MARKS = re.compile("([\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{3})"
                    "([\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+)")


def visible(text: str) -> str:
    """The text with control, bidirectional and invisible characters spelled out (`\\x1b`, `\\u202e`), on one line."""
    if text.isascii() and text.isprintable():
        return text
    text = _SURROGATE.sub(lambda found: _escape(ord(found[0])), text.translate(_VISIBLE))
    return _MARKS.sub(lambda found: found[1] + "".join(map(_escape, map(ord, found[2]))), text)


def wants_colour(stream: IO[str], allowed: bool = True) -> bool:
    """Whether colour codes may go to this stream: NO_COLOR, FORCE_COLOR, then whether it is a terminal."""
    if not allowed or os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return os.environ.get("TERM") != "dumb" and hasattr(stream, "isatty") and stream.isatty()


def columns(most: int = 100, least: int = 40) -> int:
    """Columns to write in: the terminal's, within what reads well."""
    import shutil  # it imports every kind of compression

    return max(least, min(most, shutil.get_terminal_size((most, 24)).columns))


_PAINTS = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


class Style:
    """Our own colours, or none. Colour is never the only sign: each use stands beside a word."""

    def __init__(self, on: bool = False) -> None:
        self.on = on

    def __call__(self, text: str, *names: str) -> str:
        """`text`, painted."""
        if not self.on or not names or not text:
            return text
        return f"\x1b[{';'.join(_PAINTS[name] for name in names)}m{text}\x1b[0m"


def wrap(text: str, width: int, first: str = "", rest: str | None = None) -> list[str]:
    """Prose in lines of at most `width` columns; line breaks of the text are kept."""
    import textwrap  # a report for another program is not wrapped

    rest = " " * len(first) if rest is None else rest
    lines: list[str] = []
    for paragraph in text.split("\n"):
        lead = first if not lines else rest
        lines += textwrap.wrap(visible(paragraph), max(width, len(lead) + 20), initial_indent=lead, subsequent_indent=rest,
                               break_long_words=False, break_on_hyphens=False) or [lead.rstrip()]
    return lines


def clip(text: str, limit: int) -> str:
    """One log line of at most `limit` characters; a cut is said."""
    text = visible(text[:limit + 1])
    return text if len(text) <= limit else f"{text[:limit]} ...(cut)"


def fold(text: str, width: int, limit: int = 600) -> list[str]:
    """A log line in rows of `width`: broken anywhere, since log lines have no good places to break."""
    text = clip(text, limit)
    return [text[start:start + width] for start in range(0, len(text), width)] or [""]
