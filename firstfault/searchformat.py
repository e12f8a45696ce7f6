# SPDX-License-Identifier: MIT
"""The index of the search: its format, and how words and cards are taken from it.

Format (JSON)::

    {"format": 1, "entries": NUMBER,
     "terms": {TERM: [HOW MANY ENTRIES HOLD IT, [ENTRIES BY NAME], [BY SIGNATURE], [BY TITLE], [BY WORDING], [BY PROSE]]},
     "cards": [[ID, TITLE, KIND, SIGNATURE, [TEXT, ...], HOW MANY OF THESE ARE TEMPLATES, [WEIGHT, ...]]],
     "words": "words that the correction of typing errors knows"}

Lists of entries hold differences of ascending numbers; empty ones at the end are left out, and together they are at most
LONGEST_LIST long, best places first.  Texts are the templates of signals, then signature and wordings: their literal runs,
in small letters, with tabs between.  Weights are what all words of a text say together, of each text, the title and the id.
A name (id, alias, Xid number) is filed as `=name`, a number as `#79 xid` with a word that stands before it.  The site
cuts terms, cards and words into files (hooks/searchfiles.py); this package carries them in one.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any, NamedTuple

FORMAT = 1
LONGEST_LIST = 96
#: How much a word says of an entry that has it in its name, signature, title, wordings, prose.
WEIGHTS = (1.0, 0.9, 0.9, 0.6, 0.3)
FILE = "search.json"


def rarity(count: int, entries: int) -> float:
    """How much a word says that `count` of all entries hold."""
    return math.log(1 + entries / count)


class SearchIndexError(ValueError):
    """The index is missing or of another format; the message says what to do."""


class Card(NamedTuple):
    """What is shown of an entry, and the texts that a line is compared with."""

    id: str
    title: str
    kind: str
    signature: str
    texts: Sequence[str]
    templates: int
    weights: Sequence[float]


class Reader:
    """Words and cards of one index."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        if data.get("format") != FORMAT:
            raise SearchIndexError(f"search index of format {data.get('format')!r}, this program reads {FORMAT}; rebuild it with `make`, or install firstfault again")
        self.entries: int = data["entries"]
        self._terms, self._cards = data["terms"], data["cards"]
        self.words: list[str] = data["words"].split(" ")

    def rarity(self, term: str) -> float:
        """How much a term says: rare ones say much, unknown ones nothing."""
        return rarity(self._terms[term][0], self.entries) if term in self._terms else 0.0

    def places(self, term: str) -> dict[int, float]:
        """The entries that hold a term, with the weight of the best place."""
        found: dict[int, float] = {}
        for weight, differences in zip(WEIGHTS, self._terms.get(term, (0,))[1:], strict=False):
            number = 0
            for difference in differences:
                number += difference
                found[number] = weight
        return found

    def card(self, number: int) -> Card:
        """The card of an entry."""
        return Card(*self._cards[number])


def load() -> Reader:
    """Read the index that this package carries."""
    try:
        text = (resources.files("firstfault") / "data" / FILE).read_text(encoding="utf-8")
        return Reader(json.loads(text))
    except FileNotFoundError:
        raise SearchIndexError("this copy of firstfault has no search index; in a checkout run `make`, else install it again") from None
    except (json.JSONDecodeError, KeyError, UnicodeDecodeError) as error:
        raise SearchIndexError(f"the search index is damaged ({error}); in a checkout run `make`, else install it again") from error
