# SPDX-License-Identifier: MIT
"""`firstfault diagnose` against ripgrep with the same literals: whole processes, one after the other, in one run.

Machines differ and are shared, so only ratios count: by the clock, of ripgrep's time to ours in the same round, the
median of all rounds; by processor time, of the least of each.  Prints the table beside the committed one, and with --keep writes it anew.
"""
from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from tools import kept

ROOT = Path(__file__).resolve().parent.parent.parent
HERE = ROOT / "tests" / "speed"
BUILD = ROOT / "build" / "speed"
PROOF = "speed"
#: Log, signals, ripgrep's time to ours that must be reached at least, and that is the goal.
ROWS = (("A100", 300, 0.8, 1.0), ("A100", 3000, 1.1, 1.3), ("U100", 300, 0.35, 0.6))
#: Throughput with 3,000 signals to that with 300, and resident megabytes for a gigabyte.
GROWTH, LARGEST = 0.9, 60


class Cost(NamedTuple):
    """What one process took: seconds by the clock, of the processor, and resident megabytes at most."""

    wall: float
    cpu: float
    rss: float


def run(command: Sequence[str], package: Path | None = None) -> Cost:
    """Run a process to its end; its output is thrown away, since a terminal would be measured."""
    # An installed package has its bytecode; without, compiling the sources would be measured.
    environment = {**os.environ, "PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": ""} if package else None
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    assert process.stderr is not None
    if os.waitstatus_to_exitcode(status) not in (0, 1 if package is None else 0):
        raise SystemExit(f"speed: {' '.join(command)} failed:\n{process.stderr.read().decode(errors='replace')}")
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def ours(log: Path, count: int) -> Cost:
    """One diagnosis with a database of so many signals."""
    return run([sys.executable, "-P", "-m", "firstfault", "diagnose", "--format", "json", str(log)], BUILD / str(count))


def theirs(log: Path, count: int) -> Cost:
    """One search of ripgrep for the longest literal of every wording of the same database."""
    return run(["rg", "-a", "-n", "-F", "-f", str(BUILD / str(count) / "literals.txt"), str(log)])


def measure(name: str, count: int, rounds: int) -> dict[str, Any]:
    """Both, taken by turns."""
    log = BUILD / f"{name}.log"
    ours(log, count)  # bytecode and page cache
    pairs = [(theirs(log, count), ours(log, count)) for _ in range(rounds)]
    return {
        "log": name, "signals": count, "wall": round(median(rg.wall / ff.wall for rg, ff in pairs), 2), "cpu": round(least([rg for rg, _ in pairs]) / least([ff for _, ff in pairs]), 2),
        "seconds": round(least([ff for _, ff in pairs]), 2), "ripgrep": round(least([rg for rg, _ in pairs]), 2), "rss": round(max(ff.rss for _, ff in pairs)),
    }


def growth(rounds: int) -> dict[str, Any]:
    """Throughput with 3,000 signals, to that with 300."""
    log = BUILD / "A100.log"
    pairs = [(ours(log, 300), ours(log, 3000)) for _ in range(rounds)]
    return {"wall": round(median(few.wall / many.wall for few, many in pairs), 2), "cpu": round(least([few for few, _ in pairs]) / least([many for _, many in pairs]), 2)}


def least(costs: Sequence[Cost]) -> float:
    """The least processor time: what else runs on the machine only adds to it."""
    return min(cost.cpu for cost in costs)


def prepare(large: bool) -> None:
    """Logs, packages with databases of both sizes, and ripgrep's lists of literals, all below build/speed."""
    for name in ("A", "U"):
        print(f"speed: log {name} of 100 MB below {BUILD.relative_to(ROOT)} (made once)", file=sys.stderr)
        script("logs.py", name, "100", str(BUILD / f"{name}100.log"))
    if large and not (BUILD / "A1000.log").exists():
        with (BUILD / "A1000.new").open("wb") as out:
            for _ in range(10):
                with (BUILD / "A100.log").open("rb") as data:
                    shutil.copyfileobj(data, out)
        (BUILD / "A1000.new").rename(BUILD / "A1000.log")
    for count in (300, 3000):
        script("signals.py", str(count), str(BUILD / str(count)))


def script(name: str, *arguments: str) -> None:
    """Run one of the scripts beside this one by itself: a child's memory is counted from its parent's, so this process stays small."""
    subprocess.run([sys.executable, str(HERE / name), *arguments], env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True)


