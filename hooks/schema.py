# SPDX-License-Identifier: MIT
"""The schema's own sentences, turned into problems: it is the only definition of a field, so nothing can drift from it."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from .entry import Entry
from .problems import Problem
from .rules import Broken, broken, unknown_keywords

SCHEMA = Path(__file__).resolve().parent.parent / "schema" / "entry.schema.json"
NAMES = {"string": "text", "integer": "a whole number", "array": "a list", "object": "fields", "boolean": "true or false", "null": "nothing"}


@cache
def schema() -> dict[str, Any]:
    """Read the schema once."""
    read = json.loads(SCHEMA.read_text("utf-8"))
    if unknown := unknown_keywords(read):
        raise ValueError(f"{SCHEMA}: {', '.join(sorted(unknown))}: no such rule in hooks/rules.py; add it there, with its message here")
    return dict(read)


def resolve(part: dict[str, Any]) -> dict[str, Any]:
    """Follow a reference inside the schema; what stands beside it wins."""
    while "$ref" in part:
        target = schema()["$defs"][part["$ref"].rpartition("/")[2]]
        part = {**target, **{key: value for key, value in part.items() if key != "$ref"}}
    return part


def definition(path: list[str | int]) -> dict[str, Any]:
    """Find what the schema says of the field at an instance path."""
    part = resolve(schema())
    for step in path:
        found = part.get("items") if isinstance(step, int) else part.get("properties", {}).get(step)
        if not isinstance(found, dict):
            return {}
        part = resolve(found)
    return part


def dotted(path: list[str | int]) -> str:
    """Write an instance path as people do: `signals[0].match`."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else str(step)
    return text


def did_you_mean(word: str, known: list[str]) -> str:
    """Offer the nearest known word."""
    near = difflib.get_close_matches(word.lower(), known, 1, 0.6)
    return f"did you mean `{near[0]}`?" if near else ""


def short(value: Any) -> str:
    """Quote a value in a message without flooding the line."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = " ".join(text.split())
    return f"`{text[:57]}...`" if len(text) > 60 else f"`{text}`"


def said(field: dict[str, Any], otherwise: str) -> str:
    """Give the schema's help sentence for a field."""
    return str(field.get("x-help") or otherwise)


def sentence(text: str) -> str:
    """Give a description as the middle part of a message: its first sentence, without the full stop."""
    first = text.split(". ")[0].rstrip(".:, ")
    return first[:1].lower() + first[1:] if first[:2] != first[:2].upper() else first


def unknown_fields(entry: Entry, error: Broken, path: list[str | int]) -> Iterator[Problem]:
    """One problem per field that the schema does not have."""
    known = list(error.part.get("properties", {}))
    for name in error.value:
        if name in known:
            continue
        todo = did_you_mean(str(name), known) or f"the fields here are {', '.join(known[:12])}{'...' if len(known) > 12 else ''}"
        yield entry.problem(dotted([*path, name]), f"unknown field `{name}`", "the schema has no such field here", todo)


def missing_field(entry: Entry, error: Broken, path: list[str | int]) -> Iterator[Problem]:
    """A field that has to be there and is not."""
    name = error.missing
    field = definition([*path, name])
    why = f"a {entry.data.get('status')} {entry.kind or 'entry'} needs it" if error.conditional else "it is required"
    about = str(field.get("description") or "")
    todo = f"add it ({sentence(about)})" if about else "add it"
    yield entry.problem(dotted([*path, name]), f"`{name}` is missing", why, todo)


def wrong_type(entry: Entry, error: Broken, path: list[str | int]) -> Iterator[Problem]:
    """A number or nothing where text is wanted, a text where a list is wanted."""
    wanted = error.limit if isinstance(error.limit, list) else [error.limit]
    names = " or ".join(NAMES.get(name, name) for name in wanted)
    value = error.value
    if value is None:
        yield entry.problem(dotted(path), "no value", f"{names} is expected", said(definition(path), "fill it in or remove the field"))
    elif "string" in wanted and isinstance(value, bool | int):
        text = json.dumps(value)
        yield entry.problem(dotted(path), f"{text} is not text to YAML", f"{names} is expected", f'quote this: "{text}"')
    else:
        todo = "start each item with `- `" if "array" in wanted else said(definition(path), f"write {names}")
        yield entry.problem(dotted(path), f"{short(value)} is not {names}", f"{names} is expected", todo)


def other(entry: Entry, error: Broken, path: list[str | int]) -> Iterator[Problem]:
    """Everything else: enumerations, patterns, lengths, choices."""
    value, limit, field = error.value, error.limit, {**definition(path), **error.part}
    where = sentence(str(field.get("description", "")))
    help_text = said(field, where or "see the Entry format page")
    if value == "" and error.rule in ("minLength", "pattern"):  # one sentence for both: a draft's blank
        yield entry.problem(dotted(path), "nothing is written here yet", where or "a reader needs it", help_text)
        return
    if error.rule in ("enum", "const"):
        known = [str(item) for item in (limit if isinstance(limit, list) else [limit])]
        todo = did_you_mean(str(value), known) or (f"write one of {', '.join(known)}" if len(known) < 12 else help_text)
        yield entry.problem(dotted(path), f"{short(value)} is not a known value", where or "the choice is closed", todo)
        return
    reasons = {
        "pattern": ("has the wrong form", where or "the form is fixed"),
        "minLength": (f"is shorter than {limit} characters", "that says too little"),
        "maxLength": (f"has {len(value) if isinstance(value, str) else 0} characters", f"at most {limit} fit"),
        "minItems": ("has too few items", f"at least {limit} are expected"),
        "maxItems": ("has too many items", f"at most {limit} are allowed"),
        "uniqueItems": ("holds an item twice", "each item counts once"),
        "minimum": ("is too small", f"the least is {limit}"),
        "maximum": ("is too large", f"the most is {limit}"),
        "anyOf": ("leads nowhere", "one of two fields is needed"),
    }
    what, why = reasons.get(error.rule, (f"breaks the rule `{error.rule}`", "the schema says so"))
    yield entry.problem(dotted(path), f"{short(value)} {what}", why, help_text)


HANDLERS = {"additionalProperties": unknown_fields, "required": missing_field, "type": wrong_type}


def schema_problems(entry: Entry) -> list[Problem]:
    """Check one entry against the schema, once: several rooms ask."""
    if entry.schema_problems is None:
        entry.schema_problems = [
            problem
            for error in broken(entry.data, schema())
            for problem in HANDLERS.get(error.rule, other)(entry, error, list(error.path))
        ]
    return entry.schema_problems
