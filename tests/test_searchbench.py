# SPDX-License-Identifier: MIT
"""The search answers the labelled queries, in the terminal and on the site alike, and stays small (`make bench-search`)."""
from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from firstfault import entries
from hooks import searchfiles
from tests.searchbench import measure
from tests.searchbench.queries import Query, all_queries, mistyped, other_run, traceback_before

TEXTS = {id_: entry for id_, entry in entries.load().items() if entry["status"] != "retired"}
MOST_BEFORE_THE_FIRST_ANSWER = 200_000


@cache
def queries() -> list[Query]:
    return all_queries(TEXTS)


@cache
def index() -> dict[str, Any]:
    return measure.index_of(TEXTS.values())


@cache
def given() -> list[list[str]]:
    return measure.answers(index(), queries())


@cache
def found() -> dict[str, measure.Share]:
    return measure.shares(queries(), given())


def test_the_set_is_large_and_a_third_are_lines_that_no_entry_holds() -> None:
    lines = found()["lines of tests/cases that no entry holds"].queries
    assert found()["all"].queries >= 900
    assert 3 * lines >= 300 and lines >= 250


@pytest.mark.parametrize(("group", "first", "three"), [
    ("all", 0.97, 0.99),
    ("half that the ranking was tuned on", 0.97, 0.99),
    ("other half", 0.96, 0.98),
    ("lines of tests/cases that no entry holds", 0.94, 0.96),
    ("traceback", 0.97, 0.98),
    ("words", 0.92, 0.97),
    ("words, mistyped", 0.9, 0.96),
    ("id", 0.99, 1.0),
    ("xid", 0.97, 1.0),
])
def test_shares_of_right_answers(group: str, first: float, three: float) -> None:
    share = found()[group]
    assert share.first >= first and share.three >= three, share


def test_a_line_that_an_entry_covers_is_never_without_an_answer() -> None:
    empty = [query.text[-120:] for query, ids in zip(queries(), given(), strict=True) if not ids and query.kind not in ("words", "words, mistyped")]
    assert empty == []


def test_the_site_gives_the_same_answers(tmp_path: Path) -> None:
    odd = ["\x00\u202e", "#79 xid", "=cuda", "__proto__ constructor", "rank " * 4000, "A" * 30_000, "\U0001f600 error\n" * 3000, "79 " * 5000, "/a" * 9000, " \n "]
    texts = [*(query.text for query in queries()), *odd]
    wanted = [*given(), *measure.answers(index(), [Query("odd", text, (), text) for text in odd])]
    there = measure.answers_in_javascript(index(), texts, tmp_path)
    differ = [(text[:100], one[:3], other["ids"][:3]) for text, one, other in zip(texts, wanted, there, strict=True) if one[:3] != other["ids"][:3]]
    assert differ == []


def test_the_first_answer_is_small_whatever_is_asked(tmp_path: Path) -> None:
    there = measure.answers_in_javascript(index(), [query.text for query in queries()[::25]], tmp_path, sizes=True)
    scripts = sum(searchfiles.packed((measure.ASSETS / name).read_text("utf-8")) for name in measure.SCRIPTS)
    assert max(answer["bytes"] for answer in there) + scripts < MOST_BEFORE_THE_FIRST_ANSWER


def test_the_stored_measurement_holds_the_goals() -> None:
    stored = json.loads((measure.ROOT / "proofs" / "search.json").read_text("utf-8"))
    assert stored["shares"]["all"]["first"] >= 0.97 and stored["shares"]["all"]["three"] >= 0.99
    assert stored["sizes"]["3000"]["first_query_bytes"]["most"] < MOST_BEFORE_THE_FIRST_ANSWER


def test_pieces_are_small_sorted_and_whole() -> None:
    made = searchfiles.files(index())
    head = json.loads(made["index.json"])
    terms = [term for number in range(len(head["cuts"])) for term in json.loads(made[f"terms-{number}.json"])]
    assert terms == sorted(index()["terms"], key=searchfiles.utf16)
    assert [next(iter(json.loads(made[f"terms-{number}.json"]))) for number in range(len(head["cuts"]))] == head["cuts"]
    assert max(searchfiles.packed(text) for name, text in made.items() if name.startswith(("terms", "cards"))) < 3 * searchfiles.PIECE
    assert searchfiles.folder(made) == searchfiles.folder(searchfiles.files(measure.index_of(TEXTS.values())))


def test_browsers_learn_the_site_as_a_search_engine_only_when_it_knows_its_address(tmp_path: Path) -> None:
    made = {"index.json": "{}"}
    searchfiles.write(tmp_path, made)
    assert not (tmp_path / "opensearch.xml").exists()
    searchfiles.write(tmp_path, made, "https://example.org/a&b", "First Fault")
    text = (tmp_path / "opensearch.xml").read_text("utf-8")
    assert 'template="https://example.org/a&amp;b/#q={searchTerms}"' in text
    assert "?" not in re.sub(r"<\?xml[^>]*\?>", "", text)


def test_queries_are_of_another_run_and_keep_what_the_message_is() -> None:
    line = "[rank3]: NVRM: Xid (PCI:0000:91:00): 79, pid=4711 at /home/me/x/train.py errno 28"
    changed = other_run(line, "seed")
    assert changed == other_run(line, "seed") != line
    assert "): 79," in changed and "errno 28" in changed and "4711" not in changed and "/home/me/x" not in changed
    assert mistyped("watchdog timeout") != "watchdog timeout"
    block = ["[r]: Traceback (most recent call last):", '[r]:   File "x.py", line 1', "[r]: ValueError: no"]
    assert traceback_before(block, 2) == block
    assert traceback_before([block[0], "another program", block[2]], 2) == []
