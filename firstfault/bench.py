# SPDX-License-Identifier: MIT
"""Scores the diagnosis on labelled cases: is the line right, is the rank right, are healthy logs left in peace.

The labels are described in tests/cases/README.md. Numbers come from here and from nowhere else: `precision` gives, per entry, how
often its verdict was right and on how many cases that was measured; `measured` adds how often it was found where it is the answer.
"""

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from .database import Database

FORMAT = 1
OUTCOMES = ("root", "blamed", "abstained", "silent", "clean", "false-alarm", "error")
RIGHT = ("root", "clean")
_ANSI = re.compile(r"\x1b(?:\[[0-9;:?]{0,40}[ -/]{0,4}[@-~]|\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)|[@-Z\\-_])")


class BenchError(ValueError):
    """Cases or a stored result that cannot be used; the message says where and what to do."""


@dataclass
class Row:
    """One case and what became of it."""

    case: str
    family: str
    title: str
    healthy: bool
    outcome: str
    verdict: str
    entry: str | None = None
    rank: int | None = None
    expected_rank: int | None = None
    rank_right: bool | None = None
    named: str = ""
    expected: str = ""
    collateral: bool = False
    owner: str | None = None
    seconds: float = 0.0


@dataclass
class Report:
    """All rows of one run, and which database made them."""

    rows: list[Row]
    database: dict[str, Any] = field(default_factory=dict)


@dataclass
class Changes:
    """Two runs compared: (case, before, now)."""

    better: list[tuple[str, str, str]] = field(default_factory=list)
    worse: list[tuple[str, str, str]] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)


def run(folder: str | Path, database: Database) -> Report:
    """Diagnose every case below a folder."""
    from .diagnose import diagnose_paths

    found = list(cases(Path(folder)))
    if not found:
        raise BenchError(f"{folder}: no cases here; a case is NAME.log with NAME.yaml beside it (see tests/cases/README.md)")
    rows = [_score(name, log, label, lambda path: diagnose_paths([str(path)], database)) for name, log, label in found]
    return Report(rows, {"entries": len(database.entries), "version": database.version})


def cases(folder: Path) -> Iterator[tuple[str, Path, dict[str, Any]]]:
    """(name, log, label) of every case, sorted by name."""
    if not folder.is_dir():
        raise BenchError(f"{folder}: no such folder")
    for label in sorted(folder.rglob("*.yaml")):
        yield label.relative_to(folder).with_suffix("").as_posix(), _log_of(label), _read_label(label)


def _log_of(label: Path) -> Path:
    stem = label.with_suffix("")
    # Stems hold dots of their own at times, so endings are added, never replaced.
    for ending in (".log", ".log.gz", ".zip", ".tar.gz", ".tgz", ".tar", ".txt", ""):
        log = stem.with_name(stem.name + ending)
        if log.exists():
            return log
    raise BenchError(f"{label}: no log beside it; expected {stem.name}.log, a folder {stem.name}/, or an archive")


def _read_label(path: Path) -> dict[str, Any]:
    try:
        # By name: the package itself must not need YAML, and a diagnosis never gets here.
        yaml = import_module("yaml")
    except ImportError:
        raise BenchError("the labels of cases are YAML: `pip install pyyaml` to score them (a diagnosis does not need it)") from None
    try:
        label = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise BenchError(f"{path}: not a readable label: {' '.join(str(error).split())}") from None
    if not isinstance(label, dict):
        raise BenchError(f"{path}: a label is a mapping with `cause`, `initiating`, `rank` ...")
    if label.get("cause") != "none" and not (label.get("initiating") or label.get("initiating_alternatives")):
        raise BenchError(f"{path}: a failure needs `initiating`, a part of the decisive line; a healthy log says `cause: none`")
    return label


def _score(name: str, log: Path, label: Mapping[str, Any], diagnose: Callable[[Path], Mapping[str, Any]]) -> Row:
    started = time.perf_counter()
    try:
        result = diagnose(log)
    except Exception as error:  # a crash on one case must not hide the others: it is a row of its own, and a loss
        return Row(name, _family(name, label), str(label.get("title") or ""), label.get("cause") == "none", "error", "", expected_rank=label.get("rank"),
                   rank_right=None if label.get("rank") is None else False, named=f"{type(error).__name__}: {error}"[:400])
    seconds = round(time.perf_counter() - started, 3)
    root = result.get("root") or {}
    evidence = root.get("evidence") or []
    named = str(evidence[0]["text"]) if evidence else ""
    healthy = label.get("cause") == "none"
    row = Row(
        case=name, family=_family(name, label), title=str(label.get("title") or ""), healthy=healthy,
        outcome=outcome(label, result["verdict"], named), verdict=result["verdict"], entry=root.get("entry"), rank=root.get("rank"),
        expected_rank=label.get("rank"), named=named[:400], expected=str(label.get("initiating") or "")[:400],
        collateral=any(holds(named, part) for part in label.get("collateral") or []), seconds=seconds)
    if not healthy:
        row.owner = row.entry if row.outcome == "root" else _owner(label, result)
    if not healthy and label.get("rank") is not None:
        row.rank_right = root.get("rank") == label["rank"]
    return row


