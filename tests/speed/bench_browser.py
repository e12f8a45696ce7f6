# SPDX-License-Identifier: MIT
"""`make bench-browser`: how long a reader waits for the first verdict, what that downloads, and how a large log fares.

Serves the built site on loopback and opens it in headless Chromium: with an empty profile (cold), and again with what the
first visit left in the cache (warm). Writes proofs/browser.json and proofs/browser.md with --keep.
"""
from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import BrowserContext, Page, sync_playwright

from tests import browser_binary, site_server
from tests.speed import logs
from tools import kept

ROOT = site_server.ROOT
BUILD = ROOT / "build" / "speed"
PROOF = "browser"
LOG = ROOT / "tests" / "cases" / "pytorch-distributed" / "39-one-rank-gpu-oom-others-time-out.log"
PATIENCE = 600_000
#: what must be reached: name in the result, words, limit, whether more is better
GOALS = (
    ("cold", "first verdict, empty profile, ms from the click", 1500, False),
    ("warm", "first verdict, second visit, ms from the click", 800, False),
    ("gzip", "engine with its scripts, bytes with gzip", 5_200_000, False),
    ("rate", "log A of 100 MB, MB/s", 80, True),
    ("gap", "longest gap of the page meanwhile, ms", 50, False),
    ("heap", "WebAssembly memory after a log of 1 GB, MB", 80, False),
)
# The clock starts at the click; the verdict is there when its heading is in the page.
FIRST = """async (text) => {
  document.getElementById("ff-text").value = text;
  const seen = new Promise((resolve) => new MutationObserver((_, observer) => {
    if (document.querySelector("#ff-verdict")) { observer.disconnect(); resolve(performance.now()); }
  }).observe(document.body, { subtree: true, childList: true }));
  const clicked = performance.now();
  document.querySelector(".ff-intake [type=submit]").click();
  const shown = await seen;
  return { click: shown - clicked, navigation: shown };
}"""
# A page that answers has no timer that comes late.
GAPS = """() => {
  window.gap = 0;
  let last = performance.now();
  setInterval(() => { const now = performance.now(); window.gap = Math.max(window.gap, now - last); last = now; }, 4);
}"""
# Whether the line under the form has come to these words, or the verdict is there already.
SAYS = "words => document.querySelector('#ff-verdict') || document.querySelector('.ff-status__words')?.textContent.startsWith(words)"
# Keeps hold of the memory that the first Python of a worker computes in, so that its size can be read.
MEMORY = """const { instantiate } = WebAssembly;
WebAssembly.instantiate = async (...given) => {
  const made = await instantiate(...given);
  self.heap ??= (made.instance ?? made).exports.memory;
  return made;
};
"""
# Waits until the visit has left behind what the next one starts from; says whether it has.
SETTLED = """async (patience) => {
  const until = performance.now() + patience;
  while (performance.now() < until) {
    for (const name of await caches.keys()) {
      const kept = (await (await caches.open(name)).keys()).map(({ url }) => url);
      if (["/manifest.json", "/memory.snapshot"].every((end) => kept.some((url) => url.endsWith(end)))) return true;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}"""


@contextmanager
def profile(playwright: Any, service_workers: Any = "allow") -> Iterator[BrowserContext]:
    """A browser that was never used."""
    with tempfile.TemporaryDirectory() as folder:
        context = playwright.chromium.launch_persistent_context(folder, executable_path=browser_binary.ensure(), args=browser_binary.flags(), headless=True, service_workers=service_workers)
        context.set_default_timeout(PATIENCE)
        yield context
        context.close()


def opened(context: BrowserContext, address: str) -> Page:
    """The page, ready to take a log."""
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("#ff-text")
    return page


def first_verdict(context: BrowserContext, address: str, woken: bool = False) -> dict[str, float]:
    """Milliseconds from the click, and from the navigation, to the first verdict on a new page, which is left when it has nothing more to do."""
    page = opened(context, address)
    if woken:
        page.focus("#ff-text")
        page.wait_for_selector("text=Engine ready")
    times = page.evaluate(FIRST, LOG.read_text(encoding="utf-8"))
    assert page.evaluate(SETTLED, PATIENCE), "the visit left no copy and no memory behind"
    page.close()
    return dict(times)


def starts(playwright: Any, address: str, rounds: int) -> dict[str, float]:
    """Medians of the ways to the first verdict."""
    found: dict[str, list[float]] = {name: [] for name in ("cold", "warm", "cold_navigation", "warm_navigation", "woken")}
    for _ in range(rounds):
        with profile(playwright) as context:
            for visit in ("cold", "warm"):
                times = first_verdict(context, address)
                found[visit].append(times["click"])
                found[f"{visit}_navigation"].append(times["navigation"])
            found["woken"].append(first_verdict(context, address, woken=True)["click"])
    return {name: round(median(times)) for name, times in found.items()}


