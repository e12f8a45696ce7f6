# SPDX-License-Identifier: MIT
"""While an entry is written, its page is made anew by itself, with what is wrong with it on top."""
from __future__ import annotations

import os
from pathlib import Path

import pytest

from hooks import writing
from hooks.load import load_folder
from hooks.site_pages import SiteMap
from tests.test_validate import WHOLE


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> writing.Writing:
    """A site of two entries that was built."""
    monkeypatch.setattr(writing, "ROOT", tmp_path)
    (tmp_path / "entries" / "launcher").mkdir(parents=True)
    for name, words in (("one-entry", "Frobnicator stalled"), ("two-entry", "Widget press jammed")):
        text = WHOLE.replace("a-whole-entry", name).replace("Frobnicator stalled", words).replace("root_line: stalled", f"root_line: {words.split()[-1]}")
        (tmp_path / "entries" / "launcher" / f"{name}.yaml").write_text(text.replace("The frobnicator of this test", f"The part of {name}"))
    for name in writing.WATCHED:
        (tmp_path / name).touch()
    made = writing.Writing()
    made.built(SiteMap(entries=load_folder(tmp_path / "entries", tmp_path)[0]))
    return made


def save(path: Path, text: str) -> None:
    """Write a file so that its time differs, too."""
    path.write_text(text)
    os.utime(path, (1, hash(text) % 10**9))


def test_only_a_saved_entry_is_made_alone(desk: writing.Writing, tmp_path: Path) -> None:
    one = tmp_path / "entries" / "launcher" / "one-entry.yaml"
    assert desk.saved() is None, "nothing was saved"
    save(one, one.read_text() + "\n")
    assert desk.saved() == [one]
    save(tmp_path / "overrides", "other")
    assert desk.saved() is None
    one.unlink()
    assert desk.saved() is None


def test_the_page_says_what_is_wrong_and_stays_when_it_cannot_be_read(desk: writing.Writing, tmp_path: Path) -> None:
    one = tmp_path / "entries" / "launcher" / "one-entry.yaml"
    text = one.read_text()
    page, problems = desk.page(one)
    assert problems == [] and "pg-problems" not in page.html
    save(one, text.replace("title: A failure", "title: A new <name> of a failure"))
    page, problems = desk.page(one)
    assert "A new &lt;name&gt; of a failure" in page.html
    save(one, text.replace("status: draft", "status: finished"))
    page, problems = desk.page(one)
    assert [problem.field for problem in problems] == ["status"]
    assert "1 problem in entries/launcher/one-entry.yaml" in page.html and "A new &lt;name&gt;" in page.html
    save(one, text)
    page, _ = desk.page(one)
    assert "pg-problems" not in page.html


def test_a_new_file_has_a_page_from_its_first_line_on(desk: writing.Writing, tmp_path: Path) -> None:
    new = tmp_path / "entries" / "launcher" / "three-entry.yaml"
    save(new, "id: three-entry\ntitle: <script>alert(1)</script>\n")
    assert desk.saved() == [new]
    page, problems = desk.page(new)
    assert page.url == "three-entry/" and len(problems) > 5
    assert "<b>line 1</b>" in page.html and "<script>" not in page.html


def test_the_other_entries_are_known(desk: writing.Writing, tmp_path: Path) -> None:
    one = tmp_path / "entries" / "launcher" / "one-entry.yaml"
    save(one, one.read_text() + "related: [{type: causes, id: two-entry}, {type: causes, id: ten-entry}]\n")
    _, problems = desk.page(one)
    assert [problem.what for problem in problems] == ["there is no entry `ten-entry`"]