def _owner(label: Mapping[str, Any], result: Mapping[str, Any]) -> str | None:
    """The entry that knows the labelled line, whatever the verdict made of it; None when no entry does."""
    for part in [label.get("initiating"), *(label.get("initiating_alternatives") or [])]:
        for event in result.get("events") or []:
            if part and event.get("entry") and holds(event["text"], part):
                return str(event["entry"])
    return None


def _family(name: str, label: Mapping[str, Any]) -> str:
    return str(label.get("family") or name.split("/")[0])


def outcome(label: Mapping[str, Any], verdict: str, named: str) -> str:
    """What a verdict is worth, given the judgement: one of `OUTCOMES`."""
    if label.get("cause") == "none":
        return "clean" if verdict == "no-failure" else "false-alarm"
    if verdict == "no-failure":
        return "silent"
    if not named:
        return "abstained"
    right = any(holds(named, part) for part in [label.get("initiating"), *(label.get("initiating_alternatives") or [])] if part)
    return "root" if right else "blamed"


def holds(line: str, part: str) -> bool:
    """Whether a line contains a part, white space folded and ANSI codes removed."""
    folded = fold(str(part))
    return bool(folded) and folded in fold(line)


def fold(text: str) -> str:
    """Text as it is compared."""
    return " ".join(_ANSI.sub("", text).split())


def totals(rows: list[Row]) -> dict[str, Any]:
    """Counts and shares over rows."""
    failures, healthy = [row for row in rows if not row.healthy], [row for row in rows if row.healthy]
    ranked = [row for row in rows if row.rank_right is not None]
    counts: dict[str, Any] = {name: sum(row.outcome == name for row in rows) for name in OUTCOMES}
    counts |= {"failures": len(failures), "healthy": len(healthy), "rank_right": sum(bool(row.rank_right) for row in ranked), "rank_known": len(ranked)}
    return counts


def precision(rows: list[Row]) -> dict[str, tuple[int, int]]:
    """Per entry: on how many labelled logs its verdict was right, and on how many it was given."""
    found: dict[str, tuple[int, int]] = {}
    for row in rows:
        if row.entry and row.verdict == "diagnosed":
            right, given = found.get(row.entry, (0, 0))
            found[row.entry] = (right + (row.outcome == "root"), given + 1)
    return dict(sorted(found.items()))


def measured(rows: list[Row]) -> dict[str, dict[str, int]]:
    """Per entry: named on `given` logs and `right` on so many of them; the first fault of `known` logs and `found` on so many."""
    counts: dict[str, dict[str, int]] = {}
    for row in rows:
        if row.entry and row.verdict == "diagnosed":
            of = counts.setdefault(row.entry, {"right": 0, "given": 0, "found": 0, "known": 0})
            of["given"] += 1
            of["right"] += row.outcome == "root"
        if row.owner:
            of = counts.setdefault(row.owner, {"right": 0, "given": 0, "found": 0, "known": 0})
            of["known"] += 1
            of["found"] += row.outcome == "root" and row.entry == row.owner and row.verdict == "diagnosed"
    return dict(sorted(counts.items()))


def as_data(report: Report) -> dict[str, Any]:
    """A report as JSON values, to store and to compare with later."""
    return {"format": FORMAT, "database": report.database, "totals": totals(report.rows),
            "precision": {entry: {"right": right, "n": n} for entry, (right, n) in precision(report.rows).items()},
            "rows": [asdict(row) for row in report.rows]}


def stored(path: str | Path) -> dict[str, Any]:
    """A result stored with `--format json`."""
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            raise BenchError(f"{path}: stored in format {data['format']}, this program reads {FORMAT}; store it again with --format json")
        for row in data["rows"]:
            row["case"], row["outcome"], row["rank_right"]
    except (json.JSONDecodeError, UnicodeDecodeError, KeyError, TypeError) as error:
        raise BenchError(f"{path}: not a result of `firstfault bench --format json` ({type(error).__name__}: {error})") from None
    return data


def compare(before: Mapping[str, Any], now: Report) -> Changes:
    """Which cases got better, which got worse: by outcome, then by rank."""
    old = {row["case"]: row for row in before["rows"]}
    new = {row.case: row for row in now.rows}
    changes = Changes(gone=sorted(old.keys() - new.keys()), new=sorted(new.keys() - old.keys()))
    for case in sorted(old.keys() & new.keys()):
        was, is_ = _grade(old[case]["outcome"], old[case]["rank_right"]), _grade(new[case].outcome, new[case].rank_right)
        if was != is_:
            change = (case, _words(old[case]["outcome"], old[case]["rank_right"]), _words(new[case].outcome, new[case].rank_right))
            (changes.better if is_ > was else changes.worse).append(change)
    return changes


def _grade(name: str, rank_right: bool | None) -> tuple[int, int]:
    """Right is best; to stay silent or abstain is less bad than to blame a wrong line."""
    order = {"root": 3, "clean": 3, "abstained": 2, "silent": 1, "blamed": 0, "false-alarm": 0, "error": -1}
    return order.get(name, -1), 0 if rank_right is False else 1


def _words(name: str, rank_right: bool | None) -> str:
    return name + ("" if rank_right is None else ", rank right" if rank_right else ", rank wrong")
