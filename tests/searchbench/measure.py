# SPDX-License-Identifier: MIT
"""What `make bench-search` and the tests measure: shares of right answers, and what a query transfers and takes."""
from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from firstfault.search import Search
from firstfault.searchformat import Reader
from hooks import searchfiles, searchindex
from tests.searchbench.queries import Query

ROOT = Path(__file__).resolve().parents[2]
_WORD = re.compile(r"\{[^{}]*\}|<[^<>]*>|[A-Za-z]{4,}")
_TEXTS = frozenset("title signature wordings text signals match summary about first_step root_cause observe symptoms see means faq q fix steps do command".split())
ASSETS = ROOT / "overrides" / "assets"
#: What the page loads beside the index when somebody goes to the box.
SCRIPTS = ("searchbox.js", "searchrank.js", "searchindex.js", "searchmatch.js", "searchtypos.js", "searchwords.js", "searchview.js")


class Share(NamedTuple):
    """Of how many queries the first answer, or one of the first three, is right."""

    queries: int
    first: float
    three: float
    empty: int


def answers(index: dict[str, Any], queries: Iterable[Query]) -> list[list[str]]:
    """The ids that the command line gives for each query."""
    search = Search(Reader(index))
    return [[hit.id for hit in search.search(query.text)] for query in queries]


def answers_in_javascript(index: dict[str, Any], queries: Sequence[str], folder: Path, sizes: bool = False) -> list[dict[str, Any]]:
    """What the site's box gives for each query, with its time in milliseconds and, if asked for, what a first query transfers."""
    for name, text in searchfiles.files(index).items():
        (folder / name).write_text(text, encoding="utf-8")
    node = shutil.which("node")
    if not node:
        raise FileNotFoundError("node is not on PATH: run this with make")
    asked = json.dumps({"folder": str(folder), "queries": queries, "sizes": sizes})
    done = subprocess.run([node, str(Path(__file__).with_name("answer.mjs"))], input=asked.encode(), capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.decode())
    return json.loads(done.stdout)


def share(queries: Sequence[Query], given: Sequence[list[str]]) -> Share:
    """How many of the queries are answered right."""
    places = [next((place for place, id_ in enumerate(ids) if id_ in query.right), 99) for query, ids in zip(queries, given, strict=True)]
    count = max(len(places), 1)
    return Share(len(places), sum(place == 0 for place in places) / count, sum(place < 3 for place in places) / count, sum(not ids for ids in given))


def shares(queries: Sequence[Query], given: Sequence[list[str]]) -> dict[str, Share]:
    """The shares of all queries, of both halves, of the lines that no entry holds, and per kind."""
    groups: dict[str, list[int]] = {"all": list(range(len(queries)))}
    for number, query in enumerate(queries):
        groups.setdefault("half that the ranking was tuned on" if query.tuned else "other half", []).append(number)
        if query.kind.startswith(("case", "traceback")) and not query.sampled:
            groups.setdefault("lines of tests/cases that no entry holds", []).append(number)
        groups.setdefault(query.kind, []).append(number)
    return {name: share([queries[number] for number in numbers], [given[number] for number in numbers]) for name, numbers in groups.items()}


def index_of(entries: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """The index as a reader gets it: through JSON."""
    return json.loads(json.dumps(searchindex.build(list(entries))))


def grown(entries: dict[str, dict[str, Any]], count: int) -> list[dict[str, Any]]:
    """The entries and made-up ones beside them, up to a number: copies in which a third of the words are other words."""
    whole = list(entries.values())
    made = list(whole)
    while len(made) < count:
        number = len(made)
        made.append(_strange(whole[number % len(whole)], number))
    return made


def _strange(entry: dict[str, Any], number: int) -> dict[str, Any]:
    dice = random.Random(number)  # noqa: S311 - the same everywhere is what is wanted
    other: dict[str, str] = {}

    def word(found: re.Match[str]) -> str:
        text = found[0]
        if text[0] in "{<":
            return text  # a template's field
        if text not in other:
            made = "".join(dice.choice("bcdfglmnprstvz") + dice.choice("aeiou") for _ in range(max(2, len(text) // 2)))
            other[text] = (made.title() if text[0].isupper() else made) if dice.random() < 0.35 else text
        return other[text]

    def changed(value: Any) -> Any:
        if isinstance(value, str):
            return _WORD.sub(word, value)
        if isinstance(value, list):
            return [changed(item) for item in value]
        return {key: changed(item) if key in _TEXTS else item for key, item in value.items()} if isinstance(value, dict) else value

    return {**changed(entry), "id": f"{changed(entry['id'])}-{number}", "aliases": []}
