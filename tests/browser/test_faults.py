# SPDX-License-Identifier: MIT
"""Loading goes wrong: each fault has its own sentence within the deadline, keeps the log, and Retry works."""
from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route

from tests.browser.desk import OOM, PATIENCE, Desk

DEADLINE = 20_000  # the page's own limit for a download without a byte is 8 s


def missing(route: Route) -> None:
    route.fulfill(status=404, content_type="text/html", body="<h1>not here</h1>")


def page_instead(route: Route) -> None:
    route.fulfill(status=200, content_type="text/html", body="<html>Please sign in to the network</html>")


def stalled(_route: Route) -> None:
    """Never answered."""


def altered(route: Route) -> None:
    body = bytearray(route.fetch().body())
    body[len(body) // 2] ^= 1
    route.fulfill(status=200, body=bytes(body), content_type="application/octet-stream")


FAULTS = (
    ("pyodide.asm.wasm", missing, "could not be loaded", "404"),
    ("pyodide.asm.wasm", page_instead, "not what this site published", "pyodide.asm.wasm"),
    ("pyodide.asm.wasm", stalled, "no byte arrived", "8 s"),
    ("stdlib.pack", altered, "not what this site published", "stdlib.pack"),
    ("engine.pack", missing, "could not be loaded", "engine.pack"),
    ("worker.js", missing, "did not start the background worker", ""),
    ("manifest.json", page_instead, "list of the engine's files", ""),
)


@pytest.mark.parametrize(("file", "fault", "sentence", "detail"), FAULTS, ids=[f"{file}-{fault.__name__}" for file, fault, *_ in FAULTS])
def test_fault_is_told_and_retry_works(page: Page, site_url: str, file: str, fault: Callable[[Route], None], sentence: str, detail: str) -> None:
    address = re.compile(rf"/runtime/.*{re.escape(file)}$")
    page.route(address, fault)
    desk = Desk(page, site_url)
    page.fill("#ff-text", OOM.read_text())
    page.click(".ff-intake [type=submit]")
    page.wait_for_selector(".ff-alarm:not([hidden])", timeout=DEADLINE)
    alarm = desk.alarm()
    assert sentence in alarm
    assert detail in alarm
    assert "firstfault diagnose" in alarm  # the way that needs no browser
    assert page.input_value("#ff-text") == OOM.read_text()
    page.unroute(address)
    page.click("text=Retry")
    assert "Rank 2" in desk.verdict()


def test_wasm_that_the_browser_refuses_is_told(page: Page, site_url: str) -> None:
    """Compiling fails, which loadPyodide itself only warns of, and then never settles."""
    page.route("**/worker.js", lambda route: route.fulfill(
        content_type="text/javascript",
        body="WebAssembly.instantiateStreaming = WebAssembly.instantiate = async () => { throw new RangeError('out of memory'); };\n" + route.fetch().text(),
    ))
    desk = Desk(page, site_url)
    page.focus("#ff-text")
    page.wait_for_selector(".ff-alarm:not([hidden])", timeout=PATIENCE)
    assert "refused to start" in desk.alarm()
    assert "out of memory" in desk.alarm()


def test_a_worker_that_dies_leaves_the_log_and_a_fresh_one_comes(page: Page, site_url: str) -> None:
    desk = Desk(page, site_url).wake()
    desk.worker().evaluate("() => { setTimeout(() => { throw new Error('killed'); }); }")
    page.wait_for_selector(".ff-alarm:not([hidden])", timeout=DEADLINE)
    page.click("text=Retry")
    page.wait_for_selector(".ff-alarm", state="hidden", timeout=DEADLINE)
    assert "Rank 2" in desk.type(OOM.read_text())


def test_a_script_that_does_not_load_is_told(page: Page, site_url: str) -> None:
    page.route("**/assets/diagnose.js*", lambda route: route.abort())
    page.goto(site_url)
    page.wait_for_selector(".ff-late", state="visible", timeout=DEADLINE)
    assert "did not load" in page.inner_text(".ff-late")
