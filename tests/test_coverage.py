# SPDX-License-Identifier: MIT
"""Every message of the first priority has an entry, or a reason why it has none."""
from __future__ import annotations

from pathlib import Path

import pytest

from hooks.compiling import usable
from hooks.entry import Entry
from hooks.load import load_folder
from tools import coverage


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    """All entries."""
    return usable(load_folder(coverage.ROOT / "entries", coverage.ROOT)[0])[0]


def test_the_committed_table_leads_to_entries(entries: list[Entry]) -> None:
    """No row names an entry that is gone; a first-priority row has an entry or a reason."""
    rows = coverage.read(coverage.TABLE)
    assert len(rows) >= 400
    assert coverage.problems(rows, {entry.id for entry in entries}) == []


def test_a_row_that_claims_a_match_is_matched(entries: list[Entry]) -> None:
    """`matches` in the table is what the compiled signals say, so a changed template cannot leave a row behind."""
    finder = coverage.Finder(entries)
    claimed = [row for row in coverage.read(coverage.TABLE) if row["how"] == "matches"]
    assert len(claimed) > 200
    assert [row["signature"] for row in claimed if row["entry"] not in finder.matched(row["signature"])] == []


def test_refresh_finds_keeps_and_forgets(entries: list[Entry], tmp_path: Path) -> None:
    """A message is found by its signal; a person's choice stays while its entry exists; nonsense finds nothing."""
    finder = coverage.Finder(entries)
    rows = [
        {"family": "cuda-runtime", "signature": "CUDA error: an illegal memory access was encountered", "priority": "1"},
        {"family": "x", "signature": "the quick brown fox", "priority": "1", "entry": "gone", "how": "by hand", "reason": ""},
        {"family": "x", "signature": "the lazy dog", "priority": "1", "entry": entries[0].id, "how": "by hand", "reason": ""},
    ]
    fresh = coverage.refresh(rows, finder)
    assert [row["entry"] for row in fresh] == ["cuda-illegal-memory-access", "", entries[0].id]
    assert coverage.problems(fresh, {entry.id for entry in entries}) == ["x: the quick brown fox: no entry and no reason"]
    coverage.write(fresh, tmp_path / "table.csv")
    assert coverage.read(tmp_path / "table.csv") == [{**row, "reason": ""} for row in fresh]


def test_literal_runs_are_cut_at_fields() -> None:
    """What varies is not searched for."""
    assert coverage.runs("wait timeout after {ms}ms, keys: {keys}") == ["wait timeout after", "ms, keys:"]
    assert coverage.runs("OOMKilled") == ["OOMKilled"]
