# SPDX-License-Identifier: MIT
"""For everybody: no serious finding of axe, both colour schemes, a narrow screen, no JavaScript."""
from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.desk import OOM, UNKNOWN, WRAPPER, Desk
from tests.site_server import ROOT

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"


def findings(page: Page) -> list[str]:
    """Serious and critical findings, each with the first node it is about."""
    page.evaluate(AXE.read_text(encoding="utf-8"))  # by the debugger's door: the page's policy allows no injected script
    found = page.evaluate("axe.run({resultTypes: ['violations']}).then((all) => all.violations)")
    return [f"{one['id']}: {one['help']} ({one['nodes'][0]['html'][:160]})" for one in found if one["impact"] in ("serious", "critical")]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(chromium: Browser, site_url: str, scheme: str) -> None:
    context = chromium.new_context(color_scheme=scheme, reduced_motion="reduce")
    page = context.new_page()
    desk = Desk(page, f"{site_url}cuda-out-of-memory/")
    assert findings(page) == []
    page.goto(site_url)
    page.wait_for_selector(".ff-sample")
    assert findings(page) == []
    for log in (OOM.read_text(), WRAPPER, UNKNOWN):
        desk.type(log)
        page.evaluate("document.querySelectorAll('#ff-result details').forEach((fold) => { fold.open = true; })")
        assert findings(page) == []
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_scheme_follows_the_system(chromium: Browser, site_url: str, scheme: str) -> None:
    context = chromium.new_context(color_scheme=scheme)
    page = context.new_page()
    page.goto(site_url)
    page.wait_for_selector("#ff-text")
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number).reduce((a, b) => a + b)")
    assert (colour > 600) == (scheme == "light")
    context.close()


@pytest.mark.parametrize("width", [320, 390])
def test_phone_shows_all_without_sideways_scrolling(chromium: Browser, site_url: str, width: int) -> None:
    context = chromium.new_context(viewport={"width": width, "height": 800}, has_touch=True, is_mobile=True)
    page = context.new_page()
    desk = Desk(page, site_url)
    left, right = page.evaluate("(({ left, right }) => [left, right])(document.querySelector('.pg-hero h1').getBoundingClientRect())")
    assert left >= 8
    assert right <= width - 8
    desk.type(OOM.read_text())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()


@pytest.mark.parametrize("path", ["", "cuda-out-of-memory/", "entries/"])
def test_pages_are_readable_without_javascript(chromium: Browser, site_url: str, path: str) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site_url + path)
    assert len(page.inner_text("main")) > 500
    if path != "entries/":
        assert "firstfault diagnose" in page.inner_text("noscript >> nth=-1") or "firstfault diagnose" in page.inner_text("main")
    context.close()


def test_verdict_is_announced(home: Desk) -> None:
    home.type(OOM.read_text())
    assert home.page.inner_text("#ff-live").startswith("Done. Rank 2")
    assert home.page.get_attribute("#ff-live", "aria-live") == "polite"
