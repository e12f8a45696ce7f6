# SPDX-License-Identifier: MIT
"""What of a text tells it apart from others: its words in order, without what changes from run to run.

The site's search box does the same in overrides/assets/searchwords.js: what changes here changes there, and
tests/searchbench/ compares the two on every query. So only ASCII letters are letters, and no expression uses `\\w` or
`\\b`, which differ between the languages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from .lazy import Pattern

#: A query is cut here: what follows no longer changes the answer.
LONGEST = 20_000

_PIECE = Pattern(
    r"\x1b\[[0-9;]{0,16}m"  # colours
    r"|0[xX][0-9a-fA-F]{1,40}|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F-]{10,40}"  # addresses, ids
    r"|(?P<word>[A-Za-z_][A-Za-z0-9_]{0,80})"
    r"|(?P<number>[0-9]{1,5})(?![0-9A-Za-z_]|[.:][0-9A-Za-z])"
    r"|[0-9][0-9A-Za-z_.:+]{0,80}"  # times, sizes, versions, PCI addresses
)
_PATH = Pattern(r"[A-Za-z0-9_.+~@=/-]{1,400}")
_FILE = Pattern(r"/[A-Za-z0-9_+-]{1,80}\.[A-Za-z]")
_PARTS = Pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_DIGITS = Pattern(r"[0-9]+")
STOP = frozenset(
    "the a an of in to at on is was are be been for and or by with from this that it its as not no line file py most recent call last "
    "too you your we our i do does did has have had can will would if so than then but what which how why when where".split())


class Word(NamedTuple):
    """A word of a text: `key` is what is compared, `terms` are all keys under which it is filed or looked up, `text` is as written."""

    key: str
    terms: tuple[str, ...]
    text: str


def words(text: str) -> Iterator[Word]:
    """The words of a text in order; a lone number counts together with the word before it (`Xid ...: 79`)."""
    before: list[str] = []
    for found in _PIECE.finditer(_PATH.sub(_without_folders, text) if "/" in text else text):
        if found["word"]:
            word = _word(found["word"])
            if word:
                before = [word.key, *before[:1]]
                yield word
        elif found["number"] and before:
            number = found["number"].lstrip("0") or "0"
            keys = tuple(f"#{number} {earlier}" for earlier in before)
            yield Word(keys[0], keys, found["number"])


def _without_folders(found: re.Match[str]) -> str:
    """Of a path the last name; `and/or` is no path."""
    text = found[0]
    return text[text.rindex("/") + 1:] if text.count("/") > 1 or _FILE.search(text) else text


@lru_cache(maxsize=20_000)
def _word(text: str) -> Word | None:
    lowered = text.lower().strip("_")
    if len(lowered) < 2 or lowered in STOP:
        return None
    key = stem(_DIGITS.sub("", lowered).strip("_") if lowered[-1].isdigit() else lowered)
    if len(key) < 2:
        key = lowered
    whole = [lowered] if lowered[-1].isdigit() else []
    parts = [part.lower() for part in _PARTS.findall(text)]
    pieces = [stem(part) for part in parts if len(part) > 1 and part not in STOP and not part[0].isdigit()] if len(parts) > 1 else []
    return Word(key, tuple(dict.fromkeys((key, *whole, *pieces))), text)


def stem(word: str) -> str:
    """A word without its commonest English endings, so that `hang` finds `hangs` and `killed` finds `kill`."""
    if len(word) < 4 or not word.isalpha():
        return word
    if word.endswith(("sses", "shes", "ches", "xes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            if word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


def joined(text: str) -> Iterator[str]:
    """Neighbouring parts of identifiers as one word: `BackOff` is looked for as `backoff`, too."""
    for found in _PIECE.finditer(text):
        parts = _PARTS.findall(found["word"] or "")
        yield from (stem((one + other).lower()) for one, other in pairwise(parts))


def keys(text: str) -> list[str]:
    """The comparable words of a text, in order."""
    return [word.key for word in words(text)]
