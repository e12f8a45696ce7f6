# SPDX-License-Identifier: MIT
"""Entries by the words of an error: a whole pasted line, a part of it, a traceback, or a few words with typing errors.

First the words of the query, the rare ones above all, choose some entries; then the query's lines are laid beside what
the software of these entries prints. The site's box does the same with the same index (overrides/assets/searchrank.js).
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

from .lazy import Pattern
from .searchformat import Card, Reader
from .searchmatch import holds, shared, whole
from .searchtypos import corrections
from .searchwords import LONGEST, Word, keys, stem, words

#: Bounds: what a query may cost, however long it is.
MOST_LINES, LONGEST_LINE, MOST_TERMS, CANDIDATES = 12, 1_000, 40, 24
#: A query of at most so many words is taken for words, too: parts of identifiers, prose and typing errors count.
FEW_WORDS = 8
#: Beyond every sum of words: the query is the entry's name.
NAMED = 10_000

Wanted = dict[str, list[tuple[str, float]]]

_BLANKS = Pattern(r"[ \t\r\f\v]+")
_SLUG = Pattern(r"[^a-z0-9]+")
_LOUDEST = Pattern(r"(?:Error|Exception|Exit|Interrupt|Xid \([^)]{0,40}\))(?::|$)")
_LOUD = Pattern(r"[Ee]rror|ERROR|WARN|[Ff]ail|FAIL|[Ff]atal|FATAL|[Kk]ill|[Tt]imeout|timed out|[Cc]annot|[Uu]nable|denied|refused|mismatch|not found|signal|exitcode")
_FRAME = Pattern(r"^ *File \"|^ +[a-z_]")


class Hit(NamedTuple):
    """An entry that answers a query: which kind of answer (`exact`, `similar`, `prose`), how good, by which words."""

    id: str
    title: str
    kind: str
    signature: str
    score: float
    group: str
    words: list[str]

    @property
    def matched(self) -> bool:
        """Whether the query holds, or is a part of, what the entry's software prints."""
        return self.group == "exact"


class Query:
    """A text somebody looks for, cut to what counts."""

    def __init__(self, text: str) -> None:
        lines = [line for line in (_BLANKS.sub(" ", line).strip()[:LONGEST_LINE] for line in text[:LONGEST].split("\n")) if line]
        ranked = sorted(range(len(lines)), key=lambda number: (-loudness(lines[number]), -number))[:MOST_LINES]
        self.lines = [lines[number].lower() for number in ranked]
        self.keys = [keys(lines[number]) for number in ranked]
        found = [word for number in ranked for word in words(lines[number])]
        self.short = len(lines) == 1 and len(found) <= FEW_WORDS
        self.name = "=" + _SLUG.sub("-", lines[0].lower().rstrip("/").rpartition("/")[2]).strip("-")[:80] if len(lines) == 1 else ""
        self.words: dict[str, Word] = {}
        for word in found:
            if len(self.words) < MOST_TERMS:
                self.words.setdefault(word.key, word)
        self.pairs = pairs(found) if self.short else {}


def pairs(found: list[Word]) -> dict[str, str]:
    """Neighbouring words written as one (`exit code` is `exitcode` elsewhere), with a number behind them, too."""
    made: dict[str, str] = {}
    for one, other in pairwise(found):
        if one.text.isalpha() and other.text.isalpha():
            made[stem((one.text + other.text).lower())] = f"{one.text} {other.text}"
    for one, other, number in zip(found, found[1:], found[2:], strict=False):
        if number.key.startswith("#"):
            made[f"{number.key.split(' ')[0]} {stem((one.text + other.text).lower())}"] = f"{one.text} {other.text} {number.text}"
    return made


def completed(line: list[str], order: list[str]) -> list[str]:
    """The words of a line whose first and last may be halves of words of the text."""
    if not line or line[0] in order and line[-1] in order:
        return line
    first = next((key for key in order if len(line[0]) > 2 and key.endswith(line[0])), line[0])
    last = next((key for key in order if len(line[-1]) > 2 and key.startswith(line[-1])), line[-1])
    return [last] if len(line) == 1 else [first, *line[1:-1], last]


def loudness(line: str) -> int:
    """How much a line looks like the one that says what went wrong."""
    if _FRAME.search(line):
        return 0
    return 2 if _LOUDEST.search(line) else 1 if _LOUD.search(line) else 0


