# SPDX-License-Identifier: MIT
"""Entries by the words of an error: a whole pasted line, a part of it, or a few words.

The order: entries whose own signals match the text (the matcher's answer), then entries that share rare words with it.
Numbers, paths and addresses differ from run to run and are dropped; identifiers count whole and in parts, so that both
`NCCL_IB_TIMEOUT` and `ib timeout` find it.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from .database import Database, Signal
from .prefixes import peel

Entry = Mapping[str, Any]
#: a query is cut here: more words no longer change the answer
LONGEST = 20_000

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,80}")
_NOISE = re.compile(r"0x[0-9a-fA-F]{1,40}|(?:/[\w.+-]{1,80}){2,40}|\b[0-9a-f]{8}-[0-9a-f-]{20,40}|"
                    r"\{[a-z_]{1,30}(?::[^}]{0,60})?\}|\{[.^$b]{1,3}\}|<[\w ]{1,30}>")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_STOP = frozenset(
    "the a an of in to at on is was are for and or by with from this that it be not line file py python most recent call last".split())
# How much a word weighs by where it stands.
_WEIGHTS = {"name": 3.0, "signature": 2.5, "signal": 2.0, "wording": 1.5, "title": 2.5, "text": 0.6}


class Hit(NamedTuple):
    """An entry that answers a query: why, and how well."""

    id: str
    title: str
    kind: str
    signature: str
    score: float
    matched: bool
    words: list[str]


def tokens(text: str) -> Iterator[str]:
    """Words that tell texts apart: identifiers whole and in their parts, small letters."""
    for word in _WORD.findall(_NOISE.sub(" ", text[:LONGEST])):
        lowered = word.lower().strip("_")
        if len(lowered) < 2 or lowered in _STOP:
            continue
        yield lowered
        parts = [part.lower() for part in _PARTS.findall(word)]
        if len(parts) > 1:
            yield from (part for part in parts if len(part) > 1 and part not in _STOP and not part.isdigit())


class Index:
    """The words of all entries with their weights, and the matcher's own patterns."""

    def __init__(self, entries: Mapping[str, Entry], database: Database | None = None) -> None:
        self.entries, self.database = entries, database

    @cached_property
    def weights(self) -> dict[str, dict[str, float]]:
        """For each entry, its words with the weight of the best place they stand in."""
        return {id_: _weights(id_, entry) for id_, entry in self.entries.items()}

    @cached_property
    def rarity(self) -> dict[str, float]:
        """How much a word says: rare words say much."""
        counts = Counter(word for words in self.weights.values() for word in words)
        return {word: math.log(1 + len(self.weights) / count) for word, count in counts.items()}

    @property
    def unseen(self) -> float:
        """What a word says that no entry holds: as much as the rarest; a query full of them is about something else."""
        return math.log(1 + len(self.weights))

    def search(self, query: str, most: int = 8) -> list[Hit]:
        """The best entries for a query, best first; none when nothing but everyday words is shared."""
        matched = self._matched(query)
        wanted = Counter(tokens(query))
        exact = re.sub(r"[^a-z0-9]+", "-", query.lower()).strip("-")
        full = sum(self.rarity.get(word, self.unseen) for word in wanted) or 1.0
        hits = []
        for id_, words in self.weights.items():
            shared = sorted((word for word in wanted if word in words), key=lambda word: -self.rarity[word])
            score = sum(self.rarity[word] * words[word] for word in shared) / full
            named = exact in (id_, *self.entries[id_].get("aliases", ()))
            if named or id_ in matched or self._enough(shared, full):
                entry = self.entries[id_]
                score += 20 * named + 10 * (id_ in matched)
                hits.append(Hit(id_, entry["title"], entry["kind"], entry["signature"], round(score, 3), id_ in matched, shared[:6]))
        return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:most]

    def _enough(self, shared: list[str], full: float) -> bool:
        """Whether shared words are more than chance: one that few entries have, and a fair part of what the query says."""
        few = math.log(1 + len(self.weights) / max(3, len(self.weights) / 5))
        telling = [word for word in shared if self.rarity[word] >= few]
        share = sum(self.rarity[word] for word in shared) / full
        return bool(telling) and (share >= 0.4 or len(telling) >= 2 and share >= 0.15)

    def _matched(self, query: str) -> set[str]:
        """Entries of which a signal matches a line of the query."""
        if self.database is None:
            return set()
        lines = [(line.strip(), peel(line.strip())[0]) for line in query[:LONGEST].split("\n") if line.strip()]
        signals = [signal for signal in self.database.signals if signal.role != "clue"]
        return {signal.entry for signal in signals for line, message in lines if _matches(signal, line, message)}


def _matches(signal: Signal, line: str, message: str) -> bool:
    folded = " ".join(line.split())
    for number, literals in enumerate(signal.literals):
        # The literals are a cheap gate: an expression is compiled only for a line that holds all of them.
        if all(" ".join(literal.split()) in folded for literal in literals):
            text = message if signal.anchored[number] else line
            if signal.pattern(number).search(text):
                return True
    return False


def _weights(id_: str, entry: Entry) -> dict[str, float]:
    places = [
        ("name", id_.replace("-", " ")), *(("name", alias.replace("-", " ")) for alias in entry.get("aliases") or []),
        ("signature", entry["signature"]), ("title", entry["title"]),
        *(("wording", wording["text"]) for wording in entry.get("wordings") or []),
        *(("signal", template) for signal in entry.get("signals") or [] for template in signal["match"]),
        ("text", entry["summary"]), *(("text", question["q"]) for question in entry.get("faq") or []),
        *(("text", row["see"]) for row in entry.get("symptoms") or []),
    ]
    words: dict[str, float] = {}
    for place, text in places:
        for word in tokens(text):
            words[word] = max(words.get(word, 0), _WEIGHTS[place])
    return words
