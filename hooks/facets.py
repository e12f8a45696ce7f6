# SPDX-License-Identifier: MIT
"""What entries can be browsed by: a facet gives each entry the values under which it is found."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from .entry import Entry
from .pieces import BEHAVIOURS, LAYERS, ROLES, family_name, role
from .shelf import Shelf
from .versions import PRODUCTS, covered, releases

#: groups of the many ways in which entries say who can change it, tried in this order
OWNERS = (
    ("cluster", "Who runs the cluster", r"operator|administrator|admin\b|network team|provider|vendor|nobody"),
    ("environment", "Who builds the environment", r"build|built|image|environment|install|container|card|toolchain"),
    ("code", "Who wrote the code or its configuration", r"author|wrote|writes|submits|starts|launch|chose|owner|owns|user|whoever"),
)
DOMAINS = {"user-code": "Training code", "framework": "Framework", "infrastructure": "Infrastructure", "hardware": "Hardware", "network": "Network", "storage": "Storage", "scheduler": "Scheduler"}
#: one name for what entries write in several ways
SAME = {
    "megatron-lm": "Megatron", "text-generation-inference": "TGI", "mpi programs": "MPI", "pytorch on rocm": "PyTorch", "vllm on rocm": "vLLM",
    "pytorch dcp": "PyTorch", "dcp": "PyTorch", "fsdp": "PyTorch", "ray train": "Ray"
}
LEAST_FRAMEWORK, MOST_RELEASES = 4, 14


@dataclass
class Facet:
    """One way to browse: its name in an address, its name for people, and the values that entries have."""

    key: str
    title: str
    names: dict[str, str]
    values: Callable[[Entry], list[str]]
    groups: dict[str, str] | None = None


def owner(entry: Entry) -> list[str]:
    """Give the group of who can change it."""
    words = str(entry.data.get("owner", "")).lower()
    return next(([key] for key, _, pattern in OWNERS if re.search(pattern, words)), [])


def frameworks(entries: list[Entry]) -> tuple[dict[str, str], Callable[[Entry], list[str]]]:
    """Give the frameworks that several entries name, and which of them an entry names."""

    def of(entry: Entry) -> list[str]:
        return list(dict.fromkeys(SAME.get(name.lower(), name) for name in entry.data.get("frameworks", [])))

    spelling = Counter(name for entry in entries for name in of(entry))
    best: dict[str, str] = {}
    for name, _ in reversed(spelling.most_common()):
        best[name.lower()] = name
    count = Counter(name.lower() for entry in entries for name in of(entry))
    names = {key.replace(" ", "-"): best[key] for key, times in count.most_common() if times >= LEAST_FRAMEWORK}
    return names, lambda entry: [key for name in of(entry) if (key := name.lower().replace(" ", "-")) in names]


def versions(entries: list[Entry]) -> Facet:
    """Browse by the releases that entries speak of."""
    known = {product: found[:MOST_RELEASES] for product, found in releases(entries).items()}
    names = {f"{product.lower()}-{major}.{minor}": f"{product} {major}.{minor}" for product, found in known.items() for major, minor in found}
    keys = {name: key for key, name in names.items()}
    groups = {key: product for product in PRODUCTS for key, name in names.items() if name.startswith(f"{product} ")}
    return Facet("version", "Version", names, lambda entry: [keys[name] for name in sorted(covered(entry, known))], groups)


def facets(shelf: Shelf) -> list[Facet]:
    """Give all facets in the order of the page."""
    entries = [entry for items in shelf.families.values() for entry in items]
    met, of = frameworks(entries)
    vendors = sorted({vendor for entry in entries for vendor in entry.data.get("vendors", [])} - {"any"})
    return [
        Facet("run", "The run", BEHAVIOURS, lambda e: [form for form in (e.data.get("behaviour"), *e.data.get("also_seen_as", [])) if form]),
        Facet("line", "The line is", {key: label for key, (_, label, _) in ROLES.items()}, lambda e: [role(e)]),
        Facet("family", "Family", {family: family_name(family) for family in shelf.families}, lambda e: [e.data["family"]]),
        Facet("layer", "Layer", {key: f"{key.capitalize()}: {meaning}" for key, meaning in LAYERS.items()}, lambda e: [e.data["layer"]]),
        Facet("domain", "Where to change it", DOMAINS, lambda e: [e.data["domain"]] if "domain" in e.data else []),
        Facet("owner", "Owner", {key: title for key, title, _ in OWNERS}, owner),
        Facet("framework", "Framework", met, of),
        Facet("vendor", "Vendor", {name.lower(): name for name in vendors}, lambda e: [v.lower() for v in e.data.get("vendors", []) if v != "any"]),
        versions(entries),
    ]
