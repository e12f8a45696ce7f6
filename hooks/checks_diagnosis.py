# SPDX-License-Identifier: MIT
"""Checks through the engine: what an entry samples is diagnosed as it, against the whole database, and its near misses are not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from firstfault.database import Database
from firstfault.diagnose import Session

from .compiling import compile_database, usable
from .entry import Entry
from .problems import Problem


class Engine:
    """The engine with a database of all entries."""

    def __init__(self, database: Database) -> None:
        """Diagnose with this database."""
        self.database = database

    @classmethod
    def of(cls, entries: list[Entry]) -> Engine:
        """Compile what can be compiled."""
        return cls(Database(compile_database(usable(entries)[0])))

    def diagnose(self, log: str) -> dict[str, Any]:
        """Diagnose one sampled log."""
        session = Session(self.database)
        session.open("sample.log")
        session.feed(log.encode())
        session.close()
        return session.result()


def named(result: dict[str, Any]) -> set[str]:
    """Give every entry that the diagnosis puts any weight on."""
    groups = ("consequences", "alternatives", "others", "benign", "recovered", "events")
    found = {item.get("entry") for group in groups for item in result.get(group) or []}
    return {name for name in (*found, (result.get("root") or {}).get("entry")) if name}


def blamed(result: dict[str, Any]) -> str:
    """Give the entry that the diagnosis blames, or nothing: where evidence is missing, its line is shown but not blamed."""
    if result.get("verdict") == "needs-evidence":
        return ""
    return str((result.get("root") or {}).get("entry") or "")


def outcome(result: dict[str, Any]) -> str:
    """Say what the engine found, for a message."""
    if entry := blamed(result):
        line = (result["root"].get("evidence") or [{}])[0].get("line")
        return f"the engine blames `{entry}`" + (f" on line {line}" if line else "")
    return f"the verdict is `{result.get('verdict')}`"


def can_be_blamed(entry: Entry) -> bool:
    """Whether a log with only this entry's lines has it as its first fault."""
    return entry.kind == "failure" and any(signal["role"] in ("root", "either") for signal in entry.data["signals"])


def samples_are_diagnosed(entry: Entry, engine: Engine) -> Iterator[Problem]:
    """The example a reader sees is the test."""
    for number, sample in enumerate(entry.data["samples"]):
        path = f"samples[{number}]"
        result = engine.diagnose(sample["log"])
        if not can_be_blamed(entry):
            if entry.id not in named(result):
                yield entry.problem(path, f"the sample is not recognised as `{entry.id}`", outcome(result), "mend the signals, or the sample")
            if entry.kind == "benign" and result.get("verdict") != "no-failure":
                yield entry.problem(path, "the harmless sample raises an alarm", outcome(result), "mend the signals, or cut other faults from the sample")
            continue
        if blamed(result) != entry.id:
            yield entry.problem(path, f"the sample is not diagnosed as `{entry.id}`", outcome(result), "mend the signals, roles or relations, or the sample")
            continue
        yield from decisive_line(entry, path, sample, result)


def decisive_line(entry: Entry, path: str, sample: dict[str, Any], result: dict[str, Any]) -> Iterator[Problem]:
    """The diagnosis must point at the line and the rank that the sample names."""
    evidence = (result["root"].get("evidence") or [{}])[0]
    if sample["root_line"] not in evidence.get("text", ""):
        why = f"the engine points at line {evidence.get('line')}: `{evidence.get('text', '')[:70]}`"
        yield entry.problem(f"{path}.root_line", "the diagnosis points at another line", why, "mend the signals, or name the line it should point at")
    # A rank of null says that the log does not tell, so the engine may still infer one.
    if sample.get("rank") is not None and result["root"].get("rank") != sample["rank"]:
        yield entry.problem(f"{path}.rank", f"the diagnosis names rank {result['root'].get('rank')}", f"the sample says {sample['rank']}", "correct the sample, or tell which line gives the rank")


def near_misses_are_not(entry: Entry, engine: Engine) -> Iterator[Problem]:
    """What looks alike must not be taken for this entry."""
    for number, near in enumerate(entry.data.get("near_misses", [])):
        result = engine.diagnose(near["log"])
        taken = blamed(result) == entry.id if can_be_blamed(entry) else entry.id in named(result)
        if taken:
            evidence = (result.get("root") or {}).get("evidence") or [{}]
            why = f"`{evidence[0].get('text', near['log'])[:70].strip()}` matches"
            yield entry.problem(f"near_misses[{number}].log", f"the near miss is diagnosed as `{entry.id}`", why, "narrow the signal, or add `needs` or `unless`")
