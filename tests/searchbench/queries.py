# SPDX-License-Identifier: MIT
"""Queries with the entries that answer them: what people paste and type, made from the labelled logs and the entries.

A line comes from another run: its numbers, ranks, times, hosts, ids and folders are changed, and a launcher's or a
collector's prefix stands before it. The changes follow from the line itself, so the set is the same everywhere.
"""
from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import yaml

from firstfault import database

HERE = Path(__file__).parent
CASES = HERE.parent / "cases"
PREFIXES = ("", "", "[rank7]: ", "[default3]:[rank3]: ", "2026-03-04 11:22:33,517 ", "worker-3: ", "(TrainWorker pid=90211, ip=10.2.3.4) ", "[1,5]<stderr>:",
            "2026-03-04T11:22:33.517204Z stdout F ", "Mar  4 11:22:33 node-17 ", "  ")
# Numbers behind these words are the message, not the run.
_KEPT = re.compile(r"(?i)(?:errno|error|xid|sxid|code|signal|status|sm_|rc|wc|exit|http\S*|python|cuda|fp|bf|int|float|libc|gfx|max|version|function|op|TU|(?<!p)ID)[ :=(\[_.-]{0,4}-?$")
_XID = re.compile(r"Xid \(PCI[^)]{0,20}\): $")
_NUMBER = re.compile(r"0x[0-9a-fA-F]+|(?<![A-Za-z0-9_])[0-9a-f]{8}-[0-9a-f-]{27}(?![0-9A-Za-z])|[0-9]+")
_FOLDER = re.compile(r"(?<![A-Za-z0-9:/])/(?!dev/)(?:[A-Za-z0-9_.+-]+/)+(?=[A-Za-z0-9_.+-])")
_INSIDE = re.compile(r"$|\s|Traceback|During handling|The above exception|[\w.]+(?:Error|Exception|Interrupt|Exit)")
_TRACEBACK = "Traceback (most recent call last):"


@dataclass(frozen=True)
class Query:
    """One query: what kind it is, which entries are right, and whether an entry holds its line as a sample."""

    kind: str
    text: str
    right: tuple[str, ...]
    source: str
    sampled: bool = False

    @property
    def tuned(self) -> bool:
        """Whether it is of the half that the ranking was tuned on; all queries of one source are in one half."""
        return sha256(self.source.encode()).digest()[0] % 2 == 0


def all_queries(entries: dict[str, dict[str, Any]]) -> list[Query]:
    """The whole set; queries whose every answer is gone from the encyclopedia are left out."""
    made = [*of_cases(entries), *of_samples(entries), *of_words(), *of_names(entries)]
    return [query for query in made if any(id_ in entries for id_ in query.right)]


def of_cases(entries: dict[str, dict[str, Any]]) -> Iterator[Query]:
    """Decisive lines of the labelled logs: whole, cut, and with the traceback that they end."""
    samples = "\n".join(fold(sample["log"]) for entry in entries.values() for sample in entry["samples"])
    for name, right in yaml.safe_load((HERE / "cases.yaml").read_text("utf-8")).items():
        lines, at = decisive(name)
        line = lines[at]
        held = fold(line) in samples
        yield from of_line("case", line, told(line, name), tuple(right), name, held)
        block = traceback_before(lines, at)
        if block:
            yield Query("traceback", "\n".join(other_run(part, f"{name}{number}") for number, part in enumerate(block)), tuple(right), name, held)


def of_samples(entries: dict[str, dict[str, Any]]) -> Iterator[Query]:
    """The decisive line of each entry's first sample."""
    for id_, entry in entries.items():
        sample = entry["samples"][0]
        line = next((line for line in sample["log"].split("\n") if sample["root_line"] in line), "")
        if line:
            yield from of_line("sample", line, sample["root_line"], (id_, *also(line, entry)), id_, True)


