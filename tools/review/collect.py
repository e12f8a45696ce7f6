# SPDX-License-Identifier: MIT
"""Collects the suggestions for a pull request: ``python -m tools.review.collect BASE OUT.json [BENCH.txt]``."""

from __future__ import annotations

import argparse
import difflib
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hooks.fixes import fixed

HUNK = re.compile(r"^@@ -\S+ \+(?P<first>\d+)(?:,(?P<count>\d+))? @@", re.MULTILINE)


def changed_lines(diff: str) -> set[int]:
    """Give the numbers of a file's lines that a diff without context adds or changes."""
    lines: set[int] = set()
    for hunk in HUNK.finditer(diff):
        first, count = int(hunk["first"]), int(hunk["count"] or 1)
        lines.update(range(first, first + count))
    return lines


def suggestions(file: str, text: str, changed: set[int]) -> Iterator[dict[str, Any]]:
    """Yield the fixes of a file that lie within its changed lines; only there the code host takes suggestions."""
    before, after = text.splitlines(), fixed(text, file).splitlines()
    parts = [part for part in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes() if part[0] != "equal"]
    gone, new = ({line for part in parts for line in lines[part[at]:part[at + 1]]} for lines, at in ((before, 1), (after, 3)))
    if gone & new or any(part[0] != "replace" for part in parts):  # lines moved: half of a move would break the file
        (_, first, _, there, _), (_, _, last, _, until) = parts[0], parts[-1]
        pieces = [(max(first - 1, 0), last, max(there - 1, 0), until)]
    else:
        pieces = list(single_lines(parts))
    for first, last, there, until in pieces:
        if set(range(first + 1, last + 1)) <= changed:
            yield {"file": file, "first": first + 1, "last": last, "text": "\n".join(after[there:until])}


def single_lines(parts: list[tuple[str, int, int, int, int]]) -> Iterator[tuple[int, int, int, int]]:
    """Take replaced lines one by one where each has its counterpart: each can be accepted alone."""
    for _kind, first, last, there, until in parts:
        if last - first == until - there:
            yield from ((first + step, first + step + 1, there + step, there + step + 1) for step in range(last - first))
        else:
            yield first, last, there, until


def main(arguments: list[str] | None = None) -> None:
    """Write what `post` reads."""
    parser = argparse.ArgumentParser(prog="python -m tools.review.collect", description="Collect suggestions for the changed lines of entries.")
    parser.add_argument("base", help="the commit to compare with")
    parser.add_argument("out", type=Path)
    parser.add_argument("bench", type=Path, nargs="?", help="what `firstfault bench --compare` printed")
    options = parser.parse_args(arguments)
    names = git("diff", "--name-only", "--diff-filter=AM", "-z", f"{options.base}...HEAD", "--", "entries").split("\0")
    found = []
    for name in sorted(name for name in names if name.endswith(".yaml")):
        changed = changed_lines(git("diff", "--unified=0", f"{options.base}...HEAD", "--", name))
        found += suggestions(name, Path(name).read_text("utf-8", errors="surrogateescape"), changed)
    bench = options.bench.read_text("utf-8", errors="replace") if options.bench else ""
    options.out.write_text(json.dumps({"suggestions": found, "bench": bench}), encoding="utf-8")
    print(f"{len(found)} suggestions")


def git(*words: str) -> str:
    """Ask git."""
    return subprocess.run(["git", *words], capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    main()