def read_log(context: BrowserContext, address: str, log: Path) -> dict[str, float]:
    """Seconds and the longest gap of the page while one log is read by a running engine, and the engine's memory behind it."""
    context.route("**/worker.js", lambda route: route.fulfill(content_type="text/javascript", body=MEMORY + route.fetch().text()))
    page = opened(context, address)
    page.focus("#ff-text")
    page.wait_for_selector("text=Engine ready")
    page.evaluate(GAPS)
    started = page.evaluate("performance.now()")
    page.set_input_files("#ff-files", log)
    page.wait_for_function(SAYS, arg="Reading ")
    page.evaluate("window.gap = 0")
    page.wait_for_function(SAYS, arg="Read. ")
    gap = page.evaluate("window.gap")
    page.wait_for_selector("#ff-verdict")
    seconds = (page.evaluate("performance.now()") - started) / 1000
    (worker,) = [worker for worker in page.workers if worker.url.startswith("blob:")]
    heap = worker.evaluate("self.heap ? self.heap.buffer.byteLength : 0")
    page.close()
    return {"seconds": seconds, "gap": gap, "heap": heap / 1e6}


def large(playwright: Any, address: str, rounds: int, gigabyte: bool) -> dict[str, float]:
    """Throughput, gaps and memory."""
    log = BUILD / "A100.log"
    logs.write("A", 100, log)
    with profile(playwright, "block") as context:  # a service worker would answer before `read_log` can
        runs = [read_log(context, address, log) for _ in range(rounds)]
        found = {"rate": round(log.stat().st_size / 1e6 / median(run["seconds"] for run in runs)), "gap": round(median(run["gap"] for run in runs))}
        if gigabyte:
            tenfold = BUILD / "A1000.log"
            if not tenfold.exists():
                with tenfold.open("wb") as out:
                    for _ in range(10):
                        out.write(log.read_bytes())
            heap = round(read_log(context, address, tenfold)["heap"])
            if heap:  # no memory was seen: then there is no figure
                found["heap"] = heap
    return found


def download(site: Path) -> dict[str, int]:
    """Bytes of the engine's files and scripts, as they are and as a host sends them."""
    runtime = site / "assets" / "runtime"
    manifest = json.loads((runtime / "manifest.json").read_text(encoding="utf-8"))
    later = {file["name"] for file in manifest.get("later", [])}
    files = [path.read_bytes() for path in (runtime / manifest["folder"]).iterdir() if path.name not in later]
    return {"raw": sum(map(len, files)), "gzip": sum(min(len(data), len(gzip.compress(data, 9))) for data in files)}


def table(result: dict[str, Any], last: dict[str, Any]) -> str:
    """The result as people read it, beside the last one."""
    rows = "".join(
        f"| {words} | {result[name]:,} | {'at least' if more else 'at most'} {limit:,} | {last.get(name, '-')} |\n" for name, words, limit, more in GOALS if name in result
    )
    return (
        "# How fast the browser is\n\n`make bench-browser` measures it on your machine: headless Chromium, site and browser on one machine, "
        f"medians of {result['rounds']} rounds.\n\n| what | measured | goal | last |\n| --- | --- | --- | --- |\n{rows}\n"
        f"From the navigation the first verdict takes {result['cold_navigation']:,} ms (cold) and {result['warm_navigation']:,} ms (warm). "
        f"The second visit comes when the first has kept its copy and its memory. "
        f"The engine starts when the reader comes near the form; once it runs, a verdict on the same log takes {result['woken']:,} ms. "
        f"Uncompressed, the engine has {result['raw']:,} bytes. Other work on the machine while this was measured: {result['load']} processes on {result['cores']} cores.\n"
    )


def missed(result: dict[str, Any]) -> list[str]:
    """The goals that are not reached."""
    return [f"{words}: {result[name]:,}, the goal is {limit:,}" for name, words, limit, more in GOALS if name in result and (result[name] < limit if more else result[name] > limit)]


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, compare, keep."""
    parser = argparse.ArgumentParser(prog="python -m tests.speed.bench_browser", description="Measure the engine in Chromium.")
    parser.add_argument("--site", type=Path, help="a built site (default: build it)")
    parser.add_argument("--rounds", type=int, default=5, help="how often each way is gone (default: 5)")
    parser.add_argument("--no-gigabyte", action="store_true", help="leave out the log of 1 GB")
    parser.add_argument("--keep", action="store_true", help=f"write proofs/{PROOF}.json and the table beside it, to be committed")
    parser.add_argument("--strict", action="store_true", help="exit 1 when a goal is missed")
    options = parser.parse_args(arguments)
    BUILD.mkdir(parents=True, exist_ok=True)
    site = options.site or site_server.build(BUILD / "site")
    load = round(os.getloadavg()[0], 1)
    with site_server.serve(site) as address, sync_playwright() as playwright:
        browser_binary.prepare_driver()
        result: dict[str, Any] = {"rounds": options.rounds, "load": load, "cores": os.cpu_count(), **download(site)}
        result |= starts(playwright, address, options.rounds)
        result |= large(playwright, address, max(1, options.rounds // 2), not options.no_gigabyte)
    last = kept.last(PROOF)
    print(table(result, last))
    failures = missed(result)
    for failure in failures:
        print(f"bench-browser: missed: {failure}")
    if options.keep:
        kept.keep(PROOF, result, table(result, last))
    return 1 if options.strict and failures else 0


if __name__ == "__main__":
    sys.exit(main())
