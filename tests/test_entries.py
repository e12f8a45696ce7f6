# SPDX-License-Identifier: MIT
"""Closure over all entries: no problem is left, every entry has a page, every signal and relation leads back to one."""
from __future__ import annotations

import json
from pathlib import Path

import pytest

from firstfault.database import ENTRY_FIELDS, Database, dumps
from hooks.bundle import write
from hooks.compiling import compile_database, full_texts, usable
from hooks.edges import edges, neighbours
from hooks.entry import Entry
from hooks.load import ENTRIES, ROOT, load_folder
from hooks.render import entry_page
from hooks.schema import schema
from hooks.shelf import Shelf
from hooks.site_pages import build
from hooks.validate import validate


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    """All entries, loaded without a problem."""
    loaded, problems = load_folder(ENTRIES, ROOT)
    assert problems == []
    return loaded


def test_every_entry_passes_every_check(entries: list[Entry]) -> None:
    """Schema, words, relations, and each sample and near miss through the engine with the whole database."""
    assert "\n".join(str(problem) for problem in validate(entries, [])) == ""


def test_fields_stand_in_the_order_of_the_schema(entries: list[Entry]) -> None:
    """So two entries are read alike and compared line by line; `firstfault check --fix` puts them so."""
    order = list(schema()["properties"])
    assert [entry.file for entry in entries if list(entry.data) != sorted(entry.data, key=order.index)] == []


def test_every_entry_has_a_page_and_every_signal_leads_to_it(entries: list[Entry]) -> None:
    """The matcher never names an entry that the site does not have."""
    urls = {page.url for page in build(diagnose=False).pages}
    database = Database(compile_database(usable(entries)[0]))
    assert {f"{entry.id}/" for entry in entries} <= urls
    assert {database.entries[signal.entry]["url"] for signal in database.signals} <= urls
    assert {f"{entry.id}/" for entry in entries if entry.data["status"] != "retired"} == {entry["url"] for entry in database.entries.values()}


def test_relations_are_live_and_shown_on_both_pages(entries: list[Entry]) -> None:
    """What one entry writes, the other's page shows too."""
    near = neighbours(entries)
    shelf = Shelf(entries, near)
    pages = {entry.id: entry_page(entry, shelf).html for entry in entries}
    for edge in edges(entries):
        assert f"{edge.target}/" in pages[edge.source]
        assert f"{edge.source}/" in pages[edge.target]


def test_conditions_are_written_with_their_entry(entries: list[Entry]) -> None:
    """In the database `needs` and `unless` name signals as the engine looks them up."""
    database = Database(compile_database(usable(entries)[0]))
    names = {signal.name for signal in database.signals}
    for signal in database.signals:
        for context in (signal.needs, signal.unless):
            assert set((context or {"any": []})["any"]) <= names


def test_the_database_has_stable_bytes(entries: list[Entry], tmp_path: Path) -> None:
    """Equal entries give equal bytes, in whatever order they were read."""
    first = write(usable(entries)[0], tmp_path / "one")
    second = write(usable(list(reversed(entries)))[0], tmp_path / "two")
    assert first["version"] == second["version"]
    for name in ("database.jsonl", "entries.json", "report.html", "search.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    assert dumps(first) == (tmp_path / "one" / "database.jsonl").read_text("utf-8")
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == ["database.jsonl", "entries.json", "report.html", "search.json"]


def test_the_database_holds_what_a_diagnosis_shows(entries: list[Entry]) -> None:
    """No field that the format does not name, and nothing empty."""
    for fields in compile_database(usable(entries)[0])["entries"].values():
        assert set(fields) <= set(ENTRY_FIELDS)
        assert all(value not in (None, "", []) for value in fields.values())


def test_full_texts_hold_every_entry_with_both_sides_of_its_relations(entries: list[Entry]) -> None:
    """`explain` prints from the same fields as the page."""
    texts = json.loads(json.dumps(full_texts(usable(entries)[0], "x")))["entries"]
    assert set(texts) == {entry.id for entry in entries}
    for edge in edges(entries):
        assert edge.target in {relation["id"] for relation in texts[edge.source]["related"]}
        assert edge.source in {relation["id"] for relation in texts[edge.target]["related"]}
