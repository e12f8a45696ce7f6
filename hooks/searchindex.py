# SPDX-License-Identifier: MIT
"""Entries -> the index of the search, for the site's box and for `firstfault search` (firstfault/search.py reads it).

Two parts: `terms` say which entries hold a word and how much it says about them; `cards` hold what is shown of an entry and
the texts that a pasted line is compared with. Terms are sorted and cards are in the order of the ids, so that both can
be cut into pieces, of which a query fetches few.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from firstfault.patterns import Token, tokens_of
from firstfault.searchformat import FORMAT, LONGEST_LIST, rarity
from firstfault.searchmatch import Weigh, whole
from firstfault.searchwords import Word, joined, keys, words

#: How much a word says by where it stands: the classes of firstfault.searchformat.WEIGHTS.
NAME, SIGNATURE, TITLE, WORDING, PROSE = range(5)
MOST_ALTERNATIVES = 16
_HOLE = re.compile(r"<[^<>]{1,40}>|\.\.\.|\{[^{}]{0,60}\}")
_IDENTIFIER = re.compile(r"[A-Za-z]+_[A-Za-z0-9_]*|[a-z]+[A-Z][A-Za-z]+|[A-Z]{3,}[0-9]*")


def build(entries: list[dict[str, Any]]) -> dict[str, Any]:
    """Make the whole index of entries as plain data."""
    live = sorted((entry for entry in entries if entry["status"] != "retired"), key=lambda entry: entry["id"])
    postings: dict[str, dict[int, int]] = defaultdict(dict)
    vocabulary: dict[str, str] = {}
    for number, entry in enumerate(live):
        for place, found in filed(entry):
            for term in found.terms:
                postings[term][number] = min(place, postings[term].get(number, place))
            if place <= TITLE and found.text.isalpha():
                vocabulary.setdefault(found.text.lower(), found.key)
        for term in compounds(entry):
            postings[term].setdefault(number, TITLE)
        for name in names(entry):
            postings[f"={name}"][number] = NAME
    terms = {term: [len(postings[term]), *lists(postings[term])] for term in sorted(postings)}
    known = sorted(word for word in vocabulary if 3 <= len(word) <= 24)

    def weigh(key: str) -> float:
        return rarity(terms[key][0], len(live)) if key in terms else 0.0

    return {"format": FORMAT, "entries": len(live), "terms": terms, "cards": [card(entry, weigh) for entry in live], "words": " ".join(known)}


def lists(found: dict[int, int]) -> list[list[int]]:
    """Give the entries of a term by class, best class first, at most LONGEST_LIST of them; numbers are differences."""
    best = sorted(found, key=lambda number: (found[number], number))[:LONGEST_LIST]
    classes = []
    for place in range(PROSE + 1):
        numbers = sorted(number for number in best if found[number] == place)
        classes.append([number - before for before, number in zip([0, *numbers], numbers, strict=False)])
    while classes and not classes[-1]:
        classes.pop()
    return classes


def filed(entry: dict[str, Any]) -> Iterator[tuple[int, Word]]:
    """Give every word of an entry with the class of the place where it stands."""
    counted = Counter(identifiers(entry))
    places: list[tuple[int, Iterable[str]]] = [
        (NAME, (name.replace("-", " ") for name in [entry["id"], *(entry.get("aliases") or [])])),
        (SIGNATURE, [" ".join(holes(entry["signature"])), *(" ".join(runs) for runs in templates(entry))]),
        (TITLE, [entry["title"]]),
        (WORDING, (" ".join(holes(wording["text"])) for wording in entry.get("wordings") or [])),
        (WORDING, (name for name, count in counted.items() if count > 2)),
        (PROSE, prose(entry)),
        (PROSE, counted),
    ]
    for place, texts in places:
        for text in texts:
            yield from ((place, word) for word in words(text))


def compounds(entry: dict[str, Any]) -> Iterator[str]:
    """Give the neighbouring parts of the identifiers of names, title and signatures as words of their own."""
    for text in (entry["id"].replace("-", " "), entry["title"], entry["signature"], *(run for runs in templates(entry) for run in runs)):
        yield from joined(text)


def templates(entry: dict[str, Any]) -> list[list[str]]:
    """Give the literal runs of every wording of every signal that can be the answer; alternatives are written out."""
    found: list[list[str]] = []
    for signal in entry.get("signals") or []:
        if signal["role"] != "clue":
            for template in signal["match"]:
                found += [runs for runs in written_out(tokens_of(template)) if runs not in found]
    return found


def written_out(tokens: list[Token]) -> Iterator[list[str]]:
    """Give the literal runs of a template, once for each combination of its alternatives."""
    choices = [token.type.split("|") if token.kind == "field" and "|" in token.type else [None] for token in tokens]
    size = 1
    for choice in choices:
        size *= len(choice)
    for chosen in product(*choices) if size <= MOST_ALTERNATIVES else [tuple(None for _ in tokens)]:
        text = "".join(
            token.text if token.kind == "literal" else picked if picked is not None else "" if token.kind in ("start", "end", "border") else "\t"
            for token, picked in zip(tokens, chosen, strict=True))
        yield [run for run in (" ".join(part.split()) if part.strip() else "" for part in text.split("\t")) if run]


def holes(text: str) -> list[str]:
    """Give the literal runs of a text that people wrote with `<size>` or `...` for what differs."""
    return [run for run in (" ".join(part.split()) for part in _HOLE.split(text)) if run]


def prose(entry: dict[str, Any]) -> Iterator[str]:
    """Give the sentences that say what is seen and what it is."""
    yield from (entry.get(key) or "" for key in ("summary", "about", "first_step", "root_cause"))
    yield from entry.get("observe") or []
    yield from (text for row in entry.get("symptoms") or [] for text in (row["see"], row["means"]))
    yield from (question["q"] for question in entry.get("faq") or [])
    yield from [*(entry.get("frameworks") or []), *(entry.get("vendors") or []), entry["family"].replace("-", " ")]


def identifiers(value: Any) -> Iterator[str]:
    """Give the identifiers anywhere in an entry: a setting or a function is looked for by its name."""
    if isinstance(value, str):
        yield from _IDENTIFIER.findall(value)
    elif isinstance(value, list):
        for item in value:
            yield from identifiers(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key not in ("samples", "near_misses", "references"):
                yield from identifiers(item)


def names(entry: dict[str, Any]) -> Iterator[str]:
    """Give what an entry is called: id, aliases, and the numbers of Xid entries."""
    yield entry["id"]
    yield from entry.get("aliases") or []
    if entry["id"].startswith("xid-"):
        numbers = {term[1:].split(" ")[0] for text in (entry["id"].replace("-", " "), *(" ".join(runs) for runs in templates(entry)))
                   for word in words(text) for term in word.terms if term.startswith("#") and term.endswith((" xid", " pci"))}
        numbers |= {part for part in entry["id"].split("-")[1:4] if part.isdigit()}
        yield from (f"{prefix}{number}" for number in sorted(numbers) for prefix in ("", "xid-"))


def card(entry: dict[str, Any], weigh: Weigh) -> list[Any]:
    """Give what is shown of an entry and what lines are compared with."""
    seen = ["\t".join(runs).lower() for runs in templates(entry)]
    others = ["\t".join(holes(text)).lower() for text in (entry["signature"], *(wording["text"] for wording in entry.get("wordings") or []))]
    texts = [*seen, *(text for text in dict.fromkeys(others) if text not in seen)]
    weights = [round(whole(keys(text.replace("\t", " ")), weigh), 1) for text in (*texts, entry["title"].lower(), entry["id"].replace("-", " "))]
    return [entry["id"], entry["title"], entry["kind"], entry["signature"], texts, len(seen), weights]
