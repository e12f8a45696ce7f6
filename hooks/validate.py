# SPDX-License-Identifier: MIT
"""Entries -> problems: the schema, then small named checks. All problems of all files are collected, then it stops.

`firstfault check` (check.py), the site's build, and the page where an entry is drafted all say the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any

from firstfault.patterns import PatternError

from . import checks_diagnosis, checks_entry, checks_reading, checks_whole, checks_words
from .entry import Entry
from .problems import Problem
from .rest import Rest, database_with
from .schema import did_you_mean, schema_problems

#: no entry is ever excused from these
ALWAYS = (
    checks_entry.id_is_file_name,
    checks_entry.templates_compile,
    checks_entry.signal_names_once,
    checks_entry.sample_holds_its_line,
    checks_words.no_markup,
    checks_words.links_are_https,
    checks_reading.behaviour_fits_kind,
    checks_reading.timeline_is_sound,
)
ONE = (
    checks_entry.folder_is_family,
    checks_entry.literal_is_long_enough,
    checks_entry.signals_seen,
    checks_entry.wrapper_says_what_it_hides,
    checks_words.no_filler,
)
ALL = (
    checks_whole.names_once,
    checks_whole.targets_exist,
    checks_whole.relations_use_ids,
    checks_whole.relations_agree,
    checks_whole.contexts_exist,
    checks_whole.retired_leads_on,
)
WORDS = (checks_words.sentences_once,)
DIAGNOSIS = (checks_diagnosis.samples_are_diagnosed, checks_diagnosis.near_misses_are_not)


def name_of(check: Callable[..., Any]) -> str:
    """Give the name by which an entry can be excused from a check."""
    return check.__name__.replace("_", "-")


EXCUSABLE = {name_of(check) for check in (*ONE, *WORDS, *DIAGNOSIS)}


def known_names(entries: Iterable[Entry], files: Iterable[str]) -> dict[str, str]:
    """Give every id and alias with its id; a file that cannot be used still holds its name."""
    names = {PurePosixPath(file).stem: PurePosixPath(file).stem for file in files}
    for entry in entries:
        names[entry.id] = entry.id
    for entry in entries:
        for alias in entry.data.get("aliases") or [] if isinstance(entry.data.get("aliases"), list) else []:
            names.setdefault(str(alias), entry.id)
    return names


def findings(entries: list[Entry], known: dict[str, str], diagnose: bool) -> Iterator[tuple[str, Problem]]:
    """Run every check on entries that follow the schema, and yield (check, problem)."""
    yield from alone(entries)
    for whole in ALL:
        yield from ((name_of(whole), problem) for problem in whole(entries, known))
    for words in WORDS:
        yield from ((name_of(words), problem) for problem in words(entries))
    if diagnose:
        yield from diagnosed(entries, checks_diagnosis.Engine.of(entries))


def alone(entries: list[Entry]) -> Iterator[tuple[str, Problem]]:
    """Run the checks that need one entry by itself."""
    for check in (*ALWAYS, *ONE):
        for entry in entries:
            yield from ((name_of(check), problem) for problem in check(entry))


def diagnosed(entries: list[Entry], engine: checks_diagnosis.Engine) -> Iterator[tuple[str, Problem]]:
    """Run the checks that go through the engine."""
    for through in DIAGNOSIS:
        for entry in entries:
            if entry.data["status"] != "retired":
                yield from ((name_of(through), problem) for problem in through(entry, engine))


def findings_beside(entry: Entry, rest: Rest, diagnose: bool) -> Iterator[tuple[str, Problem]]:
    """Run every check on one entry, with what is known of all others."""
    yield from alone([entry])
    others = rest.beside(entry)
    known = known_names([*others, entry], rest.unread)
    for whole in ALL:
        yield from ((name_of(whole), problem) for problem in whole([*others, entry], known) if problem.file == entry.file)
    for words in WORDS:
        yield from ((name_of(words), problem) for problem in words([entry], rest.sentences))
    if diagnose and not any(isinstance(template, PatternError) for _path, _wording, template in checks_entry.templates(entry)):
        yield from diagnosed([entry], checks_diagnosis.Engine(database_with(entry, rest)))


def validate_one(entry: Entry | None, loading: list[Problem], rest: Rest, diagnose: bool = True) -> list[Problem]:
    """Give all problems of one entry beside the others, those of its loading included."""
    problems = list(loading)
    if entry:
        problems += schema_problems(entry) or excuse([entry], list(findings_beside(entry, rest, diagnose)), diagnose)
    return sorted(set(problems))


def excuse(entries: list[Entry], found: list[tuple[str, Problem]], diagnose: bool) -> Iterator[Problem]:
    """Leave out what an entry is excused from; an excuse that is no longer needed is a problem itself."""
    excused = {(entry.file, item["check"]): (entry, n) for entry in entries for n, item in enumerate(entry.data.get("excuses", []))}
    used = set()
    for check, problem in found:
        if check in EXCUSABLE and (problem.file, check) in excused:
            used.add((problem.file, check))
        else:
            yield problem
    for (file, check), (entry, number) in excused.items():
        path = f"excuses[{number}].check"
        if check not in EXCUSABLE:
            todo = did_you_mean(check, sorted(EXCUSABLE)) or f"one of {', '.join(sorted(EXCUSABLE))}"
            yield entry.problem(path, f"no entry can be excused from `{check}`", "there is no such check, or it always holds", todo)
        elif (file, check) not in used and (diagnose or check not in {name_of(item) for item in DIAGNOSIS}):
            yield entry.problem(path, f"the excuse from `{check}` is no longer needed", "the entry passes it", "remove the excuse")


def validate(entries: list[Entry], loading: list[Problem], diagnose: bool = True) -> list[Problem]:
    """Give all problems of loaded entries, those of their loading included, sorted by file and line."""
    problems = list(loading)
    sound: list[Entry] = []
    broken = {problem.file for problem in loading}
    for entry in entries:
        found = [*schema_problems(entry)]
        problems += found
        if not found:
            sound.append(entry)
    known = known_names(entries, broken)
    problems += excuse(sound, list(findings(sound, known, diagnose)), diagnose)
    return sorted(set(problems))
