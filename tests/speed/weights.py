# SPDX-License-Identifier: MIT
"""What opening a page costs, seen in Chromium: bytes as a host would send them (gzip), requests, largest paint, layout shift."""
from __future__ import annotations

import gzip
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urlsplit

from tests.site_server import SUB_PATH

if TYPE_CHECKING:
    from playwright.sync_api import Browser

#: one of each type of page, by what it is called in the table
PAGES = {
    "first page (diagnosis)": "", "entry, longest": "", "entry, median": "", "entry of a harmless line": "", "family": "cuda-runtime/", "all entries": "entries/",
    "lines that hide the cause": "wrappers/", "glossary": "glossary/", "where your log goes": "where-your-log-goes/",
}
PAINT = """() => new Promise((resolve) => {
  const seen = { lcp: 0, cls: 0 };
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) seen.lcp = entry.startTime; }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) seen.cls += entry.value; }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(seen), 300);
})"""


class Weight(NamedTuple):
    """One page load with an empty cache."""

    bytes: int
    html: int
    requests: int
    lcp: float
    cls: float
    heaviest: str


def size(folder: Path, address: str) -> int:
    """Give the bytes of a file as a host sends them: text compressed, the rest as it is."""
    path = folder / unquote(urlsplit(address).path).removeprefix(SUB_PATH)
    path = path / "index.html" if path.is_dir() else path
    data = path.read_bytes() if path.is_file() else b""
    return len(data) if path.suffix in (".wasm", ".zip", ".png", ".gz") else len(gzip.compress(data, 6, mtime=0))


def weigh(chromium: Browser, folder: Path, base: str, address: str) -> Weight:
    """Open a page as on a first visit, wait until nothing more is asked for, and add up."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(base + address, wait_until="networkidle")
    paint = page.evaluate(PAINT)
    context.close()
    sizes = {url: size(folder, url) for url in asked if not url.startswith(("data:", "blob:"))}
    heaviest = max((url for url in sizes if url != base + address), key=lambda url: sizes[url], default="")
    return Weight(sum(sizes.values()), sizes[base + address], len(sizes), paint["lcp"], paint["cls"], heaviest.removeprefix(base))


def pages(folder: Path) -> dict[str, str]:
    """Give one address of each type of page; the entries by the size of their page."""
    entries = sorted((path.parent for path in folder.glob("*/index.html") if 'class="pg-first"' in path.read_text("utf-8")), key=lambda path: (path / "index.html").stat().st_size)
    harmless = [
        path for path in entries
        if 'class="pg-badge pg-benign"'
        in (path / "index.html").read_text("utf-8").partition("</header>")[0] + (path / "index.html").read_text("utf-8").partition("pg-facts")[2][:300]
    ]
    chosen = {"entry, longest": entries[-1], "entry, median": entries[len(entries) // 2], "entry of a harmless line": harmless[len(harmless) // 2]}
    return {name: f"{chosen[name].name}/" if name in chosen else address for name, address in PAGES.items()}
