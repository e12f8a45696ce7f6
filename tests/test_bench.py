# SPDX-License-Identifier: MIT
"""The scores mean what they say: each outcome, the rank, white space, comparisons; and bad cases are named."""

import json
from pathlib import Path
from typing import Any

import pytest

from firstfault import bench, cli, report_bench
from firstfault.bench import Report, Row
from firstfault.database import load
from tests.site_server import ROOT

FAILURE = {"cause": "x", "initiating": "boom  at 3", "initiating_alternatives": ["bang"], "rank": 3}
HEALTHY = {"cause": "none", "initiating": None, "rank": None}


@pytest.mark.parametrize(("label", "verdict", "named", "expected"), [
    (FAILURE, "diagnosed", "x boom at\t3 y", "root"),
    (FAILURE, "unrecognised", "\x1b[31mboom\x1b[0m at 3", "root"),
    (FAILURE, "diagnosed", "a bang", "root"),
    (FAILURE, "diagnosed", "another line", "blamed"),
    (FAILURE, "needs-evidence", "another line", "blamed"),
    (FAILURE, "needs-evidence", "", "abstained"),
    (FAILURE, "no-failure", "", "silent"),
    (HEALTHY, "no-failure", "", "clean"),
    (HEALTHY, "diagnosed", "x", "false-alarm"),
    (HEALTHY, "needs-evidence", "", "false-alarm"),
])
def test_outcomes(label: dict[str, Any], verdict: str, named: str, expected: str) -> None:
    assert bench.outcome(label, verdict, named) == expected


def row(case: str, outcome: str, rank_right: bool | None = None, **more: Any) -> Row:
    """A row of little content."""
    return Row(case, "family", "title", outcome in ("clean", "false-alarm"), outcome, more.pop("verdict", "diagnosed"), rank_right=rank_right, **more)


def test_totals_and_precision_count_what_they_name() -> None:
    rows = [row("a", "root", True, entry="e"), row("b", "blamed", False, entry="e"), row("c", "clean", verdict="no-failure"),
            row("d", "silent", verdict="no-failure"), row("e", "root", entry="f", verdict="needs-evidence")]
    totals = bench.totals(rows)
    assert {key: totals[key] for key in ("root", "blamed", "silent", "abstained", "clean", "failures", "healthy", "rank_right", "rank_known")} == {
        "root": 2, "blamed": 1, "silent": 1, "abstained": 0, "clean": 1, "failures": 4, "healthy": 1, "rank_right": 1, "rank_known": 2}
    assert bench.precision(rows) == {"e": (1, 2)}


@pytest.mark.parametrize(("before", "after", "better", "worse"), [
    (("blamed", None), ("root", None), 1, 0), (("root", None), ("blamed", None), 0, 1), (("root", True), ("root", False), 0, 1),
    (("silent", None), ("abstained", None), 1, 0), (("blamed", None), ("abstained", None), 1, 0), (("clean", None), ("false-alarm", None), 0, 1),
    (("root", True), ("root", True), 0, 0), (("root", False), ("root", True), 1, 0)])
def test_changes_are_judged(before: tuple[str, bool | None], after: tuple[str, bool | None], better: int, worse: int) -> None:
    changes = bench.compare(bench.as_data(Report([row("a", *before)])), Report([row("a", *after)]))
    assert (len(changes.better), len(changes.worse)) == (better, worse)


def test_cases_that_came_or_went_are_listed() -> None:
    changes = bench.compare(bench.as_data(Report([row("a", "root"), row("b", "root")])), Report([row("b", "root"), row("c", "root")]))
    assert (changes.gone, changes.new, changes.worse) == (["a"], ["c"], [])
    assert "NEW (1)  c" in report_bench.changes_as_text(changes) and "GONE (1)  a" in report_bench.changes_as_text(changes)


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    """A right, a wrong and a healthy case; one is a folder."""
    oom = "[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 3 has a total capacity of 79.15 GiB\n"
    family = tmp_path / "family"
    (family / "right.v1").mkdir(parents=True)
    (family / "right.v1" / "rank3.log").write_text(oom)
    (family / "right.v1.yaml").write_text("cause: oom\ninitiating: 'CUDA out of memory. Tried'\nrank: 3\nfamily: family\n")
    (family / "wrong.log").write_text(oom)
    (family / "wrong.yaml").write_text("cause: other\ninitiating: 'something else'\nrank: 5\ncollateral: ['out of memory']\n")
    (family / "healthy.log").write_text("step 1\nstep 2\n")
    (family / "healthy.yaml").write_text("cause: none\ninitiating: null\nrank: null\n")
    return tmp_path


