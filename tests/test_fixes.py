# SPDX-License-Identifier: MIT
"""`firstfault check --fix` changes the form of an entry and never its content; problems are told in the forms that machines read."""
from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hooks.annotate import as_json, github
from hooks.fixes import fixed
from hooks.load import parse
from hooks.problems import Problem
from tests.site_server import ROOT

UNTIDY = """\
# SPDX-License-Identifier: CC-BY-4.0
kind: failure
# about the id
id: 123
created: 2026-1-5
summary: NO
updated: '2026/11/30'
title: 1e3
restart: {helps: yes, resume_from: 12:30}
samples:
  - log: |
      a line with blanks at its end
    rank: 3
"""


def test_quotes_dates_and_order() -> None:
    entry, problems = parse(fixed(UNTIDY, "x.yaml").encode(), "x.yaml")
    assert problems == []
    assert entry
    assert entry.data == {
        "id": "123", "kind": "failure", "created": "2026-01-05", "updated": "2026-11-30", "title": "1e3", "summary": "NO",
        "restart": {"helps": "yes", "resume_from": "12:30"}, "samples": [{"log": "a line with blanks at its end\n", "rank": 3}],
    }
    assert list(entry.data) == ["id", "kind", "created", "updated", "title", "summary", "restart", "samples"]
    assert "# about the id\nid:" in fixed(UNTIDY, "x.yaml")


@pytest.mark.parametrize("path", [*sorted((ROOT / "entries").rglob("*.yaml"))[::9], ROOT / "schema" / "template.yaml"], ids=lambda path: path.stem)
def test_the_content_of_an_entry_stays(path: Path) -> None:
    text = path.read_text("utf-8")
    after = fixed(text, path.name)
    before, now = parse(text.encode(), path.name)[0], parse(after.encode(), path.name)[0]
    assert before and now and before.data == now.data
    assert sorted(after.splitlines()) == sorted(text.splitlines())
    assert fixed(after, path.name) == after


@pytest.mark.parametrize("path", sorted((ROOT / "tests" / "rejects").glob("*.yaml")), ids=lambda path: path.stem)
def test_a_bad_file_is_made_no_worse(path: Path) -> None:
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    once = fixed(text, path.name)
    assert fixed(once, path.name) == once
    before, now = (len(parse(form.encode("utf-8", "surrogateescape"), path.name)[1]) for form in (text, once))
    assert now <= before


def test_the_command_fixes_a_file_and_says_so(tmp_path: Path) -> None:
    target = tmp_path / "unquoted-date.yaml"
    shutil.copy(ROOT / "tests" / "rejects" / "unquoted-date.yaml", target)
    command = [sys.executable, "-m", "hooks.check", "--no-diagnosis", "--fix", str(target)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert f"put right: {target}" in done.stderr
    assert "is not text to YAML" not in done.stdout


def test_an_annotation_cannot_begin_a_command_of_its_own() -> None:
    line = github([Problem("entries/a,b.yaml", 3, "x", "`::set-env::`\n::error::", "100%", "do")])
    assert line == "::error file=entries/a%2Cb.yaml,line=3,title=x::`::set-env::`%0A::error::: 100%25; do\n"


def test_problems_as_json() -> None:
    problem = Problem("a.yaml", 3, "x", "what", "why", "todo")
    assert json.loads(as_json([problem])) == [{"file": "a.yaml", "line": 3, "field": "x", "what": "what", "why": "why", "todo": "todo"}]
