# SPDX-License-Identifier: MIT
"""Checks of the words: markup that has no place in an entry, filler, and sentences that stand twice."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b

from .entry import Entry
from .problems import Problem
from .prose import ENTRY_LINK, blank_code, links, prose, sentences

TAG = re.compile(r"<\s*[A-Za-z/!?][^\n]{0,20}")
OTHER_MARKUP = (
    (re.compile(r"!\[[^\n]{0,20}"), "an image", "the site shows no pictures from entries", "describe what it shows"),
    (re.compile(r"\{:?\s*[.#:][^\n}]{0,30}\}?|\{:[^\n]{0,20}"), "an attribute list", "entries set no attributes", "remove it"),
    (re.compile(r"^\s{0,3}\[[^\]\n]+\]:\s*\S+|\]\[[^\]\n]*\]", re.MULTILINE), "a reference link", "links are written in place", "write [text](https://...)"),
    (re.compile(r"--8<--|\{%|\{\{"), "a macro", "nothing is expanded in entries", "put it in `code`"),
    (re.compile(r"^\s{0,3}#{1,6} ", re.MULTILINE), "a heading", "the page has its own", "use a paragraph or a list"),
    (re.compile(r"&(?:#\d+|#x[0-9a-fA-F]+|[a-zA-Z]+);"), "an entity", "entries are plain text", "write the character itself"),
)
FILLER = re.compile(
    r"\b(it is (?:important|worth|crucial|essential) (?:to|not)\w*|please note|note that|as (?:mentioned|discussed|noted) (?:above|earlier|before)"
    r"|in (?:this|the following) (?:article|section|guide|page)|there (?:are|can be) (?:many|several|various|a number of) (?:reasons|causes)"
    r"|(?:for )?various reasons|a (?:wide )?(?:variety|range|plethora|myriad) of|best practices?|update your drivers?|delve|seamless(?:ly)?"
    r"|leverag(?:e|es|ing)|in today's|let's dive|when it comes to|plays? an? (?:crucial|vital|key|important) role|at the end of the day"
    r"|robust(?:ly|ness)?|comprehensive(?:ly)?|make sure everything|needless to say|basically|obviously)\b",
    re.IGNORECASE,
)
SHORTEST = 8
NOWHERE: Mapping[str, list[str]] = {}


def no_markup(entry: Entry) -> Iterator[Problem]:
    """Python-Markdown would pass HTML through, and an entry is a stranger's text."""
    for path, text in prose(entry):
        bare = blank_code(text)
        if found := TAG.search(bare):
            shown = found.group().split("\n")[0]
            yield entry.problem(path, f"`{shown}` looks like HTML", "entries hold no raw HTML", "put it in `code`, or write it in words", at=shown[:12])
        for pattern, what, why, todo in OTHER_MARKUP:
            if found := pattern.search(bare):
                shown = found.group().strip()
                yield entry.problem(path, f"`{shown}` is {what}", why, todo, at=shown.splitlines()[0][:12])


def links_are_https(entry: Entry) -> Iterator[Problem]:
    """A link goes to an https address or to an entry; whether the entry exists is asked elsewhere."""
    for path, text in prose(entry):
        for whole, target in links(text):
            if re.fullmatch(r"https://[A-Za-z0-9][A-Za-z0-9.-]*(?::\d+)?(?:[/?#][^\s<>\"'`\\]*)?", target) or ENTRY_LINK.fullmatch(target):
                continue
            yield entry.problem(path, f"`{target[:60]}` is no link for an entry", "links are https addresses or entry ids", "write [text](https://...) or [text](entry-id)", at=whole[:12])


def no_filler(entry: Entry) -> Iterator[Problem]:
    """A phrase that could stand on any page says nothing on this one."""
    for path, text in prose(entry):
        for found in FILLER.finditer(blank_code(text)):
            phrase = " ".join(found.group().split())
            yield entry.problem(path, f'"{phrase}" is filler', "it could stand on any page", "say the specific thing, or delete it", at=found.group().split("\n")[0])


def normal(sentence: str) -> str:
    """Give a sentence without case, marks and blanks."""
    return " ".join(re.findall(r"[a-z0-9_]+", sentence.lower()))


def repeatable(entry: Entry) -> Iterator[tuple[str, str, str]]:
    """Yield (path, sentence, its normal form) of the sentences long enough to be a copy when they stand twice."""
    for path, text in prose(entry):
        for sentence in sentences(text):
            key = normal(sentence)
            if key.count(" ") >= SHORTEST - 1:
                yield path, sentence, key


def mark(key: str) -> str:
    """Give a short mark of a sentence: the places of all sentences travel to the browser, their words need not."""
    return blake2b(key.encode(), digest_size=6).hexdigest()


def places_of_sentences(entries: Iterable[Entry]) -> dict[str, list[str]]:
    """Give the places of each sentence, as `file:line field`."""
    places: dict[str, list[str]] = {}
    for entry in entries:
        for path, sentence, key in repeatable(entry):
            places.setdefault(mark(key), []).append(f"{entry.file}:{entry.line_of(path, sentence[:20])} {path}")
    return places


def sentences_once(entries: list[Entry], elsewhere: Mapping[str, list[str]] = NOWHERE) -> Iterator[Problem]:
    """Every section says something that no other section, and no other page, says; `elsewhere` are places of other entries."""
    first: dict[str, tuple[Entry, str]] = {}
    for entry in entries:
        for path, sentence, key in repeatable(entry):
            if key in first:
                there, where = first[key]
                place = where if there is entry else f"{there.file}:{there.line_of(where, sentence[:20])} {where}"
            else:
                first[key] = (entry, path)
                place = next((found for found in elsewhere.get(mark(key), ()) if not found.startswith(f"{entry.file}:")), "") if elsewhere else ""
            if place:
                yield entry.problem(path, f'"{sentence[:60]}..." stands twice', f"{place} says it already", "delete it, or say what is special here", at=sentence[:20])
