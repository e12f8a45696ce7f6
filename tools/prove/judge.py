# SPDX-License-Identifier: MIT
"""One signal -> its verdict: searched in the package or source that it names, or on what else it stands.

proven    the literal text of a wording was found in the named release, or in the named file at the named commit
drifted   the named release or file was searched and holds no wording of it
cited     a source file at a commit is named, and no clone of it is here to search
reported  a public report is among the references
missing   nothing of these
"""
from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from . import literals
from .packages import Store, Unavailable, names
from .sources import Clones
from .texts import SOURCE

VERDICTS = ("proven", "drifted", "cited", "reported", "missing")
#: searched in a binary are only the strings that share a word with the wording
IN_BINARY = 8
#: longer than any message
HUGE = 4000
#: a file that the entry names is small, so short pieces between format fields count too
IN_NAMED = 5
#: the driver's first words are the same for every Xid; what tells them apart is the number, defined in this file
XID = re.compile(r"NVRM: Xid \(PCI:.*?\): (\d+),")
XID_NUMBERS = "src/common/sdk/nvidia/inc/nverror.h"
Search = Callable[[list[list[str]], str], list[int]]


@dataclass
class Verdict:
    """What was found out about one signal."""

    status: str
    where: str = ""
    file: str = ""
    found: list[int] = field(default_factory=list)
    of: int = 0
    why: str = ""


def key(signal: dict[str, Any]) -> str:
    """Give a short fingerprint of what a verdict depends on."""
    return hashlib.sha256(json.dumps([signal["match"], signal.get("emitter")], sort_keys=True).encode()).hexdigest()[:8]


def found_in(wordings: list[list[str]], text: str) -> list[int]:
    """Give the numbers of the wordings that a source text proves."""
    return [number for number, runs in enumerate(wordings) if literals.search(runs, text, IN_NAMED).proves(runs)]


def quickly_found(wordings: list[list[str]], text: str) -> list[int]:
    """The same for a file that nobody named: only where it holds a wording's longest run whole."""
    hopeful = [number for number, runs in enumerate(wordings) if max(runs, key=len) in text]
    return [number for number in hopeful if literals.search(wordings[number], text).proves(wordings[number])]


def found_in_binary(wordings: list[list[str]], text: str) -> list[int]:
    """The same for a binary: searched are the strings that hold a word of the wording.

    Go writes all its strings as one, so a huge one counts only for whole runs.
    """
    found = []
    for number, runs in enumerate(wordings):
        words = sorted({word for run in runs for word in re.findall(r"[A-Za-z_]{4,}", run)}, key=len)[-4:] or [max(runs, key=len)]
        near = "\n".join(line for line in lines_of(text) if len(line) < HUGE and any(word in line for word in words))
        if all(run in text for run in runs):
            near = text
        if literals.search(runs, near, IN_BINARY).proves(runs):
            found.append(number)
    return found


@lru_cache(maxsize=64)
def lines_of(text: str) -> list[str]:
    """Split a binary's strings once."""
    return text.split("\n")


def stated(emitter: dict[str, Any]) -> list[str]:
    """Give the files that an emitter names, without remarks."""
    return [re.sub(r"\s*\(.*?\)|:\d+.*$", "", part).strip() for part in str(emitter.get("file", "")).split(",") if part.strip()]


def is_binary(name: str) -> bool:
    """Whether a text was taken out of a binary."""
    return not name.endswith(SOURCE)


def candidates(emitter: dict[str, Any], texts: dict[str, str]) -> Iterator[tuple[str, str, Search]]:
    """Order a package's files, each with the search it is worth: those named, other sources, binaries."""
    wanted = [file.rpartition("/")[2] for file in stated(emitter)]
    first = [name for name in texts if name.rpartition("/")[2] in wanted and not is_binary(name)]
    yield from ((name, texts[name], found_in) for name in first)
    if len(first) > 1:
        yield " + ".join(sorted(first)), "\n".join(texts[name] for name in first), found_in
    rest = sorted(set(texts) - set(first))
    yield from ((name, texts[name], quickly_found) for name in rest if not is_binary(name))
    yield "its own file names, as in a traceback", "\n".join(texts), quickly_found
    yield from ((name, texts[name], found_in_binary) for name in rest if is_binary(name))


def in_package(signal: dict[str, Any], store: Store) -> Verdict:
    """Search the releases that a signal names."""
    emitter = signal["emitter"]
    wordings = [literals.runs_of(template) for template in signal["match"]]
    problems, searched = [], []
    for spec in names(str(emitter["package"])):
        try:
            texts = store.texts(spec)
        except Unavailable as unavailable:
            problems.append(str(unavailable))
            continue
        searched.append(spec)
        best = Verdict("drifted")
        for name, text, search in candidates(emitter, texts):
            hits = search(wordings, text)
            if len(hits) > len(best.found):
                best = Verdict("proven", spec, name, hits, len(wordings))
            if len(hits) == len(wordings):
                break
        if best.found:
            return best
    if searched:
        return Verdict("drifted", ", ".join(searched), of=len(wordings), why="no wording found")
    return Verdict("unsearched", of=len(wordings), why="; ".join(problems))


def in_source(signal: dict[str, Any], clones: Clones) -> Verdict:
    """Search the files at the commit that a signal names."""
    emitter = signal["emitter"]
    wordings = [literals.runs_of(template) for template in signal["match"]]
    project, commit = str(emitter["project"]), str(emitter["commit"])
    texts = {file: text for file in stated(emitter) if (text := clones.text(project, commit, file)) is not None}
    if not texts:
        return Verdict("cited", f"{project} {commit[:12]}", str(emitter.get("file", "")), of=len(wordings))
    hits = found_in(wordings, "\n".join(texts.values()))
    hits += [number for number in xid_numbers(signal["match"], wordings, clones.text(project, commit, XID_NUMBERS) or "") if number not in hits]
    status, why = ("proven", "") if hits else ("drifted", "no wording found")
    return Verdict(status, f"{project} {commit[:12]}", ", ".join(texts), sorted(hits), len(wordings), why)


def xid_numbers(match: list[str], wordings: list[list[str]], header: str) -> list[int]:
    """Give the wordings that are nothing but an Xid's number, where the driver's header defines that number."""
    found = []
    for number, template in enumerate(match):
        bare = wordings[number] and all(run.startswith("NVRM: Xid (PCI") for run in wordings[number])
        if bare and (xid := XID.search(template)) and re.search(rf"#define \w+ \({xid[1]}\)", header):
            found.append(number)
    return found


def fallback(signal: dict[str, Any], references: list[dict[str, Any]], why: str) -> Verdict:
    """Stand on a public report, or on nothing."""
    kinds = {reference["kind"] for reference in references}
    good = kinds & {"issue", "forum"} or kinds & {"docs", "source", "package"}
    return Verdict("reported" if good else "missing", of=len(signal["match"]), why=why)


def judge(signal: dict[str, Any], references: list[dict[str, Any]], store: Store, clones: Clones) -> Verdict:
    """Give the verdict on one signal."""
    emitter = signal.get("emitter") or {}
    evidence = emitter.get("evidence")
    if evidence == "package" and emitter.get("package"):
        verdict = in_package(signal, store)
        if verdict.status != "unsearched":
            return verdict
        return fallback(signal, references, verdict.why)
    if evidence == "source" and emitter.get("commit") and emitter.get("file"):
        return in_source(signal, clones)
    return fallback(signal, references, "") if emitter else Verdict("missing", of=len(signal["match"]), why="no emitter")
