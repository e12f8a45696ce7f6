# SPDX-License-Identifier: MIT
"""The search box: a raw line, a traceback or words lead to the page; keys, links, hand-over; nothing before it is used."""
from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.test_accessible import findings

START = "nccl-watchdog-timeout/"
TRACEBACK = """\
Traceback (most recent call last):
  File "/srv/jobs/train.py", line 107, in <module>
    main()
  File "/srv/jobs/train.py", line 71, in main
    loss.backward()
[rank5]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 642.00 MiB. GPU 5 has a total capacity of 79.15 GiB of which 9.25 MiB is free.
"""
PASTE = """text => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    const box = document.querySelector(".md-search__input");
    box.focus();
    if (box.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}))) {
        box.value = text;
        box.dispatchEvent(new InputEvent("input", {bubbles: true}));
    }
}"""


@pytest.fixture
def desk(page: Page, site_url: str) -> Iterator[Page]:
    """A page of the site that has printed nothing and asked nothing strange at the end."""
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") and "blocked by Playwright" not in message.text else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(site_url + START)
    yield page
    assert said == []
    assert [url for url in asked if urlsplit(url).netloc != urlsplit(site_url).netloc and not url.startswith(("data:", "blob:"))] == []
    assert [url for url in asked if "q=" in urlsplit(url).query or "OutOfMemory" in url] == []


def until(page: Page, condition: str) -> None:
    """Wait for a condition; the page's policy forbids the driver's own way, which is `eval`."""
    for _ in range(200):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    pytest.fail(f"never: {condition}")


def first(page: Page) -> str:
    """The address of the best answer."""
    page.wait_for_selector(".ff-found a")
    return page.locator(".ff-found .md-search-result__link:not(.ff-found__hand)").first.get_attribute("href") or ""


def look_for(page: Page, text: str) -> None:
    """Type, and wait for the answers to this text."""
    page.fill(".md-search__input", text)
    page.wait_for_selector(".ff-found__hand")
    page.wait_for_timeout(400)


def test_a_pasted_traceback_opens_the_right_page(desk: Page) -> None:
    desk.evaluate(PASTE, TRACEBACK)
    assert first(desk).endswith("/cuda-out-of-memory/")
    assert desk.locator(".ff-found h1").first.inner_text() == "Diagnose this text"
    assert desk.locator(".ff-found__label").nth(1).inner_text() == "Exact signature"
    desk.keyboard.press("ArrowDown")
    desk.keyboard.press("ArrowDown")
    desk.keyboard.press("Enter")
    desk.wait_for_url("**/cuda-out-of-memory/")


def test_a_raw_line_is_typed_and_enter_opens_it(desk: Page) -> None:
    desk.keyboard.press("/")
    desk.keyboard.insert_text("3: RuntimeError: HIP error: invalid device function")
    desk.wait_for_selector(".ff-found a")
    assert first(desk).endswith("/hip-error/")
    desk.keyboard.press("Enter")
    desk.wait_for_url("**/hip-error/")


def test_words_with_a_typing_error_and_xid_numbers(desk: Page) -> None:
    look_for(desk, "oom kiler slrum")
    assert first(desk).endswith(("/kernel-oom-kill/", "/slurm-oom-kill/"))
    look_for(desk, "79")
    assert first(desk).endswith("/xid-79-gpu-fell-off-bus/")


def test_a_long_text_goes_to_the_diagnosis_and_nowhere_else(desk: Page, site_url: str) -> None:
    desk.evaluate(PASTE, TRACEBACK)
    desk.wait_for_selector(".ff-found__hand")
    desk.keyboard.press("Enter")
    desk.wait_for_url(site_url)
    desk.wait_for_selector("#ff-verdict", timeout=120_000)
    assert desk.evaluate("JSON.stringify({...sessionStorage})") == "{}"
    assert desk.input_value("#ff-text") == TRACEBACK


