# SPDX-License-Identifier: MIT
"""`make bench-site`: what a page weighs, how long a page takes to build, and what grows when there are ten times as many entries.

Builds the site as it is and a checkout with 3,000 entries, opens one page of each type in Chromium, and compares the same
entries' pages in both. Writes proofs/site.json and proofs/site.md with --keep.
"""
from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from statistics import mean
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from tests import browser_binary, site_server
from tests.speed import entries, weights
from tools import kept

ROOT = entries.ROOT
BUILD = ROOT / "build" / "speed-site"
MANY = 3000
#: what the design promises
ENTRY_BYTES, GROWTH, MS_PER_PAGE = 250_000, 1.10, 40


def build(checkout: Path, site: Path) -> dict[str, float]:
    """Build a site; give pages, seconds by the clock and of the processor. Not strictly: variants of one entry share sentences, and are told so."""
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--clean", "--site-dir", str(site)]
    started = time.perf_counter()
    process = subprocess.Popen(command, cwd=checkout, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONDONTWRITEBYTECODE": "1"})
    assert process.stdout is not None
    said = process.stdout.read().decode(errors="replace")
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status):
        raise SystemExit(f"bench-site: {checkout} does not build:\n{said[-4000:]}")
    pages = sum(1 for path in site.rglob("index.html") if b'name="site-version"' in path.read_bytes() and b"http-equiv=\"refresh\"" not in path.read_bytes())
    return {"pages": pages, "seconds": round(time.perf_counter() - started, 1), "cpu": round(usage.ru_utime + usage.ru_stime, 1), "warnings": len(re.findall(r"^WARNING", said, re.MULTILINE))}


def weigh(browser: Browser, site: Path, like: dict[str, dict[str, Any]] | None = None) -> dict[str, dict[str, Any]]:
    """Open one page of each type, or the same pages as of another site."""
    chosen = {name: str(row["page"]) for name, row in like.items()} if like else weights.pages(site)
    with site_server.serve(site) as base:
        return {name: weights.weigh(browser, site, base, address)._asdict() | {"page": address} for name, address in chosen.items()}


def growth(few: Path, many: Path) -> dict[str, float]:
    """Compare the pages of the entries that both sites have."""
    shared = [path.name for path in few.iterdir() if (path / "index.html").is_file() and b'class="pg-first"' in (path / "index.html").read_bytes() and (many / path.name / "index.html").is_file()]
    sizes = [((few / name / "index.html").stat().st_size, (many / name / "index.html").stat().st_size) for name in shared]
    return {
        "entries": len(shared), "few": round(mean(size for size, _ in sizes)), "many": round(mean(size for _, size in sizes)),
        "ratio": round(mean(b / a for a, b in sizes), 3), "worst": round(max(b / a for a, b in sizes), 3)
    }


def measure(folder: Path) -> dict[str, Any]:
    """Measure everything."""
    few, many = folder / "real", folder / f"site-{MANY}"
    checkout = entries.checkout(folder / f"checkout-{MANY}", MANY)
    load = os.getloadavg()[0]
    result: dict[str, Any] = {"cores": os.cpu_count(), "load": round(load, 1), "build": {"as it is": build(ROOT, few), f"{MANY:,} entries": build(checkout, many)}}
    with sync_playwright() as playwright:
        browser_binary.prepare_driver()
        browser = playwright.chromium.launch(executable_path=browser_binary.ensure(), args=browser_binary.flags())
        result["pages"] = weigh(browser, few)
        result["grown"] = weigh(browser, many, result["pages"])
        browser.close()
    result["growth"] = growth(few, many)
    return result


def table(result: dict[str, Any]) -> str:
    """Write the result for people."""
    pages = [
        (name, f"{row['bytes'] / 1000:.0f}", f"{row['html'] / 1000:.0f}", row["requests"], f"{row['lcp']:.0f}", f"{row['cls']:.3f}") for name, row in result["pages"].items()]
    builds = [
        (name, row["pages"], f"{row['seconds']:.0f}", f"{1000 * row['seconds'] / row['pages']:.0f}", f"{1000 * row['cpu'] / row['pages']:.0f}") for name, row in result["build"].items()]
    grown = [(name, f"{row['bytes'] / 1000:.0f}", f"{result['grown'][name]['bytes'] / 1000:.0f}") for name, row in result["pages"].items()]
    same = result["growth"]
    busy = result["load"] > result["cores"] / 2
    shared = f" The machine was busy with other work (load {result['load']} on {result['cores']} cores), so the times are far above those of a quiet one." if busy else ""
    return (
        "# What a page weighs and how long it takes to build\n\n"
        "`make bench-site` measures it again: the site as it is, and a checkout with 3,000 entries (the real ones and variants of them, `tests/speed/entries.py`).\n\n"
        "Opened in headless Chromium with an empty cache, before the matcher or the search is asked for. Bytes are as a host sends them with gzip; "
        f"an entry page may weigh {ENTRY_BYTES // 1000} kB. `tests/browser/test_budgets.py` holds the budgets.{shared}\n\n"
        + kept.table(("page", "kB", "of it HTML", "requests", "largest paint, ms", "layout shift"), pages) +
        "\nBuilding, checks of every entry and its samples, the engine and the zip included:\n\n"
        + kept.table(("site", "pages", "seconds", "ms per page", "of the processor"), builds) +
        f"\nThe pages of the same {same['entries']} entries are {same['ratio']:.3f} times as large in the site with {MANY:,} entries (the worst {same['worst']:.3f}; at most {GROWTH:.2f}). "
        "What opening a page transfers, in kB:\n\n" + kept.table(("page", "as it is", f"{MANY:,} entries"), grown) +
        "\nLists hold their entries, so they grow; nothing else does.\n"
    )


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and keep when asked to."""
    parser = argparse.ArgumentParser(prog="python -m tests.speed.bench_site", description="Measure page weights and build time.")
    parser.add_argument("--keep", action="store_true", help="write proofs/site.json and proofs/site.md")
    options = parser.parse_args(arguments)
    BUILD.mkdir(parents=True, exist_ok=True)
    result = measure(BUILD)
    print(table(result))
    if options.keep:
        kept.keep("site", result, table(result))
    entry = max(row["bytes"] for name, row in result["pages"].items() if name.startswith("entry"))
    return 0 if entry <= ENTRY_BYTES and result["growth"]["worst"] <= GROWTH else 1


if __name__ == "__main__":
    raise SystemExit(main())
