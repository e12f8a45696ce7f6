# SPDX-License-Identifier: MIT
"""The checks' own validator says what the usual one says, of every entry, every reject and of entries damaged at random."""
from __future__ import annotations

import copy
import random
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from hooks.load import load_folder, parse
from hooks.rules import broken, unknown_keywords
from hooks.schema import schema
from tests.site_server import ROOT

ODD = (None, True, False, 0, 1, -1, 10**9, "", "x", "a\nb", "A" * 700, [], ["x", "x"], [1, True], {}, {"id": 1}, {"do": "it"}, [{}], [[]])
USUAL = Draft202012Validator(schema())


def ours(data: Any) -> set[tuple[str, tuple[str | int, ...]]]:
    """(rule, path) of what the own validator refuses."""
    return {(found.rule, found.path) for found in broken(data, schema())}


def usual(data: Any) -> set[tuple[str, tuple[str | int, ...]]]:
    """The same of the usual one."""
    return {(str(error.validator), tuple(error.absolute_path)) for error in USUAL.iter_errors(data)}


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) of nested data."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [place for key in keys for place in ((value, key), *places(value[key]))]


def damaged(entry: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """A copy with one to three values replaced, removed, doubled or renamed."""
    data = copy.deepcopy(entry)
    for _ in range(chance.randint(1, 3)):
        container, key = chance.choice(places(data))
        act = chance.randrange(4)
        if act == 0:
            container[key] = copy.deepcopy(chance.choice(ODD))
        elif act == 1:
            del container[key]
        elif isinstance(container, dict):
            container[f"{key}x"] = container.pop(key) if act == 2 else copy.deepcopy(container[key])
        else:
            container.append(copy.deepcopy(container[key]))
        if not data:
            break
    return data


def test_both_accept_every_entry() -> None:
    entries, _ = load_folder(ROOT / "entries", ROOT)
    assert len(entries) > 300
    assert [entry.file for entry in entries if ours(entry.data)] == []
    assert [entry.file for entry in entries[::20] if usual(entry.data)] == []


@pytest.mark.parametrize("path", sorted((ROOT / "tests" / "rejects").glob("*.yaml")), ids=lambda path: path.stem)
def test_both_refuse_the_same_of_a_reject(path: Path) -> None:
    entry, _ = parse(path.read_bytes(), path.name)
    if entry:
        assert ours(entry.data) == usual(entry.data)


def test_both_refuse_the_same_of_damaged_entries() -> None:
    chance = random.Random(4)  # noqa: S311 - not cryptography
    entries, _ = load_folder(ROOT / "entries" / "slurm", ROOT)
    refused = 0
    for _ in range(150):
        data = damaged(chance.choice(entries).data, chance)
        found = ours(data)
        assert found == usual(data), data
        refused += bool(found)
    assert refused > 75


@pytest.mark.parametrize("value", ODD)
def test_anything_may_stand_in_place_of_an_entry(value: object) -> None:
    assert ours(value) == usual(value)


def test_a_rule_that_nobody_checks_is_named() -> None:
    assert unknown_keywords(schema()) == set()
    assert unknown_keywords({"properties": {"a": {"items": {"format": "date"}}}, "allOf": [{"if": {"not": {}}}]}) == {"format", "not"}
