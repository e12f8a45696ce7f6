# SPDX-License-Identifier: MIT
"""Characters that must not stand in an entry: what cannot be seen, or reorders what is seen (Trojan Source)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

CONTROLS = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
INVISIBLE = "\u00ad\u034f\u180e\u200b-\u200d\u2060-\u2064\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
BREAKS = "\u2028\u2029"
BLANKS = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
UNWELCOME = re.compile(f"[{CONTROLS}{BIDI}{INVISIBLE}{BREAKS}{BLANKS}]|\r(?!\n)")
REORDERING = re.compile(f"[{BIDI}]")
BLANK = re.compile(f"[{BLANKS}]")


# A coloured or overwritten log line may be sampled as it is, written with escapes: "\\x1b[31m".
ESCAPED = re.compile(f"[{CONTROLS}{BIDI}{INVISIBLE}{BREAKS}{BLANKS}]")
IN_LOGS = "\x1b\r"


def why(character: str) -> str:
    """Say what is wrong with it."""
    if REORDERING.match(character):
        return "it reorders the text around it"
    if BLANK.match(character):
        return "it looks like a blank and is not one"
    return "it cannot be seen"


def unwelcome(text: str) -> Iterator[tuple[int, str, str, str, str]]:
    """Yield (line, field, what, why, todo) for the first such character of each line, at most 20."""
    seen: set[int] = set()
    for match in UNWELCOME.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        if line in seen:
            continue
        seen.add(line)
        column = match.start() - (text.rfind("\n", 0, match.start()) + 1) + 1
        character = match.group()
        name = unicodedata.name(character, "control character").lower()
        yield line, "", f"U+{ord(character):04X} ({name}) in column {column}", why(character), "remove it, or name it as `U+XXXX`"
        if len(seen) >= 20:
            return
