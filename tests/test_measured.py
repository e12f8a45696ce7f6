# SPDX-License-Identifier: MIT
"""No number without a measurement: what pages and reports say of an entry is what the labelled logs gave."""
from __future__ import annotations

import json
from collections import Counter

import pytest

from firstfault import bench, explain, phrases, report
from firstfault.bench import Row
from hooks import compiling, measured
from hooks.edges import neighbours
from hooks.load import load_folder
from hooks.measurements import PROOFS, measurements
from hooks.render import entry_page
from hooks.shelf import Shelf
from tests.site_server import ROOT

STORED = json.loads((PROOFS / "bench.json").read_text("utf-8"))


def row(outcome: str, entry: str | None, owner: str | None, verdict: str = "diagnosed") -> Row:
    """A row of little content."""
    return Row("case", "family", "", False, outcome, verdict, entry=entry, owner=owner)


def test_precision_and_recall_count_what_they_name() -> None:
    rows = [row("root", "a", "a"), row("blamed", "a", "b"), row("abstained", None, "a", "needs-evidence"), row("root", "b", "b", "needs-evidence"), row("silent", None, None, "no-failure")]
    assert bench.measured(rows) == {"a": {"right": 1, "given": 2, "found": 1, "known": 2}, "b": {"right": 0, "given": 0, "found": 0, "known": 2}}


def test_stored_counts_are_those_of_its_rows() -> None:
    """The file can be checked by hand: every entry's numbers add up from the rows, and every row is a case that exists."""
    cases = {name for name, _log, _label in bench.cases(ROOT / "tests" / "cases")}
    assert set(STORED["rows"]) <= cases
    assert STORED["cases"] == len(STORED["rows"])
    given = Counter(row["entry"] for row in STORED["rows"].values() if row["entry"])
    known = Counter(row["owner"] for row in STORED["rows"].values() if row["owner"])
    for name, counts in STORED["entries"].items():
        assert counts["given"] <= given[name]
        assert counts["known"] == known[name]
        assert counts["right"] <= counts["given"] and counts["found"] <= counts["known"]
    assert sum(row["outcome"] == "root" for row in STORED["rows"].values()) == STORED["totals"]["root"]


@pytest.mark.parametrize(("counts", "expected"), [
    (None, "not measured yet: no labelled log has it"),
    ({"right": 0, "given": 0, "found": 0, "known": 0}, "not measured yet: no labelled log has it"),
    ({"right": 2, "given": 3, "found": 2, "known": 4}, "right in 2 of 3 labelled logs that named it, found in 2 of 4 whose first fault it is"),
    ({"right": 0, "given": 0, "found": 0, "known": 1}, "named on no labelled log, found in 0 of 1 whose first fault it is"),
    ({"right": 1, "given": 1, "found": 0, "known": 0}, "right in 1 of 1 labelled log that named it, the first fault of none"),
])
def test_counts_are_said_with_their_n(counts: dict[str, int] | None, expected: str) -> None:
    assert phrases.measured(counts) == expected


def test_page_data_terminal_and_reports_say_the_same() -> None:
    """An entry with labelled logs and one without, in every reader of the one text."""
    entries = compiling.usable(load_folder(ROOT / "entries", ROOT)[0])[0]
    texts = compiling.full_texts(entries, "v")["entries"]
    shelf = Shelf(entries, neighbours(entries))
    for id_ in (next(iter(STORED["entries"])), next(id_ for id_ in texts if id_ not in STORED["entries"])):
        words = phrases.measured(measured.of(id_))
        assert texts[id_]["measured"] == measured.of(id_)
        assert words in entry_page(shelf.entries[id_], shelf).html
        assert words[1:] in " ".join(explain.render(texts[id_]).split())
        result = {"verdict": "diagnosed", "why": ["x"], "root": {"entry": id_, "title": "T", "measured": measured.of(id_), "evidence": [{"file": "f", "line": 1, "text": "t", "rank": None}]},
                  "stats": {"files": 1, "lines": 1, "bytes": 1, "seconds": 0.1}, "database": {"entries": 1, "version": "v"}}
        for form in ("text", "markdown"):
            assert words in " ".join(report.render(result, form).split())


def test_every_proof_stands_on_the_page_of_measurements() -> None:
    page = measurements()
    assert {section.anchor for section in page.sections} == {path.stem for path in PROOFS.glob("*.md")}
    # What was new to the matcher can't be measured a second time; everything else names its command.
    assert [section.anchor for section in page.sections if "make " not in section.html] == ["first-sight"]
