# SPDX-License-Identifier: MIT
"""Which fields of an entry are prose, by the schema itself, and what stands in them outside of code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from .entry import Entry
from .schema import schema

CODE = re.compile(r"^(```|~~~).*?^\1[^\n]*$|^(?: {4}|\t)[^\n]*$|(`+)(?!`).+?(?<!`)\2(?!`)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[(?P<text>[^\]\n]*)\]\((?P<target>[^)\n]*)\)")
ENTRY_LINK = re.compile(r"(?P<id>[a-z0-9]+(?:-[a-z0-9]+)*)/?(?:#(?P<anchor>[a-z0-9-]+))?")
WORDS = ("prose", "bullets")


def blank_code(text: str) -> str:
    """Replace code by blanks, so that what is left is prose and offsets stay."""
    return CODE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def prose(entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield (path, text) of every prose field."""
    yield from _fields(entry.data, schema(), "")


def _fields(value: Any, part: dict[str, Any], path: str) -> Iterator[tuple[str, str]]:
    """Walk data and schema together; text counts as prose where the schema says `prose`."""
    name = part.get("$ref", "").rpartition("/")[2]
    if name == "prose" and isinstance(value, str):
        yield path, value
        return
    if name:
        part = {**schema()["$defs"][name], **part}
    if isinstance(value, dict):
        for key, item in value.items():
            if isinstance(found := part.get("properties", {}).get(key), dict):
                yield from _fields(item, found, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and isinstance(part.get("items"), dict):
        for number, item in enumerate(value):
            yield from _fields(item, part["items"], f"{path}[{number}]")


def links(text: str) -> Iterator[tuple[str, str]]:
    """Yield (whole link, target) of the links in prose."""
    for match in LINK.finditer(blank_code(text)):
        yield match.group(), match.group("target").strip()


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a prose text."""
    for part in re.split(r"(?<=[.!?:;])\s+(?=[A-Z`*\[(])|\n\s*\n|\n\s*(?:[-*]|\d+\.)\s+", text):
        if part and part.strip():
            yield part.strip()
