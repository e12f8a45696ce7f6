# SPDX-License-Identifier: MIT
"""Writes proofs/bench.json and proofs/bench.md: what the labelled logs say of the matcher and of each entry.

The pages, the API, the reports and the database take an entry's numbers from there. Times and versions stay out of it:
the files change only when a result does.
"""
from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from firstfault import bench, database
from hooks.compiling import compile_database, usable
from hooks.load import load_folder
from tools import kept

ROOT = Path(__file__).resolve().parent.parent
CASES = ROOT / "tests" / "cases"
PROOF = "bench"


def measure() -> dict[str, Any]:
    """Diagnose every labelled log with the entries as they stand."""
    entries, _problems = usable(load_folder(ROOT / "entries", ROOT)[0])
    report = bench.run(CASES, database.Database(compile_database(entries)))
    rows = {row.case: {"outcome": row.outcome, "entry": row.entry, "owner": row.owner, "rank_right": row.rank_right} for row in report.rows}
    return {"format": 1, "cases": len(rows), "totals": bench.totals(report.rows), "entries": bench.measured(report.rows), "rows": rows}


def table(result: dict[str, Any]) -> str:
    """Write the result for people."""
    total, entries = result["totals"], result["entries"]
    failures = total["failures"]

    def share(part: int, whole: int) -> str:
        return f"{part} of {whole} ({100 * part / whole:.1f} %)" if whole else "none"

    rows = [
        ("the right line is named", share(total["root"], failures)), ("a wrapper, consequence or other line is blamed", share(total["blamed"], failures)),
        ("a failure is seen, no line is named", share(total["abstained"], failures)), ("the failure goes unnoticed", share(total["silent"], failures)),
        ("the right rank, where the log tells it", share(total["rank_right"], total["rank_known"])),
        ("healthy logs left in peace", share(total["clean"], total["healthy"])), ("false alarms", share(total["false-alarm"], total["healthy"])),
        ("ended without a result", str(total["error"])),
        ("entries with a labelled log", str(len(entries))),
        ("entries that were right each time they were named", share(sum(e["right"] == e["given"] for e in entries.values() if e["given"]), sum(1 for e in entries.values() if e["given"]))),
    ]
    return (
        "# The matcher on the labelled logs\n\n"
        f"{result['cases']} logs with a judgement each ([tests/cases](../tests/cases/README.md)): {failures} failures, {total['healthy']} healthy runs. "
        "`make bench-cases` measures it again.\n\n"
        f"{kept.table(('on these logs', 'how many'), rows)}\n"
        "An entry's own numbers stand on its page, in its JSON and in the verdict: on how many logs it was named and right, and on how many of the logs whose first fault it is it was found. "
        "Logs are few per entry, so these are counts, not probabilities. The matcher is developed with these logs at hand: they show what it can do and that nothing got worse; "
        "on logs that nobody has looked at yet expect less, as [the logs that were new to it](first-sight.md) show.\n"
    )


def main(arguments: list[str] | None = None) -> int:
    """Measure, then write or compare."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench_cases", description="Measure the matcher on the labelled logs.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when the stored result is not what is measured now")
    options = parser.parse_args(arguments)
    result = measure()
    if options.check:
        same = kept.last(PROOF) == json.loads(kept.dumps(result))
        print("proofs/bench.json holds what was measured" if same else "proofs/bench.json is of other entries, cases or code: run `make bench-cases`")
        return 0 if same else 1
    text = table(result)
    kept.keep(PROOF, result, text)
    print(text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
