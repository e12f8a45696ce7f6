# SPDX-License-Identifier: MIT
"""Browsing: every entry is found under what it says of itself, and the numbers beside the values are right."""
from __future__ import annotations

import re

import pytest

from hooks.browse import all_entries
from hooks.edges import neighbours
from hooks.entry import Entry
from hooks.facets import facets
from hooks.load import ENTRIES, load_folder
from hooks.shelf import Shelf
from hooks.versions import covered, spans

KNOWN = {"torch": [(2, 13), (2, 6), (2, 4), (1, 13), (1, 9)], "NCCL": [(2, 20)], "vLLM": [], "DeepSpeed": [], "JAX": [], "Ray": [], "Transformers": []}


@pytest.fixture(scope="module")
def shelf() -> Shelf:
    """All entries."""
    entries, _ = load_folder(ENTRIES)
    return Shelf(entries, neighbours(entries))


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("torch 2.4 to 2.13", {"torch 2.4", "torch 2.6", "torch 2.13"}),
        ("torch 2.6 and later", {"torch 2.6", "torch 2.13"}),
        ("printed since torch 2.6", {"torch 2.6", "torch 2.13"}),
        ("torch before 2.0", {"torch 1.13", "torch 1.9"}),
        ("PyTorch 1.13", {"torch 1.13"}),
        ("NCCL 2.20 or so", {"NCCL 2.20"}),
        ("torchvision 2.4, at step 2.6", set()),
    ],
)
def test_spans_of_versions_are_read_as_a_person_reads_them(words: str, found: set[str]) -> None:
    """A number belongs to the product before it, and a span covers what lies in it."""
    entry = Entry("x.yaml", "x", {"wordings": [{"text": "x", "where": words}]})
    assert covered(entry, KNOWN) == found


def test_versions_of_a_system_stand_in_another_field() -> None:
    """`affects` names the product and the numbers apart."""
    entry = Entry("x.yaml", "x", {"affects": [{"what": "torch with NCCL", "versions": "2.2 and later"}]})
    assert list(spans(entry)) == [("torch", (2, 2), (999, 999))]


def test_the_table_has_every_entry_and_says_how_many_each_choice_gives(shelf: Shelf) -> None:
    """The codes of a row are the boxes of its values, and the counts are the rows with that code."""
    html = all_entries(shelf).html
    rows = [set(found.split()) for found in re.findall(r'<tr data-k="([\d ]*)">', html)]
    assert len(rows) == len(shelf.entries)
    boxes = re.findall(r'name="(\w+)" value="([^"]+)" data-n="(\d+)"><span>[^<]*</span> <b>(\d+)</b>', html)
    assert {name for name, *_ in boxes} == {"run", "line", "family", "layer", "domain", "owner", "framework", "vendor", "version"}
    for _name, _value, code, count in boxes:
        assert sum(code in row for row in rows) == int(count) > 0
    codes = [code for *_, code, _ in boxes]
    assert len(codes) == len(set(codes))


def test_facets_leave_no_entry_without_a_form_a_family_and_a_layer(shelf: Shelf) -> None:
    """Whoever looks by these finds everything; every value that an entry has is one that the facet names."""
    for facet in facets(shelf):
        for entry in shelf.entries.values():
            values = facet.values(entry)
            assert set(values) <= set(facet.names), (facet.key, entry.id)
            assert len(values) == len(set(values)), (facet.key, entry.id)
            assert values or facet.key not in {"run", "line", "family", "layer"}, (facet.key, entry.id)


def test_frameworks_have_one_name_each(shelf: Shelf) -> None:
    """Two spellings of one product are one value."""
    facet = next(facet for facet in facets(shelf) if facet.key == "framework")
    shown = [name.lower() for name in facet.names.values()]
    assert len(shown) == len(set(shown))
    assert {"PyTorch", "Accelerate", "DeepSpeed"} <= set(facet.names.values())