def test_nothing_is_loaded_before_the_box_is_used(page: Page, site_url: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    for path in ("", START, "entries/"):
        page.goto(site_url + path, wait_until="networkidle")
    assert asked
    assert not {path for path in asked if "/assets/search/" in path or path.rpartition("/")[2].startswith(("searchrank", "searchindex", "search_index"))}
    page.focus(".md-search__input")
    until(page, "performance.getEntriesByType('resource').some(({name}) => name.endsWith('/index.json'))")


@pytest.mark.parametrize("key", ["/", "s", "f"])
def test_keys_of_the_theme(desk: Page, key: str) -> None:
    desk.keyboard.press(key)
    assert desk.evaluate("document.activeElement === document.querySelector('.md-search__input')")
    assert desk.input_value(".md-search__input") == ""
    look_for(desk, "port already in use")
    desk.keyboard.press("ArrowDown")
    assert desk.evaluate("document.activeElement === document.querySelector('.ff-found a')")
    desk.keyboard.press("ArrowUp")
    assert desk.evaluate("document.activeElement === document.querySelector('.md-search__input')")
    desk.keyboard.press("Escape")
    assert not desk.is_checked("#__search")
    assert urlsplit(desk.url).fragment == ""


def test_keys_stay_letters_in_other_boxes(page: Page, site_url: str) -> None:
    page.goto(site_url)
    page.fill("#ff-text", "")
    page.focus("#ff-text")
    page.keyboard.type("fs/")
    assert page.input_value("#ff-text") == "fs/"


@pytest.mark.parametrize("form", ["?q=", "#q="])
def test_deep_links(page: Page, site_url: str, form: str) -> None:
    page.goto(f"{site_url}{form}{quote('Duplicate GPU detected : rank 5 and rank 9')}")
    assert first(page).endswith("/nccl-duplicate-gpu/")
    until(page, "location.hash.startsWith('#q=')")
    assert urlsplit(page.url).query == ""
    page.keyboard.press("Escape")
    until(page, "location.hash === ''")


@pytest.mark.parametrize("text", ["<img src=x onerror=alert(1)>", "\"><script>alert(1)</script>", "\u202e\u200b\U000e0041", "%", "javascript:alert(1)", "{{7*7}}", "A" * 100_000])
def test_hostile_texts_stay_texts(desk: Page, text: str) -> None:
    before = desk.evaluate("document.querySelectorAll('script, img, iframe').length")
    started = desk.evaluate("performance.now()")
    desk.evaluate(PASTE, text)
    desk.wait_for_selector(".ff-found__hand")
    assert desk.evaluate("performance.now()") - started < 10_000
    assert desk.evaluate("document.querySelectorAll('script, img, iframe').length") == before
    assert desk.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert len(urlsplit(desk.url).fragment) < 3_000


def test_a_damaged_address_is_shown_as_it_is(page: Page, site_url: str) -> None:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{site_url}#q=%E0%A4%A")
    until(page, "document.querySelector('.md-search__input').value === '%E0%A4%A'")


def test_a_search_that_cannot_load_says_so(page: Page, site_url: str) -> None:
    page.route("**/assets/search/**", lambda route: route.abort())
    page.goto(site_url + START)
    page.fill(".md-search__input", "oom")
    page.wait_for_selector("text=The search could not be loaded")
    page.unroute_all()
    page.fill(".md-search__input", "oom killer")
    assert first(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440])
def test_axe_finds_nothing_serious_in_the_open_box(chromium: Browser, site_url: str, scheme: str, width: int) -> None:
    context = chromium.new_context(color_scheme=scheme, viewport={"width": width, "height": 860}, reduced_motion="reduce")
    page = context.new_page()
    page.goto(site_url + START)
    page.keyboard.press("/")
    look_for(page, "3: RuntimeError: HIP error: invalid device function")
    page.wait_for_timeout(600)
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()
