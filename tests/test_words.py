# SPDX-License-Identifier: MIT
"""Entries in their own words: no long run of words stands in two of them, and no section only restates the title."""
from __future__ import annotations

import pytest

from hooks.checks_runs import runs_shared, sections_add_something
from hooks.compiling import usable
from hooks.entry import Entry
from hooks.load import ENTRIES, ROOT, load_folder


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    """All entries."""
    return usable(load_folder(ENTRIES, ROOT)[0])[0]


def test_no_two_entries_share_a_long_run(entries: list[Entry]) -> None:
    """Twelve words in the same order were copied."""
    assert [str(problem) for problem in runs_shared(entries)] == []


def test_every_section_adds_something(entries: list[Entry]) -> None:
    """Title and signature are known when a section is read."""
    assert [str(problem) for entry in entries for problem in sections_add_something(entry)] == []


def entry(id_: str, about: str) -> Entry:
    """Make an entry with as much as the checks look at."""
    return Entry(f"entries/x/{id_}.yaml", "x", {"id": id_, "title": "The ring is broken", "signature": "ring broken", "about": about})


def test_the_checks_find_what_they_should() -> None:
    """A copied run is found once, across the fields' marks; a sentence that repeats the title too."""
    text = "The store on rank zero has gone away, and every other rank waits until its own timeout ends."
    found = list(runs_shared([entry("one", text), entry("two", f"First of all. {text}"), entry("three", "Something else entirely is said here by this one.")]))
    assert [problem.file for problem in found] == ["entries/x/two.yaml"]
    assert [problem.field for problem in sections_add_something(entry("one", "The ring is broken and it is the broken ring."))] == ["about"]
    assert list(sections_add_something(entry("one", text))) == []
