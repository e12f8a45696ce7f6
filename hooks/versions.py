# SPDX-License-Identifier: MIT
"""Which releases of a product an entry speaks of, read from its own words: `torch 2.4 to 2.13`, `NCCL 2.20 and later`.

Entries name versions for people. For browsing, a span in those words is spread over the releases that the encyclopedia
mentions at all; words without a product's number say nothing about a release.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .entry import Entry

#: product as a facet names it, and how texts write it
PRODUCTS = {"torch": r"(?:torch|PyTorch)", "NCCL": "NCCL", "vLLM": "vLLM", "DeepSpeed": "DeepSpeed", "JAX": "(?:jax|jaxlib|JAX)", "Ray": "Ray", "Transformers": "(?:Transformers|transformers)"}
NUMBER = r"(\d+)(?:\.(\d+))?[\w.]*"
BOUND = "(?:before|up to|until|since|from)"
SPAN = {name: re.compile(rf"(?:({BOUND}) )?(?<![\w-]){form} (?:({BOUND}) )?{NUMBER}(?: (?:to|and) {NUMBER})?( and later)?") for name, form in PRODUCTS.items()}
#: in `affects` the product often stands in another field than the number
BARE = re.compile(rf"^()(?:({BOUND}) )?{NUMBER}(?: to {NUMBER})?( and later)?")

Release = tuple[int, int]


def spans(entry: Entry) -> Iterable[tuple[str, Release, Release]]:
    """Yield (product, first, last) of every span that an entry's wordings and systems name."""
    texts = [raw["where"] for raw in entry.data.get("wordings", [])]
    for raw in entry.data.get("affects", []):
        texts.append(f"{raw['what']}; {raw['versions']}")
        for name, form in PRODUCTS.items():
            if re.match(rf"{form}\b", raw["what"]) and (found := BARE.match(raw["versions"])):
                yield name, *bounds(found)
    for text in texts:
        for name, pattern in SPAN.items():
            for found in pattern.finditer(text):
                yield name, *bounds(found)


def bounds(found: re.Match[str]) -> tuple[Release, Release]:
    """Turn the words around one or two numbers into a first and a last release."""
    left, right, major, minor, major2, minor2, later = found.groups()
    word = left or right or ""
    first = (int(major), int(minor or 0))
    if major2:
        return first, (int(major2), int(minor2) if minor2 else 999)
    if word in ("before", "up to", "until"):
        return (0, 0), (first[0], first[1] - 1) if word == "before" else first
    if later or word in ("since", "from"):
        return first, (999, 999)
    return first, first if minor else (first[0], 999)


def releases(entries: Iterable[Entry]) -> dict[str, list[Release]]:
    """Give the releases of each product that any entry names, newest first."""
    named: dict[str, set[Release]] = {name: set() for name in PRODUCTS}
    for entry in entries:
        for name, *ends in spans(entry):
            named[name] |= {end for end in ends if end > (0, 0) and 999 not in end}
    return {name: sorted(found, reverse=True) for name, found in named.items()}


def covered(entry: Entry, known: dict[str, list[Release]]) -> set[str]:
    """Give the releases that an entry speaks of, as a facet writes them."""
    return {
        f"{name} {release[0]}.{release[1]}"
        for name, first, last in spans(entry)
        for release in known[name] if first <= release <= last
    }
