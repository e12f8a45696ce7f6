# SPDX-License-Identifier: MIT
"""`explain` shows every section of every entry, in every format, and what it prints can be copied."""

import json
import re
from typing import Any

import pytest

from firstfault import entries
from firstfault.explain import FORMATS, listing, render
from firstfault.terminal import visible

TEXTS = entries.load()


def squeezed(text: str) -> str:
    """Text without layout and Markdown marks, to look for prose in."""
    return re.sub(r"[\s`*>|-]+", "", text).lower()


def prose(value: Any) -> list[str]:
    """Every text of a field, links and verbatim blocks aside."""
    if isinstance(value, dict):
        return [text for key, item in value.items() if key not in MACHINE for text in prose(item)]
    if isinstance(value, list):
        return [text for item in value for text in prose(item)]
    return [value] if isinstance(value, str) and not LINK.search(value) else []


#: A link of Markdown; code that indexes and calls (`kernel[grid](x, y)`) is none.
LINK = re.compile(r"\]\([\w#./:?=&%-]+\)")


MACHINE = ("id", "type", "kind", "language", "destructive", "root", "rerun", "slows")
SHOWN = (
    "title signature summary first_step about mechanism timeline observe symptoms affects confirm fix verify stacks with_fix notes not_proof false_positives "
    "cancelled_by decision related root_cause faq unhide collect harmless_when harmful_when wordings code references"
).split()


@pytest.mark.parametrize("id_", TEXTS)
@pytest.mark.parametrize("form", ["text", "markdown"])
def test_every_section_of_every_entry_is_shown(id_: str, form: str) -> None:
    told = squeezed(render(TEXTS[id_], form, width=90))
    for field in SHOWN:
        for text in prose(TEXTS[id_].get(field)):
            assert squeezed(text) in told, (field, text)


@pytest.mark.parametrize("id_", TEXTS)
def test_json_is_the_entry_itself(id_: str) -> None:
    assert json.loads(render(TEXTS[id_], "json")) == TEXTS[id_]


@pytest.mark.parametrize("id_", TEXTS)
def test_prose_fits_and_commands_stay_whole(id_: str) -> None:
    told = render(TEXTS[id_], "text", width=80).split("\n")
    verbatim = {visible(line).strip() for text in prose(TEXTS[id_]) for line in text.split("\n")}
    long = [line for line in told if len(line) > 80 and line.strip() not in verbatim and " " in line.strip().removeprefix("- ")]
    assert long == []
    verify = TEXTS[id_].get("verify")
    assert verify is None or all(line.strip() in map(str.strip, told) for line in verify["command"].strip().split("\n"))


def test_a_draft_with_only_its_core_is_shown() -> None:
    core = {"id": "some-entry", "kind": "failure", "status": "draft", "title": "Some entry", "signature": "boom", "family": "silent", "layer": "process",
            "summary": "It breaks.", "first_step": "Look.", "references": [{"kind": "docs", "title": "Doc", "url": "https://example.org/"}], "samples": []}
    for form in FORMATS:
        assert "boom" in render(core, form)
    assert "draft" in render(core, "text")


def test_hidden_characters_of_an_entry_are_spelled_out() -> None:
    entry = dict(TEXTS["cuda-out-of-memory"], summary="a\u202eb\x1b[31mc")
    assert "a\\u202eb\\x1b[31mc" in render(entry, "text")


@pytest.mark.parametrize("form", FORMATS)
def test_the_list_names_every_entry(form: str) -> None:
    told = listing(TEXTS, form)
    assert all(re.search(rf"(?<![\w-]){id_}(?![\w-])", told) for id_ in TEXTS)