def table(result: dict[str, Any], last: dict[str, Any]) -> str:
    """The result as people read it, beside the last one."""
    before = {(row["log"], row["signals"]): row for row in last.get("rows", [])}
    lines = [f"{'log':6}{'signals':>8}{'to ripgrep':>12}{'by cpu':>8}{'last':>7}{'floor':>7}{'goal':>6}{'our s':>8}{'rg s':>7}{'MB':>5}"]
    for row, (_, _, floor, goal) in zip(result["rows"], ROWS, strict=True):
        known = before.get((row["log"], row["signals"]), {}).get("cpu", "-")
        lines.append(f"{row['log']:6}{row['signals']:>8}{row['wall']:>12}{row['cpu']:>8}{known:>7}{floor:>7}{goal:>6}{row['seconds']:>8}{row['ripgrep']:>7}{row['rss']:>5}")
    lines.append(f"3,000 signals keep {result['growth']['cpu']} of the throughput of 300 (floor {GROWTH}, last {last.get('growth', {}).get('cpu', '-')})")
    if result.get("gigabyte"):
        row = result["gigabyte"]
        lines.append(f"1 GB: {row['rss']} MB resident (at most {LARGEST}, last {last.get('gigabyte', {}).get('rss', '-')}), {row['cpu']} of ripgrep by cpu")
    return "\n".join(lines)


def markdown(result: dict[str, Any]) -> str:
    """The table for the repository."""
    lines = [
        "# Speed", "",
        "Throughput of `firstfault diagnose --format json` as a multiple of that of `rg -a -n -F -f literals` (ripgrep) on the same log, whole processes,",
        "taken by turns in one run: by the clock the median of the rounds, by processor time the least of each. Log A repeats itself as training logs do, "
        "log U has a quarter of distinct lines, both are made by",
        "`tests/speed/logs.py`. `make bench` measures this on your machine and shows the difference.", "",
        "| log | signals | by the clock | by processor time | floor | goal | resident MB |", "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    lines += [f"| {row['log']} | {row['signals']} | {row['wall']} | {row['cpu']} | {floor} | {goal} | {row['rss']} |" for row, (_, _, floor, goal) in zip(result["rows"], ROWS, strict=True)]
    if result.get("gigabyte"):
        row = result["gigabyte"]
        lines.append(f"| A1000 (1 GB) | {row['signals']} | {row['wall']} | {row['cpu']} | | | {row['rss']} (at most {LARGEST}) |")
    lines += ["", f"With 3,000 signals the throughput is {result['growth']['cpu']} of that with 300 (floor {GROWTH})."]
    return "\n".join(lines) + "\n"


def missed(result: dict[str, Any]) -> list[str]:
    """The floors that are not reached; the better of clock and processor time counts, since others share the machine."""
    found = [f"{row['log']} with {row['signals']} signals: {max(row['wall'], row['cpu'])} of ripgrep, at least {floor}"
             for row, (_, _, floor, _) in zip(result["rows"], ROWS, strict=True) if max(row["wall"], row["cpu"]) < floor]
    if max(result["growth"].values()) < GROWTH:
        found.append(f"3,000 signals keep {max(result['growth'].values())}, at least {GROWTH}")
    if result.get("gigabyte", {}).get("rss", 0) > LARGEST:
        found.append(f"1 GB takes {result['gigabyte']['rss']} MB, at most {LARGEST}")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, compare, keep."""
    parser = argparse.ArgumentParser(prog="python -m tests.speed.measure", description="Measure firstfault against ripgrep.")
    parser.add_argument("--rounds", type=int, default=7, help="how often each pair is run (default: 7)")
    parser.add_argument("--no-gigabyte", action="store_true", help="leave out the log of 1 GB")
    parser.add_argument("--keep", action="store_true", help=f"write proofs/{PROOF}.json and the table beside it, to be committed")
    parser.add_argument("--strict", action="store_true", help="exit 1 when a floor is missed")
    options = parser.parse_args(arguments)
    if shutil.which("rg") is None:
        print("speed: not measured: ripgrep, whose speed is the measure, is not installed (Debian and Ubuntu: `apt install ripgrep`)", file=sys.stderr)
        return 1 if options.strict else 0
    prepare(not options.no_gigabyte)
    last = kept.last(PROOF)
    result: dict[str, Any] = {"rows": [measure(name, count, options.rounds) for name, count, _, _ in ROWS], "growth": growth(options.rounds)}
    if not options.no_gigabyte:
        result["gigabyte"] = measure("A1000", 300, 1)
    print(table(result, last))
    failures = missed(result)
    for failure in failures:
        print(f"speed: below the floor: {failure}")
    if options.keep:
        kept.keep(PROOF, result, markdown(result))
    return 1 if options.strict and failures else 0


if __name__ == "__main__":
    sys.exit(main())
