# SPDX-License-Identifier: MIT
"""`make bench-search`: prints the shares, sizes and times, and writes proofs/search.json and proofs/search.md."""
from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from hooks import searchfiles
from hooks.compiling import usable
from hooks.load import ENTRIES, load_folder
from tests.searchbench import measure
from tests.searchbench.queries import all_queries
from tools import kept

MANY = 3_000
TOP = """\
# Search

Queries of `tests/searchbench`: decisive lines of the labelled logs and of the entries' samples with the numbers, paths, ranks, hosts
and prefixes of another run, whole and cut (60 % of the decisive part left), tracebacks, plain words with and without a typing error,
names and Xid numbers. The ranking was tuned on one half; the other half was only counted. `make bench-search` measures it again.

"""


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(prog="python -m tests.searchbench", description="Measure the search.")
    parser.add_argument("--missed", action="store_true", help="list the queries whose first answer is not right (of the half that may be tuned on)")
    options = parser.parse_args(arguments)
    loaded, _ = usable(load_folder(ENTRIES, measure.ROOT)[0])
    entries = {entry.id: entry.data for entry in loaded if entry.data["status"] != "retired"}
    queries = all_queries(entries)
    index = measure.index_of(entries.values())
    # The site's ranking; tests/test_searchbench.py holds the command line's to the same answers.
    with tempfile.TemporaryDirectory() as name:
        given = [answer["ids"] for answer in measure.answers_in_javascript(index, [query.text for query in queries], Path(name))]
    found = measure.shares(queries, given)
    grown = measure.index_of(measure.grown(entries, MANY))
    sizes = {str(len(entries)): size(index, queries), str(MANY): size(grown, queries)}
    result = {"entries": len(entries), "shares": {name: share._asdict() for name, share in found.items()}, "sizes": sizes}
    text = table(found) + "\n" + costs(sizes)
    print(text)
    if options.missed:
        for query, ids in zip(queries, given, strict=True):
            if query.tuned and ids[:1] and ids[0] not in query.right:
                print(f"{query.kind} | {query.text[-160:]!r} | {', '.join(query.right)} | {', '.join(ids[:3])}")
    kept.keep("search", result, TOP + text)
    return 0


def size(index: dict[str, Any], queries: list[Any]) -> dict[str, Any]:
    """What an index weighs, and what queries transfer and take in JavaScript."""
    some = queries[::20]
    with tempfile.TemporaryDirectory() as name:
        given = measure.answers_in_javascript(index, [query.text for query in some], Path(name), sizes=True)
    pieces = searchfiles.files(index)
    scripts = sum(searchfiles.packed((measure.ASSETS / script).read_text("utf-8")) for script in measure.SCRIPTS)
    times = sorted(answer["ms"] for answer in given)
    weights = sorted(answer["bytes"] + scripts for answer in given)
    return {
        "pieces": len(pieces), "all_bytes": sum(searchfiles.packed(text) for text in pieces.values()), "script_bytes": scripts,
        "first_query_bytes": {"median": int(statistics.median(weights)), "most": weights[-1]},
        "first_query_pieces": {"median": int(statistics.median(answer["pieces"] for answer in given)), "most": max(answer["pieces"] for answer in given)},
        "milliseconds": {"median": round(statistics.median(times), 1), "p95": round(times[len(times) * 95 // 100], 1), "most": round(times[-1], 1)},
    }


def table(found: dict[str, measure.Share]) -> str:
    """The shares as Markdown."""
    rows = [(name, share.queries, f"{share.first:.1%}", f"{share.three:.1%}", share.empty) for name, share in found.items()]
    return kept.table(("queries", "how many", "right first", "in the first three", "no answer"), rows)


def costs(sizes: dict[str, dict[str, Any]]) -> str:
    """Sizes and times as Markdown."""
    rows = [(
        count, f"{one['all_bytes'] / 1000:.0f} kB in {one['pieces']} files", f"{one['first_query_bytes']['median'] / 1000:.0f} / {one['first_query_bytes']['most'] / 1000:.0f} kB",
        f"{one['first_query_pieces']['median']} / {one['first_query_pieces']['most']}", f"{one['milliseconds']['median']} / {one['milliseconds']['p95']} / {one['milliseconds']['most']} ms",
    ) for count, one in sizes.items()]
    return "Compressed sizes; what is transferred before the first answer includes the scripts; times are of JavaScript once the pieces are there.\n\n" + kept.table(
        ("entries", "index", "before the first answer, median / most", "files of the index fetched", "a query, median / 95 % / most"), rows)


if __name__ == "__main__":
    sys.exit(main())
