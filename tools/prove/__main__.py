# SPDX-License-Identifier: MIT
"""`make prove`: judge every signal that is new or changed, write proofs/results.json, print what was found.

What cannot be searched in this run (offline, no clone) keeps its earlier verdict while wordings and emitter are the same.
"""
from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from hooks.compiling import usable
from hooks.load import load_folder

from .judge import VERDICTS, Verdict, judge, key
from .packages import ROOT, Store
from .sources import Clones

#: each signal by name with its entry's references; each verdict by the signal's name
Signals = dict[str, tuple[dict[str, Any], list[dict[str, Any]]]]
Results = dict[str, dict[str, Any]]
RESULTS = ROOT / "proofs" / "results.json"


def read(path: Path = RESULTS) -> Results:
    """Read the committed result: one record for each `entry/signal`."""
    return dict(json.loads(path.read_text("utf-8"))["signals"]) if path.exists() else {}


def dumps(signals: Results) -> str:
    """Write it so that a change of one signal is a change of one line."""
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(signals[name], sort_keys=True, ensure_ascii=False)}" for name in sorted(signals))
    return f'{{"signals": {{\n{lines}\n}}}}\n'


def record(verdict: Verdict, fingerprint: str) -> dict[str, Any]:
    """Keep of a verdict what says something."""
    kept = {"key": fingerprint, "status": verdict.status, "where": verdict.where, "file": verdict.file, "why": verdict.why}
    if verdict.status == "proven":
        kept["wordings"] = f"{len(verdict.found)}/{verdict.of}"
    return {name: value for name, value in kept.items() if value}


def signals_of(entries: list[Any]) -> Signals:
    """Give every signal by name, with its entry's references."""
    return {
        f"{entry.id}/{signal['id']}": (signal, entry.data.get("references", []))
        for entry in entries if entry.data.get("status") != "retired" for signal in entry.data.get("signals", [])
    }


def prove(wanted: Signals, earlier: Results, store: Store, clones: Clones, everything: bool) -> Results:
    """Judge what is new or changed (or everything); one package after the other, so that each is read once."""
    results = {}
    order = sorted(wanted, key=lambda name: (str((wanted[name][0].get("emitter") or {}).get("package", "")), name))
    for name in order:
        signal, references = wanted[name]
        fingerprint = key(signal)
        old = earlier.get(name)
        same = old is not None and old["key"] == fingerprint
        if same and old is not None and not everything and old["status"] == "proven":
            results[name] = old
            continue
        new = record(judge(signal, references, store, clones), fingerprint)
        unsearched = new["status"] in ("cited", "reported", "missing")
        results[name] = old if same and unsearched and old is not None and old["status"] == "proven" else new
    return results


def summary(results: Results) -> str:
    """Count the verdicts."""
    counts = Counter(result["status"] for result in results.values())
    total = len(results) or 1
    parts = [f"{counts[status]} {status} ({100 * counts[status] / total:.1f} %)" for status in VERDICTS]
    wordings = [tuple(map(int, result["wordings"].split("/"))) for result in results.values() if "wordings" in result]
    hits, of = (sum(pair[place] for pair in wordings) for place in (0, 1))
    return f"{len(results)} signals: {', '.join(parts)}; {hits} of {of} wordings of proven signals found"


def main(arguments: list[str] | None = None) -> int:
    """Prove, write, print; exit 1 when a signal is missing its evidence or has drifted."""
    parser = argparse.ArgumentParser(prog="python -m tools.prove", description="Search every signal's text in the software that is said to print it.")
    parser.add_argument("words", nargs="*", help="judge anew only entries whose id holds one of these (the others keep their result)")
    parser.add_argument("--all", action="store_true", help="judge everything anew, not only what is new or changed")
    parser.add_argument("--offline", action="store_true", help="download nothing")
    parser.add_argument("--clones", type=Path, help="a folder of git clones, to search sources at their commits")
    parser.add_argument("--list", action="store_true", help="print every signal, not only those with a problem")
    options = parser.parse_args(arguments)
    entries, problems = usable(load_folder(ROOT / "entries", ROOT)[0])
    for problem in problems:
        print(f"left out: {problem}", file=sys.stderr)
    everything, earlier = signals_of(entries), read()
    chosen = {name: value for name, value in everything.items() if not options.words or any(word in name for word in options.words)}
    results = prove(chosen, earlier, Store(offline=options.offline), Clones(options.clones), options.all or bool(options.words))
    broken = {problem.file.rpartition("/")[2].removesuffix(".yaml") for problem in problems}
    known = {*everything, *(name for name in earlier if name.partition("/")[0] in broken)}
    merged = {name: results.get(name) or earlier[name] for name in known if name in results or name in earlier}
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(dumps(merged), encoding="utf-8", newline="\n")
    for name in sorted(results):
        result = results[name]
        if options.list or result["status"] in ("drifted", "missing") or (result["status"] == "reported" and result.get("why")):
            print(f"{result['status']:9} {name}  {result.get('where', '')} {result.get('why', '')}".rstrip())
    print(summary(merged))
    return 1 if any(result["status"] in ("drifted", "missing") for result in merged.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
