# SPDX-License-Identifier: MIT
"""What a pull request is told: suggestions for its changed lines only, and nothing that a stranger's file could smuggle in."""
from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from hooks.load import parse
from tests.site_server import ROOT
from tools.review import collect, post

FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*-*.yml"))
UNTIDY = "# SPDX-License-Identifier: CC-BY-4.0\nid: an-entry\ncreated: 2026-1-5\nkind: failure\nstatus: draft\ntitle: 123\nsignature: a line\n"


def applied(text: str, made: list[dict[str, Any]]) -> str:
    """A text with suggestions accepted, as the code host does it."""
    lines = text.splitlines()
    for one in reversed(made):
        lines[one["first"] - 1:one["last"]] = one["text"].splitlines()
    return "\n".join(lines) + "\n"


def test_a_new_file_is_offered_what_the_fix_writes() -> None:
    made = list(collect.suggestions("entries/slurm/an-entry.yaml", UNTIDY, set(range(1, 20))))
    after = applied(UNTIDY, made)
    entry, problems = parse(after.encode(), "an-entry.yaml")
    assert problems == []
    assert entry and list(entry.data) == ["id", "kind", "status", "created", "title", "signature"]
    assert (entry.data["created"], entry.data["title"]) == ("2026-01-05", "123")


def test_lines_that_the_pull_request_did_not_touch_are_left_alone() -> None:
    tidy = UNTIDY.replace("created: 2026-1-5\nkind: failure\nstatus: draft\n", "kind: failure\nstatus: draft\ncreated: 2026-1-5\n")
    assert list(collect.suggestions("e.yaml", tidy, {7})) == []
    assert [one["first"] for one in collect.suggestions("e.yaml", tidy, {6})] == [6]
    assert list(collect.suggestions("e.yaml", UNTIDY, {3})) == []


def test_hunks_are_read() -> None:
    assert collect.changed_lines("@@ -1,0 +2,3 @@ x\n+a\n@@ -9 +12 @@\n@@ -20,2 +22,0 @@\n") == {2, 3, 4, 12}


@pytest.mark.parametrize(
    "hostile",
    [
        {"file": ".github/workflows/check.yml"}, {"file": "entries/../Makefile"}, {"file": "entries/slurm/a.yaml\n"}, {"file": ["entries/slurm/a-b.yaml"]}, {"first": 0},
        {"first": 9, "last": 3}, {"first": True}, {"last": "3"}, {"text": "x" * 9000}, {"text": None}, {"text": "a\u202eb"}, {"text": "\x1b[31m"},
    ],
)
def test_a_collected_file_is_a_strangers_data(hostile: dict[str, Any], tmp_path: Path) -> None:
    good = {"file": "entries/slurm/a-b.yaml", "first": 2, "last": 3, "text": "id: a-b"}
    path = tmp_path / "review.json"
    path.write_text(json.dumps({"suggestions": [good, {**good, **hostile}, "x", None], "bench": 5, "pull_request": 1}))
    assert post.read(path) == {"suggestions": [good], "bench": ""}


@pytest.mark.parametrize("raw", [b"", b"[]", b"{", b"\xff", b"null", b'{"suggestions": {"a": 1}}', b"[" * 100_000])
def test_a_file_that_is_none_is_nothing(raw: bytes, tmp_path: Path) -> None:
    path = tmp_path / "review.json"
    path.write_bytes(raw)
    assert post.read(path) == {"suggestions": [], "bench": ""}


def test_text_cannot_leave_its_block() -> None:
    assert post.fenced("a\n```\n@everyone\n````\n") == "`````\na\n```\n@everyone\n````\n\n`````"
    (comment,) = post.comments([{"file": "entries/slurm/a-b.yaml", "first": 3, "last": 3, "text": "```\n![x](https://example.org)"}], set())
    assert comment["body"].count("````") == 2
    assert comment["line"] == 3 and "start_line" not in comment


def test_the_same_is_not_said_twice(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "review.json"
    path.write_text(json.dumps({"suggestions": [{"file": "entries/slurm/a-b.yaml", "first": 2, "last": 3, "text": "id: a-b"}], "bench": "better: 1"}))
    host: dict[str, list[Any]] = {"comments": [], "calls": []}
    commit = "a" * 40

    def api(method: str, path: str, body: Any = None) -> Any:
        host["calls"].append((method, path))
        if "/pulls?" in path:
            return [{"number": 7, "head": {"sha": "b" * 40}}, {"number": 8, "head": {"sha": commit}}]
        if method == "GET":
            return host["comments"] if "/pulls/8/comments" in path else [{"id": 5, "body": f"{post.MARK}\nold"}]
        host["comments"] += body.get("comments", [])
        return {}

    monkeypatch.setattr(post, "api", api)
    for name, value in {"REPOSITORY": "o/r", "HEAD_OWNER": "someone", "HEAD_BRANCH": "new-entry", "HEAD_SHA": commit}.items():
        monkeypatch.setenv(name, value)
    post.main(str(path))
    post.main(str(path))
    assert [call for call in host["calls"] if call[0] != "GET"] == [
        ("POST", "repos/o/r/pulls/8/reviews"), ("PATCH", "repos/o/r/issues/comments/5"), ("PATCH", "repos/o/r/issues/comments/5"),
    ]
    monkeypatch.setenv("HEAD_BRANCH", "x&state=closed")
    with pytest.raises(SystemExit):
        post.main(str(path))


def test_the_job_that_may_write_runs_no_code_of_the_pull_request() -> None:
    collecting, posting = ((ROOT / ".github" / "workflows" / f"{name}.yml").read_text() for name in ("review", "review-report"))
    assert "write" not in re.sub(r"#.*", "", collecting) and "secrets." not in collecting and "pull_request_target" not in collecting + posting
    assert "ref: ${{ github.event.repository.default_branch }}" in posting
    (run,) = re.findall(r"run: (.*)", posting)
    assert "${{" not in run, "an expression in a script is a stranger's text in a shell"
    assert not re.search(r"run:[^\n]*\$\{\{|^\s{10,}.*\$\{\{ github\.(event|head_ref)", collecting, re.MULTILINE)


@pytest.mark.parametrize("form", FORMS, ids=lambda path: path.stem)
def test_forms_ask_for_fields_that_pages_fill(form: Path) -> None:
    data = yaml.safe_load(form.read_text("utf-8"))
    fields = [part["id"] for part in data["body"] if part["type"] != "markdown"]
    assert len(fields) == len(set(fields))
    assert {"verdict", "database"} <= set(fields)
    assert f'"{form.stem}"' in (ROOT / "overrides" / "assets" / "reports.js").read_text("utf-8")
