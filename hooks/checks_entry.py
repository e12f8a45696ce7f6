# SPDX-License-Identifier: MIT
"""Checks of one entry by itself: its name and its signals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from firstfault.patterns import PatternError, Template, compile_template
from firstfault.prefilter import project

from .entry import Entry
from .problems import Problem
from .schema import schema

#: letters that a literal must have for the prefilter; what is shorter stands in too many lines
LEAST_LETTERS = 6
#: addresses that the site itself uses
RESERVED = frozenset(
    "index 404 search assets javascripts stylesheets sitemap wrappers benign entries entry-format where-your-log-goes privacy format home api data "
    "diagnose about feed llms robots com1 com2 com3 com4 lpt1 lpt2 lpt3 lpt4".split()
)


def families() -> list[str]:
    """Give the families in the schema's order."""
    return list(schema()["properties"]["family"]["enum"])


def id_is_file_name(entry: Entry) -> Iterator[Problem]:
    """The file name is the id is the page's address."""
    stem = PurePosixPath(entry.file).stem
    if entry.id != stem:
        yield entry.problem("id", f"`{entry.id}` is not the file's name", "the id is the page's permanent address", f"write `id: {stem}`, or rename the file to `{entry.id}.yaml`")
    for path, name in [("id", entry.id), *((f"aliases[{n}]", a) for n, a in enumerate(entry.data.get("aliases", [])))]:
        if name in RESERVED or name in families():
            yield entry.problem(path, f"`{name}` is taken", "the site has a page of that name", "choose a more specific name")


def folder_is_family(entry: Entry) -> Iterator[Problem]:
    """People look for an entry on its shelf."""
    parts = PurePosixPath(entry.file).parts
    if "entries" in parts[:-1] and parts[-2] != entry.data["family"]:
        yield entry.problem("family", f"the file lies in `{parts[-2]}/`", f"its family is `{entry.data['family']}`", "move the file, or change the family")


def templates(entry: Entry) -> Iterator[tuple[str, str, Template | PatternError]]:
    """Yield (path, wording, compiled template or what is wrong with it)."""
    for number, signal in enumerate(entry.data["signals"]):
        for place, wording in enumerate(signal["match"]):
            path = f"signals[{number}].match[{place}]"
            try:
                yield path, wording, compile_template(wording)
            except PatternError as error:
                yield path, wording, error


def templates_compile(entry: Entry) -> Iterator[Problem]:
    """A template compiles to an expression that is linear on every line."""
    for path, _wording, template in templates(entry):
        if isinstance(template, PatternError):
            yield entry.problem(path, "this template does not compile", str(template), "mend it; the Entry format page lists the fields")


def rare_letters(literal: str) -> int:
    """Count the letters that the prefilter keeps: it deletes digits, a-f, blanks and marks."""
    return len(project(literal.encode()))


def literal_is_long_enough(entry: Entry) -> Iterator[Problem]:
    """The prefilter finds a line by the longest literal of its template."""
    for path, wording, template in templates(entry):
        if isinstance(template, PatternError):
            continue
        best = max(template.literals, key=rare_letters, default="")
        if rare_letters(best) < LEAST_LETTERS:
            why = f"its longest literal `{best.strip()}` has {rare_letters(best)} letters that the prefilter keeps, it needs {LEAST_LETTERS}"
            yield entry.problem(path, f"`{wording[:50]}` is too short to be searched", why, "add more of the line's fixed words")


def signal_names_once(entry: Entry) -> Iterator[Problem]:
    """A signal is addressed by its name."""
    seen: set[str] = set()
    for number, signal in enumerate(entry.data["signals"]):
        if signal["id"] in seen:
            yield entry.problem(f"signals[{number}].id", f"`{signal['id']}` names two signals", "a signal is addressed by its name", "rename one of them")
        seen.add(signal["id"])


def own_texts(entry: Entry) -> str:
    """Give the sampled lines and wordings of an entry."""
    logs = [sample["log"] for sample in entry.data["samples"]]
    return "\n".join([*logs, *(wording["text"] for wording in entry.data.get("wordings", []))])


def signals_seen(entry: Entry) -> Iterator[Problem]:
    """A signal that matches nothing of its own entry was never tried."""
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in own_texts(entry).splitlines()]
    for number, signal in enumerate(entry.data["signals"]):
        found = [t for _p, _w, t in templates_of(signal)]
        # Where the message starts is known only after the prefixes are peeled, so here it may start anywhere.
        patterns = [re.compile(t.regex.replace(r"\A", "", 1)) for t in found]
        if patterns and not any(pattern.search(line) for pattern in patterns for line in lines):
            why = "no line of this entry's samples or wordings matches it"
            yield entry.problem(f"signals[{number}].match", f"signal `{signal['id']}` is never shown", why, "sample the line, add its wording, or remove the signal")


def templates_of(signal: dict) -> Iterator[tuple[str, str, Template]]:
    """Yield the templates of one signal that compile."""
    for place, wording in enumerate(signal["match"]):
        try:
            yield f"match[{place}]", wording, compile_template(wording)
        except PatternError:
            continue


def wrapper_says_what_it_hides(entry: Entry) -> Iterator[Problem]:
    """A wrapper without what it wraps leaves its reader where he was."""
    if entry.kind != "wrapper" or entry.data["status"] == "retired" or entry.data.get("unhide"):
        return
    if not any(edge["type"] == "wraps" for edge in entry.data.get("related", [])):
        yield entry.problem("unhide", "this wrapper does not say what it hides", "its reader needs the line behind it", "add `unhide`, or `related` edges of type `wraps`")


def sample_holds_its_line(entry: Entry) -> Iterator[Problem]:
    """The decisive line must stand in the sampled log."""
    for number, sample in enumerate(entry.data["samples"]):
        if not any(sample["root_line"] in line for line in sample["log"].splitlines()):
            yield entry.problem(f"samples[{number}].root_line", "no line of the log holds it", "it marks the decisive line on the page", "copy a part of that line")
