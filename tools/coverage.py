# SPDX-License-Identifier: MIT
"""Which messages of the field have an entry: proofs/coverage.csv lists messages that matter, and this keeps its answers true.

A row holds family, signature (with `{fields}` for what varies), priority, the entry, how that was found, and a reason where
there is none. `matches`: a signal of the entry matches the message with plausible values put in. `holds`: the entry's own
words (signature, wordings, templates, samples) hold the message's literal text. `by hand`: a person's decision, never changed here.
"""
from __future__ import annotations

import argparse
import csv
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

from firstfault.database import Database
from firstfault.patterns import compile_template
from firstfault.prefixes import peel
from hooks.compiling import compile_database, usable
from hooks.entry import Entry
from hooks.load import load_folder

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "proofs" / "coverage.csv"
COLUMNS = ("family", "signature", "priority", "entry", "how", "reason")
FIELD = re.compile(r"\{([a-z_]{1,20})\}")
#: what stands in a real line where the table has a field; numbers for everything else
VALUES = {
    "address": "10.0.0.7<41000>", "bdf": "0000:3b:00", "binary": "/usr/bin/python", "bool": "true", "busid": "3b000", "call": "cublasSgemm(handle)",
    "cls": "Model", "command": "['ninja', '-v']", "comm": "python3", "device": "cuda:0", "detail": "invalid header", "dtype": "float",
    "driver": "nvidia", "duration": "60000ms", "endpoint": "https://example.com", "engine": "GRAPHICS", "error": "some error",
    "file": "/data/file.py", "fn": "GSP_RM_CONTROL", "host": "node-1", "hosts": "node1", "keys": "/key:1", "kernel": "addmm_impl_cpu_",
    "list": "[0, 1]", "method": "execute_model", "name": "model.layer", "node": "node1", "op": "ALLREDUCE", "opcode": "0", "path": "/data/x",
    "ptr": "0x7f00", "reason": "Unknown.", "resource": "memory", "severity": "Non-fatal", "shape": "[4, 5]", "size": "2.00 GiB",
    "status": "CUDNN_STATUS_EXECUTION_FAILED", "symbol": "_ZN3c10", "task": "0", "tasks": "task 3", "text": "Connection refused",
    "time": "2026-01-01T00:00:00", "traceback": "Traceback (most recent call last):", "type": "RuntimeError", "unit": "FBHUB",
    "url": "https://example.com/x", "var": "RANK", "version": "12.4", "addr": "0x7f_00000000", "client": "GPCCLIENT_T1_0",
    "access": "ACCESS_TYPE_VIRT_READ", "exitcode": "-9", "backend": "inductor", "step": "StepId=12.0", "names": "['XForCausalLM']", "signum": "15",
}
SHORTEST = 8


class Answer(NamedTuple):
    """The entry for a message, and how that was found."""

    entry: str
    how: str


def lines_of(signature: str) -> list[str]:
    """Put plausible values into a signature: a bare message, and one as Python prints it."""
    line = FIELD.sub(lambda field: VALUES.get(field.group(1), "7"), signature)
    return [line, f"RuntimeError: {line}", f"[rank3]: {line}"]


def runs(text: str) -> list[str]:
    """Give the literal runs of a signature that tell something."""
    pieces = (" ".join(piece.split()) for piece in FIELD.sub("\n", text).split("\n"))
    return [piece for piece in pieces if len(piece) >= SHORTEST and re.search(r"[A-Za-z]{4}", piece)] or [" ".join(text.split())]


def words_of(entry: Entry) -> list[str]:
    """Give the texts of an entry that are the machine's own words."""
    data: dict[str, Any] = entry.data
    templates = [" ".join(compile_template(wording).literals) for raw in data["signals"] if raw["role"] != "clue" for wording in raw["match"]]
    texts = [data["signature"], *(wording["text"] for wording in data.get("wordings", [])), *templates, *(sample["log"] for sample in data["samples"])]
    return [" ".join(text.split()) for text in texts]


