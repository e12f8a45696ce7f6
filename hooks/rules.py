# SPDX-License-Identifier: MIT
"""The part of JSON Schema that the entry's schema uses, in plain Python.

`firstfault check` runs in a terminal and, while somebody drafts an entry, in the browser; the usual validator needs
compiled code that the browser has not. A test holds this one to the usual one's answers, and a keyword that is not
known here is refused, so that the schema cannot grow a rule that nobody checks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

SILENT = frozenset(("$schema", "$id", "$defs", "title", "description", "x-help", "then"))
TYPES: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
}


class Broken(NamedTuple):
    """One rule that a value breaks: which, what it allows, where, and the part of the schema that holds it."""

    rule: str
    limit: Any
    value: Any
    part: dict[str, Any]
    path: tuple[str | int, ...]
    #: the field that `required` misses
    missing: str = ""
    #: whether the rule holds only for some entries (`if` ... `then`)
    conditional: bool = False


def broken(value: Any, schema: dict[str, Any]) -> Iterator[Broken]:
    """Yield every rule of a schema that a value breaks."""
    yield from _part(value, schema, schema, ())


def unknown_keywords(schema: Any) -> set[str]:
    """Give the keywords of a schema that this module does not know."""
    found: set[str] = set()
    parts = [schema]
    while parts:
        part = parts.pop()
        found |= part.keys() - SILENT - RULES.keys() - {"$ref", "if"}
        parts += [*part.get("properties", {}).values(), *part.get("$defs", {}).values(), *part.get("allOf", []), *part.get("anyOf", [])]
        parts += [part[key] for key in ("items", "if", "then") if key in part]
    return found


def _part(value: Any, part: dict[str, Any], root: dict[str, Any], path: tuple[str | int, ...]) -> Iterator[Broken]:
    for keyword, limit in part.items():
        if keyword == "$ref":
            yield from _part(value, root["$defs"][limit.removeprefix("#/$defs/")], root, path)
        elif keyword == "if":
            if not any(_part(value, limit, root, path)):
                yield from (found._replace(conditional=True) for found in _part(value, part.get("then", {}), root, path))
        elif keyword not in SILENT:
            yield from RULES[keyword](value, part, root, path)


def _simple(keyword: str, kind: type, fails: Callable[[Any, Any], bool]) -> Callable[..., Iterator[Broken]]:
    """A rule that looks at one value of one type."""
    def rule(value: Any, part: dict[str, Any], _root: dict[str, Any], path: tuple[str | int, ...]) -> Iterator[Broken]:
        if isinstance(value, kind) and not (kind is int and isinstance(value, bool)) and fails(value, part[keyword]):
            yield Broken(keyword, part[keyword], value, part, path)
    return rule


def _same(one: Any, other: Any) -> bool:
    """Equal as JSON: 1 is not true."""
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def _repeats(items: list[Any], wanted: bool) -> bool:
    return wanted and any(_same(one, other) for place, one in enumerate(items) for other in items[:place])


def _type(value: Any, part: dict[str, Any], _root: dict[str, Any], path: tuple[str | int, ...]) -> Iterator[Broken]:
    names = part["type"] if isinstance(part["type"], list) else [part["type"]]
    if not any(TYPES[name](value) for name in names):
        yield Broken("type", part["type"], value, part, path)


def _required(value: Any, part: dict[str, Any], _root: dict[str, Any], path: tuple[str | int, ...]) -> Iterator[Broken]:
    for name in part["required"] if isinstance(value, dict) else ():
        if name not in value:
            yield Broken("required", part["required"], value, part, path, missing=name)


def _closed(value: Any, part: dict[str, Any], _root: dict[str, Any], path: tuple[str | int, ...]) -> Iterator[Broken]:
    if isinstance(value, dict) and part["additionalProperties"] is False and value.keys() - part.get("properties", {}).keys():
        yield Broken("additionalProperties", False, value, part, path)


def _properties(value: Any, part: dict[str, Any], root: dict[str, Any], path: tuple[str | int, ...]) -> Iterator[Broken]:
    for name, inner in part["properties"].items() if isinstance(value, dict) else ():
        if name in value:
            yield from _part(value[name], inner, root, (*path, name))


def _items(value: Any, part: dict[str, Any], root: dict[str, Any], path: tuple[str | int, ...]) -> Iterator[Broken]:
    for place, item in enumerate(value) if isinstance(value, list) else ():
        yield from _part(item, part["items"], root, (*path, place))


def _all_of(value: Any, part: dict[str, Any], root: dict[str, Any], path: tuple[str | int, ...]) -> Iterator[Broken]:
    for inner in part["allOf"]:
        yield from _part(value, inner, root, path)


def _any_of(value: Any, part: dict[str, Any], root: dict[str, Any], path: tuple[str | int, ...]) -> Iterator[Broken]:
    if all(any(_part(value, inner, root, path)) for inner in part["anyOf"]):
        yield Broken("anyOf", part["anyOf"], value, part, path)


def _choice(keyword: str) -> Callable[..., Iterator[Broken]]:
    def rule(value: Any, part: dict[str, Any], _root: dict[str, Any], path: tuple[str | int, ...]) -> Iterator[Broken]:
        allowed = part["enum"] if keyword == "enum" else [part["const"]]
        if not any(_same(value, choice) for choice in allowed):
            yield Broken(keyword, part[keyword], value, part, path)
    return rule


RULES: dict[str, Callable[..., Iterator[Broken]]] = {
    "type": _type, "required": _required, "additionalProperties": _closed, "properties": _properties, "items": _items,
    "allOf": _all_of, "anyOf": _any_of, "enum": _choice("enum"), "const": _choice("const"),
    "pattern": _simple("pattern", str, lambda value, limit: not re.search(limit, value)),
    "minLength": _simple("minLength", str, lambda value, limit: len(value) < limit),
    "maxLength": _simple("maxLength", str, lambda value, limit: len(value) > limit),
    "minItems": _simple("minItems", list, lambda value, limit: len(value) < limit),
    "maxItems": _simple("maxItems", list, lambda value, limit: len(value) > limit),
    "uniqueItems": _simple("uniqueItems", list, _repeats),
    "minimum": _simple("minimum", int, lambda value, limit: value < limit),
    "maximum": _simple("maximum", int, lambda value, limit: value > limit),
}
