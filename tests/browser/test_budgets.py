# SPDX-License-Identifier: MIT
"""Budgets of a page before the matcher is asked for, measured in Chromium; times depend on the machine and stand in `make bench-site`."""
from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.speed import weights

#: bytes (gzip), requests: an entry page by the promise of the site, the lists by what they hold
BUDGETS = {"first page (diagnosis)": (250_000, 45), "entry, longest": (250_000, 45), "entry, median": (250_000, 45), "entry of a harmless line": (250_000, 45), "all entries": (300_000, 45)}
SHIFT = 0.1


@pytest.fixture(scope="module")
def pages(site_dir: Path) -> dict[str, str]:
    """One address of each type of page."""
    return weights.pages(site_dir)


@pytest.mark.parametrize("name", weights.PAGES)
def test_page_stays_within_its_budget(chromium: Browser, site_dir: Path, site_url: str, pages: dict[str, str], name: str) -> None:
    weight = weights.weigh(chromium, site_dir, site_url, pages[name])
    bytes_allowed, requests_allowed = BUDGETS.get(name, (250_000, 45))
    assert weight.bytes <= bytes_allowed, weight
    assert weight.requests <= requests_allowed, weight
    assert weight.cls <= SHIFT, weight
    assert weight.lcp > 0, "nothing was painted"


def test_no_page_asks_for_the_engine_or_an_index_by_itself(page: Page, site_url: str) -> None:
    """Neither the engine, nor the search, nor the list of all pages is fetched before a reader asks."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(site_url)))
    for address in ("", "cuda-out-of-memory/", "entries/", "cuda-memory/"):
        page.goto(site_url + address, wait_until="networkidle")
    assert [url for url in asked if re.search(r"runtime/|search.*\.json|sitemap|offline-pages|api/", url)] == []


def test_side_list_does_not_grow_with_the_entries(site_dir: Path) -> None:
    """The list beside a page holds families, never entries, and the open one is marked."""
    html = (site_dir / "cuda-out-of-memory" / "index.html").read_text("utf-8")
    aside = html.partition('data-md-type="navigation"')[2].partition('data-md-type="toc"')[0]
    links = re.findall(r'<li class="md-nav__item([^"]*)">\s*<a href="([^"]+)"', aside)
    assert 20 < len(links) < 60
    assert [href for style, href in links if "active" in style] == ["../cuda-memory/"]
