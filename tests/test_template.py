# SPDX-License-Identifier: MIT
"""The entry that contributors copy is valid as it stands, and valid as a stable one when all its fields are taken."""
from __future__ import annotations

import re
from pathlib import Path

from hooks.load import parse
from hooks.problems import Problem
from hooks.schema import schema, schema_problems
from hooks.validate import validate

TEMPLATE = Path(__file__).parent.parent / "schema" / "template.yaml"
TEXT = TEMPLATE.read_text("utf-8")


def filled() -> str:
    """The template with every optional line taken and every explanation dropped."""
    lines = [line for line in TEXT.split("\n") if not line.startswith("#:")]
    return "\n".join(re.sub(r"^# (?!SPDX)", "", line) for line in lines)


def problems_of(text: str, file: str) -> list[Problem]:
    """All problems of one entry by itself, its sample and near miss taken through the engine."""
    entry, problems = parse(text.encode(), file)
    return validate([entry] if entry else [], problems, diagnose=True)


def test_the_template_is_a_valid_draft() -> None:
    """A contributor starts from a file that `make check` has nothing to say about."""
    assert problems_of(TEXT, "schema/template.yaml") == []


def test_a_copy_under_another_name_is_valid() -> None:
    """Copy, rename, change the id: the three steps of the contributors' guide."""
    copied = TEXT.replace("id: template", "id: shards-run-out", 1)
    assert problems_of(copied, "entries/data-loading/shards-run-out.yaml") == []
    said = [str(problem) for problem in problems_of(TEXT, "entries/data-loading/shards-run-out.yaml")]
    assert any("write `id: shards-run-out`" in line for line in said)


def test_all_fields_taken_make_a_stable_entry() -> None:
    """What the schema asks of a stable failure stands in the template, in the form that the schema wants."""
    entry, problems = parse(filled().replace("status: draft", "status: stable", 1).encode(), "schema/template.yaml")
    assert problems == []
    assert entry is not None
    assert list(schema_problems(entry)) == []
    asked = next(clause["then"]["required"] for clause in schema()["allOf"] if clause["if"]["properties"]["kind"]["const"] == "failure")
    assert set(asked) <= set(entry.data)


def test_each_field_is_explained_or_shown_once() -> None:
    """No field stands twice, neither taken nor offered."""
    names = re.findall(r"^(?:# )?([a-z_]+):", "\n".join(line for line in TEXT.split("\n") if not line.startswith("#:")), re.MULTILINE)
    assert sorted(names) == sorted(set(names))
    assert set(names) <= set(schema()["properties"])
