# SPDX-License-Identifier: MIT
"""The memory that an engine leaves for the next start: made once, of no log, used at the next visit, and never trusted."""
from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.desk import HEALTHY, OOM, PATIENCE, Desk

CANARY = "canary-6e21fa"
HEARD = "addEventListener('firstfault-engine-ready', ({ detail }) => { window.kept = detail.kept; })"
# What is kept, if anything is, after CHANGE was done to it: (bytes, headers) => the bytes to keep instead.
KEPT = """async () => {
  const change = CHANGE;
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      if (!request.url.endsWith("/memory.snapshot")) continue;
      const response = await cache.match(request);
      const bytes = new Uint8Array(await response.arrayBuffer());
      const headers = new Headers(response.headers);
      if (change) await cache.put(request, new Response(await change(bytes, headers), { headers }));
      return [bytes.length, [...headers.keys()].join()];
    }
  }
  return null;
}"""
HASH = "headers.set('x-firstfault-sha256', Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)), (byte) => byte.toString(16).padStart(2, '0')).join(''))"
DAMAGE = {
    "a byte changed": "async (bytes) => { bytes[bytes.length >> 1] ^= 1; return bytes; }",
    "cut": "async (bytes) => bytes.slice(0, bytes.length >> 1)",
    "empty": "async () => new Uint8Array(0)",
    "of another browser": "async (bytes, headers) => { headers.set('x-firstfault-browser', 'Another/1.0'); return bytes; }",
    "something else, signed": f"async (bytes, headers) => {{ bytes.fill(0, 8); {HASH}; return bytes; }}",
    "a memory that does not run, signed": f"async (bytes, headers) => {{ bytes.fill(0, bytes.length >> 1); {HASH}; return bytes; }}",
}


@pytest.fixture(scope="module")
def context(chromium: Browser) -> Iterator[BrowserContext]:
    """A reader whose browser keeps a copy of the site."""
    found = chromium.new_context(service_workers="allow")
    found.set_default_timeout(PATIENCE)
    yield found
    found.close()


def visit(context: BrowserContext, address: str) -> Desk:
    """A page that tells how its engine was started."""
    desk = Desk(context.new_page(), address)
    desk.page.evaluate(HEARD)
    return desk.wake()


def look(page: Page, change: str = "null") -> list | None:
    """What is kept: its length and headers; changed, if that is asked for."""
    return page.evaluate(KEPT.replace("CHANGE", change))


def wait(page: Page) -> list:
    """Wait until a memory is kept."""
    for _ in range(PATIENCE // 250):
        if found := look(page):
            return found
        page.wait_for_timeout(250)
    pytest.fail("no memory was kept")


@pytest.fixture(scope="module")
def kept(context: BrowserContext, site_url: str) -> str:
    """The address of a site whose engine has run here; what it said of a log."""
    desk = visit(context, site_url)
    desk.type(OOM.read_text().replace("train-0-w-0", CANARY))
    assert desk.page.evaluate("window.kept") is False, "nothing was kept before the first visit"
    wait(desk.page)
    desk.page.close()
    return site_url


def test_memory_is_used_and_the_verdict_is_the_same(context: BrowserContext, kept: str, home: Desk) -> None:
    desk = visit(context, kept)
    assert desk.page.evaluate("window.kept") is True
    for log in (OOM, HEALTHY):
        assert desk.type(log.read_text()) == home.type(log.read_text())
    assert desk.worker().evaluate("['fetch', 'caches', 'indexedDB'].filter((name) => typeof self[name] !== 'undefined')") == []
    assert desk.errors == []
    desk.page.close()


def test_nothing_of_a_log_is_in_it(context: BrowserContext, kept: str) -> None:
    page = context.new_page()
    page.goto(kept)
    found = look(page, "async (bytes) => { window.text = new TextDecoder('latin1').decode(bytes); return bytes; }")
    assert 1_000_000 < found[0] < 20_000_000
    assert page.evaluate("window.text.includes('firstfault.browser')"), "the search looks into it"
    assert page.evaluate("word => window.text.includes(word)", CANARY) is False
    page.close()


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_broken_memory_is_forgotten_and_the_start_is_a_plain_one(context: BrowserContext, kept: str, damage: str) -> None:
    page = context.new_page()
    page.goto(kept)
    wait(page)
    look(page, DAMAGE[damage])
    page.close()
    desk = visit(context, kept)
    assert desk.page.evaluate("window.kept") is False
    assert "Rank 2" in desk.type(OOM.read_text())
    wait(desk.page)
    desk.page.close()
    again = visit(context, kept)
    assert again.page.evaluate("window.kept") is True, "a new one was made"
    again.page.close()


def test_none_is_made_where_the_copy_is_switched_off(chromium: Browser, site_url: str) -> None:
    context = chromium.new_context(service_workers="allow")
    desk = Desk(context.new_page(), site_url)
    desk.page.evaluate("localStorage.setItem(new URL('.', location.href).pathname + '.offline', 'off')")
    desk.page.reload()
    desk.wake().type(OOM.read_text())
    desk.page.wait_for_timeout(4000)
    assert desk.page.evaluate("async () => (await caches.keys()).length") == 0
    context.close()
