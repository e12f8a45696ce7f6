# SPDX-License-Identifier: MIT
"""What stands before the message of a line: who wrote it, when, and for which rank.

Wrappers nest (`kubectl > container > journal > srun > torchrun > torch`), so prefixes are peeled from the
outside in until none matches.  A value once found is kept; an inner one fills only what is still unknown,
except the rank, where the innermost *global* rank wins (`2: [rank11]:` is rank 11 on task 2).
"""
from __future__ import annotations

from .lazy import Pattern
from .origin import Origin
from .prefixtable import starting_with, task

_ANSI = Pattern(r"\x1b\[[0-?]{0,64}[ -/]{0,8}[@-~]|\x1b[\]PX^_][^\x07\x1b]{0,512}(?:\x07|\x1b\\)|\x1b[ -/]{1,4}[0-~]|\x1b[@-Z\\-_]|\^\[\[[0-9;]{0,16}m|\\x1b\[[0-9;]{0,16}m")
_LOST_ESC = Pattern(r"\[(?:0|1|[0-9]{1,2}(?:;[0-9]{1,3}){1,4}|[34][0-7]|9[0-7])m")


def strip_ansi(text: str) -> str:
    """Text without terminal codes, also those whose escape character was lost in copying."""
    if "\x1b" in text or "^[" in text or "\\x1b" in text:
        text = _ANSI.sub("", text)
    return _LOST_ESC.sub("", text) if "m" in text and "[" in text else text


_REPEATED = Pattern(r" \[repeated (\d{1,7})x across cluster\][^\n]{0,200}$")


def peel(text: str) -> tuple[str, Origin]:
    """Split a line (without terminal codes) into its message and what its prefixes tell."""
    origin = Origin()
    for _round in range(8):
        peeled = _peel_once(text, origin)
        if peeled is None:
            break
        text = peeled
    if text.endswith(("cluster]", "rules.)", "rule.)")) or "x across cluster]" in text[-220:]:
        repeated = _REPEATED.search(text[-260:])
        if repeated:
            origin.repeats = int(repeated[1])
            text = text[: len(text) - len(repeated[0])]
    return text, origin


def _peel_once(text: str, origin: Origin) -> str | None:
    """The text behind one more prefix, or None when there is none."""
    if not text:
        return None
    head = text[:600]
    for guard, pattern, function in starting_with(text[:2]):
        if guard not in head:
            continue
        if function is task and (origin.task is not None or origin.header):
            continue
        found = pattern.match(head)
        if found and found.end():
            function(found, origin)
            return text[found.end():]
    return None