class Finder:
    """Answers for messages, from the entries as they are."""

    def __init__(self, entries: list[Entry]) -> None:
        """Compile the entries once."""
        self.database = Database(compile_database(entries))
        self.words = {entry.id: words_of(entry) for entry in entries}
        self.families = {entry.id: entry.data["family"] for entry in entries}

    def matched(self, signature: str) -> dict[str, int]:
        """Give the entries with a signal that matches, with how much literal text it needs."""
        found: dict[str, int] = {}
        for signal in self.database.signals:
            if signal.role == "clue":
                continue
            for line in lines_of(signature):
                for number, literals in enumerate(signal.literals):
                    text = peel(line)[0] if signal.anchored[number] else line
                    if signal.pattern(number).search(text):
                        found[signal.entry] = max(found.get(signal.entry, 0), sum(map(len, literals)))
        return found

    def held(self, signature: str) -> dict[str, int]:
        """Give the entries of which one text holds every long literal run."""
        wanted = runs(signature)
        found = {}
        for id_, texts in self.words.items():
            for place, text in enumerate(texts):
                if all(run in text for run in wanted):
                    found[id_] = 1000 - min(place, 900)
                    break
        return found

    def answer(self, family: str, signature: str) -> Answer | None:
        """Give the best entry: one whose signal matches before one that only quotes, the message's own family first."""
        for how, found in (("matches", self.matched(signature)), ("holds", self.held(signature))):
            if found:
                best = min(found, key=lambda id_: (self.families[id_] != family, -found[id_], id_))
                return Answer(best, how)
        return None


def read(path: Path) -> list[dict[str, str]]:
    """Read a table."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def write(rows: list[dict[str, str]], path: Path = TABLE) -> None:
    """Write the table, rows in their order."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, extrasaction="ignore", restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def refresh(rows: list[dict[str, str]], finder: Finder) -> list[dict[str, str]]:
    """Answer every row anew, but keep what a person decided while that entry exists."""
    fresh = []
    for row in rows:
        if row.get("how") == "by hand" and row.get("entry") in finder.words:
            fresh.append(row)
            continue
        answer = finder.answer(row["family"], row["signature"])
        reason = "" if answer else row.get("reason", "")
        fresh.append({**row, "entry": answer.entry if answer else "", "how": answer.how if answer else "", "reason": reason})
    return fresh


def problems(rows: list[dict[str, str]], ids: set[str]) -> list[str]:
    """Say which rows name no entry that exists, and which first-priority rows have neither entry nor reason."""
    gone = [f"{row['signature']}: the entry {row['entry']} does not exist" for row in rows if row["entry"] and row["entry"] not in ids]
    bare = [f"{row['family']}: {row['signature']}: no entry and no reason" for row in rows if row["priority"] == "1" and not row["entry"] and not row["reason"]]
    return gone + bare


def summary(rows: list[dict[str, str]]) -> str:
    """Count the covered rows by priority."""
    parts = []
    for priority in sorted({row["priority"] for row in rows}):
        here = [row for row in rows if row["priority"] == priority]
        covered, excused = (sum(bool(row[field]) for row in here) for field in ("entry", "reason"))
        parts.append(f"priority {priority}: {covered} of {len(here)} have an entry, {excused} a reason")
    return "; ".join(parts)


def main(arguments: list[str] | None = None) -> int:
    """Refresh the table and print what has no entry; exit 1 when a first-priority row lacks both entry and reason."""
    parser = argparse.ArgumentParser(prog="python -m tools.coverage", description="Which messages of the field have an entry.")
    parser.add_argument("--add", type=Path, help="a CSV with family, signature, priority: rows that the table lacks are added")
    options = parser.parse_args(arguments)
    rows = read(TABLE) if TABLE.exists() else []
    known = {row["signature"] for row in rows}
    rows += [row for row in read(options.add) if row["signature"] not in known] if options.add else []
    entries, _problems = usable(load_folder(ROOT / "entries", ROOT)[0])
    rows = refresh(rows, Finder(entries))
    write(rows)
    for row in rows:
        if not row["entry"] and not row["reason"]:
            print(f"priority {row['priority']}  {row['family']}: {row['signature']}")
    print(summary(rows))
    found = problems(rows, {entry.id for entry in entries})
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
