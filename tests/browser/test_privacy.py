# SPDX-License-Identifier: MIT
"""A log never leaves: no other origin, no request once the engine is ready, two locks on the worker, nothing kept."""
from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.desk import OOM, PATIENCE, Desk

PAGES = ("", "entries/", "wrappers/", "benign/", "cuda-out-of-memory/", "cuda-memory/", "entry-format/", "where-your-log-goes/", "404.html")
CANARY = "canary-b7f3e1"


class Stranger:
    """A server of another origin that lets everybody in and counts who came."""

    def __init__(self) -> None:
        self.visits: list[str] = []
        stranger = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                stranger.visits.append(self.path)
                self.send_response(200)
                self.send_header("Access-Control-Allow-Origin", "*")
                self.end_headers()
                self.wfile.write(b"hello")

            def log_message(self, *_: object) -> None:
                """Keep the test's output readable."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def stranger() -> Iterator[Stranger]:
    server = Stranger()
    yield server
    server.server.shutdown()
    server.server.server_close()


@pytest.mark.parametrize("path", PAGES)
def test_no_page_asks_another_origin(page: Page, site_url: str, path: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    assert page.goto(site_url + path, wait_until="networkidle").ok
    origin = urlsplit(site_url).netloc
    assert [url for url in asked if urlsplit(url).netloc != origin and not url.startswith(("data:", "blob:"))] == []


@pytest.mark.parametrize("path", PAGES)
def test_no_page_asks_for_another_ahead(page: Page, site_url: str, path: str) -> None:
    """Firefox fetches what a page calls its next one, and says that the policy forbids it."""
    page.goto(site_url + path)
    assert page.locator("head link:is([rel~=next], [rel~=prefetch], [rel~=prerender])").count() == 0


def test_nothing_is_requested_once_the_engine_is_ready(home: Desk) -> None:
    before = len(home.requests)
    home.type(OOM.read_text())
    home.drop(("train.log", OOM.read_bytes()))
    assert [request.url for request in home.requests[before:]] == []


def test_engine_comes_from_fixed_addresses(home_desk: Desk, site_url: str) -> None:
    engine = [request.url for request in home_desk.requests if "/runtime/" in request.url]
    assert any(url.endswith("pyodide.asm.wasm") for url in engine)
    assert all(url.startswith(f"{site_url}assets/runtime/") and not urlsplit(url).query for url in engine)


def test_ready_worker_has_no_way_out(home: Desk) -> None:
    worker = home.worker()
    names = ("fetch", "XMLHttpRequest", "WebSocket", "EventSource", "importScripts", "Worker", "indexedDB", "caches", "BroadcastChannel")
    assert worker.evaluate("names => names.filter(name => typeof self[name] !== 'undefined')", list(names)) == []
    assert worker.evaluate("() => { try { delete self.fetch; self.fetch = 1; } catch {} return typeof self.fetch; }") == "undefined"


def test_worker_lives_under_the_pages_policy(chromium: Browser, site_url: str, stranger: Stranger) -> None:
    """The real worker, held before its network is taken away, still cannot reach another origin."""
    context = chromium.new_context()
    page = context.new_page()
    held = threading.Event()
    page.route("**/stdlib.pack", lambda _route: held.set())  # never answered: the worker stays in its start
    page.goto(site_url)
    with page.expect_worker(lambda worker: worker.url.startswith("blob:")) as started:
        page.focus("#ff-text")
    worker = started.value
    page.wait_for_timeout(500)
    attempt = "async url => { try { await fetch(url, {mode: 'no-cors'}); return 'reached'; } catch (error) { return error.name; } }"
    assert worker.evaluate("typeof fetch") == "function"
    assert worker.evaluate(attempt, stranger.url) == "TypeError"
    assert stranger.visits == []
    context.close()


PYTHON_PROBE = """
async ([runtime, foreign]) => {
  const manifest = await (await fetch(runtime + "manifest.json")).json();
  const folder = new URL(manifest.folder, runtime).href;
  const source = `
    import { loadPyodide } from ${JSON.stringify(folder + "pyodide.mjs")};
    const network = fetch;
    self.fetch = async (url) => {
      const response = await network(url);
      return String(url).endsWith(".pack") ? new Response(response.body.pipeThrough(new DecompressionStream("gzip"))) : response;
    };
    const python = await loadPyodide({ indexURL: ${JSON.stringify(folder)}, stdLibURL: ${JSON.stringify(folder + "stdlib.pack")},
      lockFileContents: ${JSON.stringify(manifest.lock)}, packageBaseUrl: ${JSON.stringify(folder)} });
    let outcome;
    try { await python.runPython("import js; ask = js.XMLHttpRequest.new(); ask.open('GET', " + ${JSON.stringify(JSON.stringify(foreign))} + ", False); ask.send()"); outcome = "reached"; }
    catch (error) { outcome = error.message.trim().split("\\\\n").at(-1); }
    postMessage(outcome);`;
  const worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })), { type: "module" });
  return new Promise((resolve) => { worker.onmessage = (event) => resolve(event.data); worker.onerror = (event) => resolve("error " + event.message); });
}
"""


def test_python_in_such_a_worker_is_refused_too(page: Page, site_url: str, stranger: Stranger) -> None:
    page.set_default_timeout(PATIENCE)
    page.goto(site_url)
    outcome = page.evaluate(PYTHON_PROBE, [f"{site_url}assets/runtime/", stranger.url])
    assert "NetworkError" in outcome
    assert stranger.visits == []


def test_the_stranger_can_be_reached_without_the_policy(page: Page, stranger: Stranger) -> None:
    """The probe of the tests above bites: from a page without a policy the same request arrives."""
    other = Stranger()
    page.goto(other.url)
    assert page.evaluate("async url => (await fetch(url)).ok", stranger.url)
    assert stranger.visits == ["/"]
    other.server.shutdown()
    other.server.server_close()


def test_nothing_of_a_log_is_kept(home: Desk, site_url: str) -> None:
    home.paste(OOM.read_text().replace("train-0-w-0", CANARY))
    page = home.page
    assert CANARY not in page.inner_text("#diagnose")  # the evidence is shown as it would leave
    page.click(".ff-masks > summary")
    page.click("text=Show them as in my log")
    assert CANARY in page.inner_text("#diagnose .ff-card")
    kept = page.evaluate(
        """async () => JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, location.href, document.title, history.state, name,
            await caches.keys(), (await indexedDB.databases()).map((one) => one.name)])"""
    )
    assert CANARY not in kept
    assert page.url == site_url
    assert not any(CANARY in line for line in home.console)
    assert page.context.cookies() == []
    assert home.errors == []