def of_line(kind: str, line: str, part: str, right: tuple[str, ...], source: str, sampled: bool) -> Iterator[Query]:
    """A line of another run, whole, and cut anywhere as long as at least 60 % of its decisive part are left."""
    dice = random.Random(f"{source}{line}")  # noqa: S311 - the same everywhere is what is wanted
    yield Query(kind, dice.choice(PREFIXES) + other_run(line.strip(), source), right, source, sampled)
    line = line.rstrip()
    first = max(line.find(part), 0)
    last = min(first + len(part), len(line))
    needed = max((last - first) * 6 // 10, min(24, last - first))
    if len(line) >= 40:
        start = dice.choice((0, dice.randint(0, last - needed)))
        end = dice.randint(max(start, first) + needed, len(line)) if start <= last - needed else len(line)
        if end - start < len(line):
            yield Query(f"{kind}, cut", other_run(line[start:end], source), right, source, sampled)


@cache
def signals() -> list[Any]:
    """The matcher's signals that can begin a failure."""
    return [signal for signal in database.load().signals if signal.role in ("root", "either", "wrapper", "benign")]


def also(line: str, entry: dict[str, Any]) -> tuple[str, ...]:
    """Entries that the entry itself names as neighbours, and whose signals match the same line: both pages are right."""
    near = {relation["id"] for relation in entry.get("related") or []}
    return tuple(dict.fromkeys(
        signal.entry for signal in signals() if signal.entry in near
        and any(signal.pattern(number).search(line) for number in range(len(signal.regex)) if not signal.anchored[number])))


def of_words() -> Iterator[Query]:
    """Plain words, and the same with typing errors."""
    for text, right in yaml.safe_load((HERE / "words.yaml").read_text("utf-8")).items():
        yield Query("words", text, tuple(right), text)
        wrong = mistyped(text)
        if wrong != text:
            yield Query("words, mistyped", wrong, tuple(right), text)


def of_names(entries: dict[str, dict[str, Any]]) -> Iterator[Query]:
    """Ids and aliases as people write them, and Xid numbers."""
    for number, (id_, entry) in enumerate(entries.items()):
        if number % 4 == 0:
            yield Query("id", id_, (id_,), id_)
            yield from (Query("id", alias.replace("-", " ").upper(), (id_,), id_) for alias in (entry.get("aliases") or [])[:1])
        if id_.startswith("xid-"):
            for one in re.findall(r"(?<=-)\d+(?=-)", id_)[:2]:
                yield from (Query("xid", form.format(one), (id_,), id_) for form in ("xid {}", "Xid: {}", "{}"))


def fold(text: str) -> str:
    """Text with single blanks."""
    return " ".join(text.split())


def told(line: str, name: str) -> str:
    """The part of the decisive line that the label quotes, as it stands in the line."""
    label = yaml.safe_load((CASES / f"{name}.yaml").read_text("utf-8"))
    for part in (label["initiating"], *(label["initiating_alternatives"] or [])):
        found = re.search(r"\s+".join(re.escape(word) for word in part.split()), line)
        if found:
            return found[0]
    return line


@cache
def decisive(name: str) -> tuple[list[str], int]:
    """The lines of a case's log and where the decisive one stands."""
    label = yaml.safe_load((CASES / f"{name}.yaml").read_text("utf-8"))
    wanted = [fold(part) for part in (label["initiating"], *(label["initiating_alternatives"] or []))]
    single = CASES / f"{name}.log"
    for path in [single] if single.is_file() else sorted((CASES / name).rglob("*")):
        lines = path.read_text("utf-8", "replace").splitlines() if path.is_file() else []
        for part in wanted:
            for number, line in enumerate(lines):
                if part in fold(line):
                    return lines, number
    return [label["initiating"]], 0


def traceback_before(lines: list[str], at: int) -> list[str]:
    """The traceback that a line ends, if it ends one and no other line stands in it."""
    for start in range(at - 1, max(-1, at - 60), -1):
        prefix, mark, _ = lines[start].partition(_TRACEBACK)
        if mark:
            block = lines[start:at + 1]
            whole = all(line.startswith(prefix) and _INSIDE.match(line.removeprefix(prefix)) for line in block)
            return block if whole and len(block) > 2 else []
    return []


def other_run(line: str, seed: str) -> str:
    """The line as another run would have printed it."""
    dice = random.Random(f"{seed}{line}")  # noqa: S311

    moved = _FOLDER.sub(lambda found: dice.choice(("/home/kim/src/", "/mnt/scratch/u17/run4/", "/opt/app/lib/")), line)

    def number(found: re.Match[str]) -> str:
        text = found[0]
        if text.startswith("0x"):
            return "0x" + "".join(dice.choice("0123456789abcdef") for _ in text[2:])
        if "-" in text:
            return "".join(letter if letter == "-" else dice.choice("0123456789abcdef") for letter in text)
        # Short numbers inside of names (`fp16`, `mat1`, `librdmacm2`) are names.
        inside = found.start() > 0 and (moved[found.start() - 1].isalpha() or moved[found.start() - 1] == "_")
        before = moved[max(0, found.start() - 30):found.start()]
        if inside or _KEPT.search(before[-14:]) or _XID.search(before) or len(text) == 1 and found.end() < len(moved) and moved[found.end()].isalpha():
            return text
        return "".join(dice.choice("123456789") for _ in text)

    return _NUMBER.sub(number, moved)


def mistyped(text: str) -> str:
    """The text with one typing error in its longest word: two letters swapped, one left out, or one doubled."""
    word = max(re.findall(r"[a-z]+", text) or [""], key=len)
    if len(word) < 5:
        return text
    dice = random.Random(text)  # noqa: S311
    at = dice.randrange(1, len(word) - 2)
    wrong = dice.choice((word[:at] + word[at + 1] + word[at] + word[at + 2:], word[:at] + word[at + 1:], word[:at] + word[at] + word[at:]))
    return text.replace(word, wrong, 1)