def test_a_folder_of_cases_is_scored(cases: Path) -> None:
    rows = {row.case: row for row in bench.run(cases, load()).rows}
    assert {case: row.outcome for case, row in rows.items()} == {"family/right.v1": "root", "family/wrong": "blamed", "family/healthy": "clean"}
    assert rows["family/right.v1"].rank_right is True and rows["family/wrong"].rank_right is False and rows["family/healthy"].rank_right is None
    assert rows["family/wrong"].collateral and rows["family/wrong"].entry == "cuda-out-of-memory"


def test_a_case_that_cannot_be_diagnosed_is_an_error_and_hides_no_other(cases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (cases / "family" / "core.log").write_bytes(b"\x7fELF" + bytes(2000))
    (cases / "family" / "core.yaml").write_text("cause: x\ninitiating: y\nrank: 1\n")
    assert cli.main(["bench", str(cases), "--format", "json"]) == 0
    rows = {row["case"]: row for row in json.loads(capsys.readouterr().out)["rows"]}
    assert rows["family/core"]["outcome"] == "error" and "core dump" in rows["family/core"]["named"] and rows["family/core"]["rank_right"] is False
    assert rows["family/right.v1"]["outcome"] == "root"


def test_the_table_lists_what_is_wrong(cases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bench", str(cases)]) == 0
    told = capsys.readouterr().out
    assert "1 (50 %)" in told and "BLAMED (1)" in told and "family/wrong: diagnosed, cuda-out-of-memory (a consequence or wrapper)" in told
    assert "right: something else" in told and "rank:  3, right is 5" in told and "cuda-out-of-memory 1/2" in told


def test_compare_fails_on_any_loss(cases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bench", str(cases), "--format", "json"]) == 0
    stored = json.loads(capsys.readouterr().out)
    file = cases / "before.json"
    file.write_text(json.dumps(stored))
    assert cli.main(["bench", str(cases), "--compare", str(file)]) == 0
    next(row for row in stored["rows"] if row["case"] == "family/wrong")["outcome"] = "root"
    file.write_text(json.dumps(stored))
    capsys.readouterr()
    assert cli.main(["bench", str(cases), "--compare", str(file)]) == 1
    assert "family/wrong: root, rank wrong -> blamed, rank wrong" in capsys.readouterr().out


@pytest.mark.parametrize(("name", "content", "words"), [
    ("lonely.yaml", "cause: x\ninitiating: y\n", "no log beside it"), ("bad.yaml", "a: [", "not a readable label"),
    ("list.yaml", "- a\n", "a label is a mapping"),
    ("vague.yaml", "cause: x\n", "a failure needs `initiating`")])
def test_bad_cases_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, content: str, words: str) -> None:
    (tmp_path / name).write_text(content)
    if name != "lonely.yaml":
        (tmp_path / name).with_suffix(".log").write_text("x\n")
    assert cli.main(["bench", str(tmp_path)]) == 2
    err = capsys.readouterr().err
    assert words in err and name in err


@pytest.mark.parametrize("content", ["{", "{}", '{"format": 0}', '{"format": 1, "rows": [{}]}', "[]"])
def test_a_bad_stored_result_is_named(cases: Path, capsys: pytest.CaptureFixture[str], content: str) -> None:
    (cases / "before.json").write_text(content)
    assert cli.main(["bench", str(cases), "--compare", str(cases / "before.json")]) == 2
    assert "before.json" in capsys.readouterr().err


def test_without_yaml_the_labels_cannot_be_read_and_that_is_said(cases: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(bench, "import_module", missing)
    assert cli.main(["bench", str(cases)]) == 2
    assert "pip install pyyaml" in capsys.readouterr().err


def test_every_label_of_the_public_set_is_whole() -> None:
    for name, log, label in bench.cases(ROOT / "tests" / "cases"):
        text = bench.fold(log.read_text(encoding="utf-8", errors="replace")) if log.is_file() else None
        assert label["cause"] and "rank" in label, name
        if text and label["cause"] != "none":
            assert bench.fold(str(label["initiating"])) in text, name


def test_the_public_set_is_diagnosed_at_the_floor() -> None:
    totals = bench.totals(bench.run(ROOT / "tests" / "cases", load()).rows)
    assert totals["error"] == 0
    assert totals["root"] >= 0.7 * totals["failures"]
    assert totals["false-alarm"] == 0
