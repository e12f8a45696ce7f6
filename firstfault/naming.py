# SPDX-License-Identifier: MIT
"""Ranks that only the names of files tell: one file per rank, a torchrun log tree, Slurm's `%t`.

Contents come first.  The folder number of a torchrun tree is the *local* rank; the global rank follows where another
file of the same tree says both.
"""
from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from .lazy import Pattern

_TREE = Pattern(r"^(?P<tree>.*)/attempt_\d{1,4}/(?P<local>\d{1,4})/(?:stdout|stderr)\.log(?:\.gz)?$")
_RANK = Pattern(r"(?<![a-zA-Z])(?:global[_-]?)?rank[_.-]?(?P<rank>\d{1,6})(?!\d)", re.IGNORECASE)
_FOLDER = Pattern(r"(?:global[_-]?)?rank[_.-]?\d{1,6}$", re.IGNORECASE)
_NUMBER = Pattern(r"\d+")


def local_rank(name: str) -> int | None:
    """The local rank of a file in a torchrun log tree."""
    found = _TREE.match(name.replace("\\", "/"))
    return int(found["local"]) if found else None


def ranks(names: Iterable[str], spoken: Mapping[str, set[int]]) -> dict[str, int]:
    """The global rank of each file that has one; ``spoken`` holds the ranks that its own lines name."""
    names = [name.replace("\\", "/") for name in names]
    found = {name: next(iter(spoken[name])) for name in names if len(spoken.get(name, ())) == 1}
    _from_trees(names, found)
    shared = _shared(names)
    for name in names:
        told = _RANK.search(name.rpartition("/")[2]) or _RANK.search(name[shared:])
        if name not in found and told and not spoken.get(name):
            found[name] = int(told["rank"])
    _from_series(names, found, spoken)
    return found


def _shared(names: list[str]) -> int:
    """How much of the names is one folder that holds them all: a run may be called after a rank, and only a folder with no other word in its name is one's own."""
    folders = names[0].split("/")[:-1] if names else []
    count = 0
    while count < len(folders) and all(name.split("/")[:-1][count:count + 1] == [folders[count]] for name in names) and not _FOLDER.match(folders[count]):
        count += 1
    return sum(len(folder) + 1 for folder in folders[:count])


def _from_trees(names: list[str], found: dict[str, int]) -> None:
    """Local ranks of torchrun trees, shifted by what is known of the same tree, else by the trees before it."""
    trees: dict[str, dict[str, int]] = defaultdict(dict)
    for name in names:
        match = _TREE.match(name)
        if match:
            trees[match["tree"]][name] = int(match["local"])
    first = 0
    for files in trees.values():
        shifts = {found[name] - local for name, local in files.items() if name in found}
        shift = shifts.pop() if len(shifts) == 1 else first
        for name, local in files.items():
            found.setdefault(name, local + shift)
        first = shift + max(files.values()) + 1


def _from_series(names: list[str], found: dict[str, int], spoken: Mapping[str, set[int]]) -> None:
    """Names alike but for one number that counts from 0: the number is the task, taken for the rank."""
    groups: dict[str, dict[str, list[int]]] = defaultdict(dict)
    for name in names:
        if not _TREE.match(name):
            groups[_NUMBER.sub("#", name)][name] = [int(number[:9]) for number in _NUMBER.findall(name)]
    for files in groups.values():
        columns = list(zip(*files.values(), strict=True))
        moving = [column for column in columns if len(set(column)) > 1]
        if len(files) > 1 and len(moving) == 1 and sorted(moving[0]) == list(range(len(files))):
            at = columns.index(moving[0])
            if any(found.get(name, numbers[at]) != numbers[at] for name, numbers in files.items()):
                continue  # what the files themselves say contradicts their numbers
            for name, numbers in files.items():
                if not spoken.get(name):
                    found[name] = numbers[at]