class Search:
    """Answers queries from one index."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader

    def search(self, text: str, most: int = 8) -> list[Hit]:
        """The best entries for a text, best first; none when nothing but everyday words is shared."""
        query = Query(text)
        wanted = self.wanted(query)
        scores, found = self.chosen(query, wanted)
        best = sorted(scores, key=lambda number: (-scores[number], number))[:CANDIDATES]
        bench = Comparison(query, wanted, self.reader)
        hits = [bench.judged(self.reader.card(number), scores[number], found[number]) for number in best]
        return sorted((hit for hit in hits if hit.group), key=lambda hit: (-hit.score, hit.id))[:most]

    def wanted(self, query: Query) -> Wanted:
        """For each word of the query the terms that stand for it, with how sure that is."""
        known: Wanted = {}
        for key, word in query.words.items():
            part = 0.3 if self.reader.rarity(key) else 0.7
            terms = [(term, 1.0 if term == key else part) for term in (word.terms if query.short else word.terms[:2]) if self.reader.rarity(term)]
            if not terms and query.short and not key.startswith("#"):
                terms = [(term, sure) for term, sure in corrections(word.text.lower(), self.reader.words) if self.reader.rarity(term)]
            known[key] = terms
        known.update({term: [(term, 1.0)] for term in query.pairs if self.reader.rarity(term) and term not in known})
        return known

    def chosen(self, query: Query, wanted: Wanted) -> tuple[dict[int, float], dict[int, dict[str, float]]]:
        """Entries with the weight of the words they share with the query, and these words."""
        scores: dict[int, float] = {}
        found: dict[int, dict[str, float]] = {}
        for key, terms in wanted.items():
            best: dict[int, float] = {}
            for term, sure in terms:
                rarity = self.reader.rarity(term)
                for number, weight in self.reader.places(term).items():
                    best[number] = max(best.get(number, 0.0), weight * sure * rarity)
            for number, value in best.items():
                scores[number] = scores.get(number, 0.0) + value
                found.setdefault(number, {})[key] = value
        for number in self.reader.places(query.name) if query.name else ():
            scores[number] = scores.get(number, 0.0) + NAMED
            found.setdefault(number, {})
        return scores, found


class Comparison:
    """A query laid beside the texts of entries."""

    def __init__(self, query: Query, wanted: Wanted, reader: Reader) -> None:
        self.query, self.wanted = query, wanted
        self.unknown = 0.6 * math.log(1 + reader.entries)
        self.said = {key: max((reader.rarity(term) * sure for term, sure in terms), default=self.unknown) for key, terms in wanted.items()}
        self.full = sum(self.said.values()) or 1.0
        # A mistyped word is compared as the word that was meant.
        meant = {key: terms[0][0] for key, terms in wanted.items() if terms and not reader.rarity(key)}
        self.lines = [(line, [meant.get(key, key) for key in line_keys]) for line, line_keys in zip(query.lines, query.keys, strict=True)]
        self.weights = {meant.get(key, key): reader.rarity(meant.get(key, key)) for key in wanted}
        self.own = [whole(line_keys, self.weigh) for _line, line_keys in self.lines]

    def weigh(self, key: str) -> float:
        """How much a word of the query says; words that are not asked for count nothing."""
        return self.weights.get(key, 0.0)

    def judged(self, card: Card, score: float, found: dict[str, float]) -> Hit:
        """An entry as an answer, its group empty when it is none."""
        value, exact, close = self.laid_beside(card)
        named = score >= NAMED
        share = sum(self.said[key] for key in found) / self.full
        group = "exact" if exact or named else "similar" if close >= 0.5 and value > 4 else "prose" if share >= 0.3 or value > 5 else ""
        total = value + ((0.4 + 0.6 * share) if self.query.short else 0.15) * score
        told = sorted(found, key=lambda key: (-found[key], key))[:6]
        shown = [self.query.words[key].text if key in self.query.words else self.query.pairs[key] for key in told]
        return Hit(card.id, card.title, card.kind, card.signature, round(total, 3), group, shown)

    def laid_beside(self, card: Card) -> tuple[float, bool, float]:
        """How well the best line of the query fits the best text of an entry: its value, whether exactly, and how much of one of the two."""
        best, exact, close = 0.0, False, 0.0
        named = (card.title.lower(), card.id.replace("-", " ")) if self.query.short else ()
        for number, text in enumerate((*card.texts, *named)):
            full = card.weights[number]
            if not full:
                continue
            sort = 1.0 if number < card.templates else 0.9 if number < len(card.texts) else 0.6
            runs = text.split("\t")
            order = keys(" ".join(runs))
            for (line, line_keys), own in zip(self.lines, self.own, strict=True):
                value, fits, much = self.compared(line, line_keys, own, runs, order, full)
                if value * sort > best:
                    best, close = value * sort, much
                exact = exact or fits
        return best, exact, close

    def compared(self, line: str, line_keys: list[str], own: float, runs: list[str], order: list[str], full: float) -> tuple[float, bool, float]:
        """One line beside one text."""
        if holds(line, runs):
            return full + 0.6 * own + 3, full > 6, 1.0
        both = completed(line_keys, order)
        halves = {key for key in both[:1] + both[-1:] if key not in line_keys}
        value = shared(both, order, lambda key: full / len(order) if key in halves else self.weigh(key))
        if not value:
            return 0.0, False, 0.0
        much = min(max(value / full, value / own if own else 0.0), 1.0)
        part = len(line) >= 12 and line in " ".join(runs)
        return value * (0.4 + 0.6 * much) + 3 * part, part, much
