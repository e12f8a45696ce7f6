# SPDX-License-Identifier: MIT
"""What is wrong with an entry and has one right answer: values that YAML takes for something else, dates, the order of the fields.

`firstfault check --fix` writes it; on a pull request the same lines are offered as suggestions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

from .load import DEEPEST, PARSER, parse
from .schema import definition, schema

DATE = re.compile(r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?:[T ].*)?")
FIELD = re.compile(r"(?P<name>[a-z_]+):(?:\s|$)")


def fixed(text: str, file: str) -> str:
    """Give the text of an entry with everything mechanical put right; a file that cannot be read stays as it is."""
    text = text.replace("\r\n", "\n")
    text = re.sub(r"(?<=\S)[ \t]+$", "", text, flags=re.MULTILINE) if not _has_folded_blanks(text) else text
    text = text.rstrip("\n") + "\n" if text.strip() else text
    try:
        text = _quoted(text)
    except (yaml.YAMLError, RecursionError, UnicodeError):
        return text
    return _ordered(text, file)


def _has_folded_blanks(text: str) -> bool:
    """Whether blanks at a line's end may be a part of a log that is sampled to the letter."""
    return bool(re.search(r": *\|[-+0-9]*\s*$", text, re.MULTILINE))


def scalars(text: str) -> Iterator[tuple[list[str | int], Any]]:
    """Yield (path, event) of every value of a document."""
    events = yaml.parse(text, Loader=PARSER)
    for event in events:
        if isinstance(event, yaml.MappingStartEvent):
            yield from _mapping(events, [])
            return


def _mapping(events: Iterator[Any], path: list[str | int]) -> Iterator[tuple[list[str | int], Any]]:
    while not isinstance(key := next(events), yaml.MappingEndEvent):
        yield from _value(next(events), events, [*path, str(getattr(key, "value", ""))])


def _value(event: Any, events: Iterator[Any], path: list[str | int]) -> Iterator[tuple[list[str | int], Any]]:
    if len(path) > DEEPEST:
        raise RecursionError
    if isinstance(event, yaml.MappingStartEvent):
        yield from _mapping(events, path)
    elif isinstance(event, yaml.SequenceStartEvent):
        place = 0
        while not isinstance(item := next(events), yaml.SequenceEndEvent):
            yield from _value(item, events, [*path, place])
            place += 1
    elif isinstance(event, yaml.ScalarEvent):
        yield path, event


def _quoted(text: str) -> str:
    """Quote what the schema wants as text and YAML would take for a number, a date or a yes; write dates in one form."""
    changes = []
    for path, event in scalars(text):
        field = definition(path)
        is_date = path[-1] in ("created", "updated") and len(path) == 1
        value = event.value
        if is_date and (found := DATE.fullmatch(value)):
            value = f"{found['year']}-{int(found['month']):02}-{int(found['day']):02}"
        plain = not event.style and event.implicit[0]
        misread = plain and value and (field.get("type") == "string" or "enum" in field) and _misread(value)
        if misread or value != event.value:
            changes.append((event.start_mark.index, event.end_mark.index, f'"{value}"'))
    for start, end, value in reversed(changes):
        text = text[:start] + value + text[end:]
    return text


def _misread(value: str) -> bool:
    """Whether YAML, read by its own rules or by other programs' rules, takes plain text for something else."""
    entry, problems = parse(f"a: {value}\n".encode(), "")
    return bool(problems) or not entry or not isinstance(entry.data.get("a"), str)


def _ordered(text: str, file: str) -> str:
    """Put the fields into the schema's order, comments with the field below them; only when nothing else changes by it."""
    before, _ = parse(text.encode(), file)
    head, blocks = _blocks(text)
    place = {name: number for number, name in enumerate(schema()["properties"])}
    if not before or any(name not in place for name, _ in blocks):
        return text
    ordered = head + "".join(block for _, block in sorted(blocks, key=lambda item: place[item[0]]))
    after, _ = parse(ordered.encode(), file)
    return ordered if after and after.data == before.data else text


def _blocks(text: str) -> tuple[str, list[tuple[str, str]]]:
    """Split a file into what stands above its first field, and its fields; a comment further down belongs to the field below it."""
    head, waiting, blocks = "", "", []
    for line in text.splitlines(keepends=True):
        if found := FIELD.match(line):
            if not blocks:
                head, waiting = waiting, ""
            blocks.append((found["name"], waiting + line))
            waiting = ""
        elif line.startswith("#"):
            waiting += line
        elif blocks:
            name, block = blocks[-1]
            blocks[-1] = (name, block + waiting + line)
            waiting = ""
        else:
            waiting += line
    if blocks and waiting:
        blocks[-1] = (blocks[-1][0], blocks[-1][1] + waiting)
    return head, blocks
