# SPDX-License-Identifier: MIT
"""Checks of the words across entries: long runs of words that two entries share, and sections that only restate the title."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .entry import Entry
from .problems import Problem
from .prose import blank_code, prose

#: so many words in the same order are a copy, not a coincidence
LONGEST_SHARED = 12
#: fields of which each should add something to title and signature
SECTIONS = ("summary", "about", "mechanism", "root_cause")
SMALL = frozenset("a an and are as at be because by for from has have in is it its of on or that the this to was were when which with".split())


def words_of(text: str) -> list[str]:
    """Give the words of a prose text, without code and marks."""
    return re.findall(r"[a-z0-9']+", blank_code(text).lower())


def runs_shared(entries: list[Entry]) -> Iterator[Problem]:
    """A run of words that stands in two entries was copied from one to the other."""
    first: dict[tuple[str, ...], tuple[str, str]] = {}
    for entry in entries:
        for path, text in prose(entry):
            words = words_of(text)
            skip = 0
            for start in range(len(words) - LONGEST_SHARED + 1):
                run = tuple(words[start:start + LONGEST_SHARED])
                there = first.setdefault(run, (entry.id, path))
                if there[0] != entry.id and start >= skip:
                    skip = start + LONGEST_SHARED
                    what = f'"{" ".join(run)}" stands in {there[0]} too'
                    yield entry.problem(path, what, f"there in {there[1]}", "say what is special here, or link to the other entry")


def sections_add_something(entry: Entry) -> Iterator[Problem]:
    """A section whose words are all in title and signature says nothing."""
    known = set(words_of(f"{entry.data['title']} {entry.data['signature']}")) | SMALL
    for field in SECTIONS:
        words = [word for word in re.findall(r"[a-z0-9']+", str(entry.data.get(field, "")).lower()) if word not in SMALL]
        if words and sum(word not in known for word in words) < max(3, 0.35 * len(words)):
            why = "its words stand in title and signature already"
            yield entry.problem(field, f"`{field}` only restates the title", why, "say what the reader does not know yet")
