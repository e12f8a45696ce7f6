# SPDX-License-Identifier: MIT
"""Reading and browsing in a browser: what the scripts add to pages that are whole without them, and that the pictures fit."""
from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Response, Route

from tests.browser.desk import PATIENCE
from tests.browser.test_accessible import findings

ENTRY = "nccl-watchdog-timeout/"
ROWS = ".pg-all tbody tr"
#: a page before the matcher is asked for, compressed as a host sends it
BUDGET = 250_000
#: milliseconds that a choice in a table of 3,000 entries may take, on a machine that does other things too
AT_ONCE = 1_000


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    """A reader with an empty browser."""
    made = chromium.new_context(viewport={"width": 1280, "height": 900}, permissions=["clipboard-read", "clipboard-write"], reduced_motion="reduce")
    yield made
    made.close()


def opened(context: BrowserContext, address: str) -> Page:
    """Open a page and wait until its scripts have run."""
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    # Module scripts run before this event; pictures and indexes that come later are not what is tested.
    page.goto(address, wait_until="domcontentloaded")
    return page


def clipboard(page: Page) -> str:
    """Read what was copied."""
    return str(page.evaluate("navigator.clipboard.readText()"))


def shown(page: Page) -> int:
    """Count the rows that can be seen."""
    return page.locator(f"{ROWS}:not([hidden])").count()


def test_ticks_stay_in_this_browser_and_can_be_forgotten(context: BrowserContext, site_url: str) -> None:
    """A tick survives the page, is in the copied runbook, stays out of other entries, and goes when it is told to."""
    page = opened(context, site_url + ENTRY)
    assert page.evaluate("localStorage.getItem('firstfault:ticks:nccl-watchdog-timeout')") is None
    page.locator("#step-2 .pg-tick").check()
    page.reload(wait_until="domcontentloaded")
    assert page.locator("#step-2 .pg-tick").is_checked()
    page.get_by_role("button", name="Copy as Markdown").click()
    copied = clipboard(page)
    assert copied.startswith("# A collective did not finish")
    assert len(re.findall(r"^- \[x\] ", copied, re.MULTILINE)) == 1
    assert "- [x] If a rank was merely busy" in copied
    assert "{step-" not in copied
    assert copied.rstrip().endswith(f"{site_url}{ENTRY}")
    other = opened(context, f"{site_url}cuda-out-of-memory/")
    assert other.locator(".pg-tick:checked").count() == 0
    page.get_by_role("button", name="Forget the ticks").click()
    assert page.locator(".pg-tick:checked").count() == 0
    assert page.evaluate("localStorage.getItem('firstfault:ticks:nccl-watchdog-timeout')") is None


def test_the_runbook_is_readable_as_plain_text(context: BrowserContext, site_url: str) -> None:
    """No fence and no mark of Markdown is left; commands are indented."""
    page = opened(context, site_url + ENTRY)
    page.get_by_role("button", name="Copy as text").click()
    text = clipboard(page)
    assert "```" not in text
    assert "`" not in text.split("CONFIRM")[0]
    assert re.search(r"^ +grep -rhoE", text, re.MULTILINE)


def test_a_negative_check_folds_the_fix_away_and_the_address_says_so(context: BrowserContext, site_url: str) -> None:
    """Outcomes are buttons; the path can be sent to a colleague, shows the same there, and can be taken back."""
    page = opened(context, site_url + ENTRY)
    group = page.get_by_role("group", name="Outcome of check 1")
    group.get_by_role("button", name="It is not").click()
    assert page.url.endswith("#confirm:1n")
    assert not page.locator("#fix ~ ol.pg-steps").first.is_visible()
    assert page.locator(".pg-note").inner_text().startswith("Check 1 negative")
    assert not page.locator("#check-1 .pg-yes").is_visible()
    colleague = opened(context, page.url)
    assert not colleague.locator("#fix ~ ol.pg-steps").first.is_visible()
    colleague.get_by_role("button", name="Show it anyway").click()
    assert colleague.locator("#fix ~ ol.pg-steps").first.is_visible()
    group.get_by_role("button", name="It is this").click()
    assert page.url.endswith("#confirm:1y")
    assert page.locator("#fix ~ ol.pg-steps").first.is_visible()
    assert page.locator("#check-1 .pg-tick").is_checked()


def test_a_decision_is_walked_by_keyboard_down_to_an_action(context: BrowserContext, site_url: str) -> None:
    """One question at a time, a way back, and the list for who prefers it."""
    page = opened(context, site_url + ENTRY)
    walk = page.locator(".pg-walk")
    assert walk.locator(".pg-ask").inner_text() == "Do all ranks of the group print a watchdog line?"
    walk.get_by_role("button", name="No", exact=True).focus()
    page.keyboard.press("Enter")
    assert walk.locator(".pg-ask").inner_text() == "Is the silent rank's process alive?"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    action = walk.locator(".pg-action")
    assert action.inner_text().startswith("py-spy it")
    assert action.locator("a").get_attribute("href") == "../nccl-rank-missing-or-behind/"
    walk.get_by_role("button", name="Back").click()
    assert walk.locator(".pg-ask").inner_text() == "Is the silent rank's process alive?"
    walk.get_by_role("button", name="Show all answers as a list").click()
    assert walk.locator("li").count() == 6


def test_each_wording_is_copied_as_it_is_printed(context: BrowserContext, site_url: str) -> None:
    """One click, the machine's own words, and who prints them stands below."""
    page = opened(context, site_url + ENTRY)
    first = page.locator("#wording-1")
    first.hover()
    first.locator("button").first.click()
    page.wait_for_function("navigator.clipboard.readText().then((text) => text.includes('Watchdog caught'))")
    assert clipboard(page).strip() == first.locator("code").first.inner_text().strip()
    assert "ProcessGroupNCCL.cpp" in first.locator(".pg-source").inner_text()


@pytest.mark.parametrize("width", [390, 1024, 1440])
def test_pictures_fit_and_lead_on(chromium: Browser, site_url: str, width: int) -> None:
    """Neither picture is wider than its frame at any width, no box covers another, and a tile is a link."""
    context = chromium.new_context(viewport={"width": width, "height": 900})
    page = opened(context, site_url + ENTRY)
    for picture in (".pg-map", ".pg-ranks"):
        frame = page.locator(picture).locator("xpath=..")
        assert frame.evaluate("(node) => node.scrollWidth <= node.clientWidth"), picture
        boxes = page.locator(f"{picture} g[style] > rect").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect()).map(({x, y, width, height}) => [x, y, width, height])")
        assert len(boxes) > 5
        for place, (x, y, w, h) in enumerate(boxes):
            assert not [other for other in boxes[place + 1 :] if x < other[0] + other[2] - 1 and other[0] < x + w - 1 and y < other[1] + other[3] - 1 and other[1] < y + h - 1]
    page.locator(".pg-map a", has_text="Xid 79").click()
    page.wait_for_url("**/xid-79-gpu-fell-off-bus/")
    context.close()


def test_filters_stand_in_the_fragment_and_come_back_from_it(context: BrowserContext, site_url: str) -> None:
    """Values of one facet add up, facets narrow each other, counts follow, and the address makes the same table again."""
    page = opened(context, f"{site_url}entries/")
    everything = int(page.locator(".pg-count").inner_text().removeprefix("All ").split()[0])
    at_once = shown(page)  # of a long table the first rows are shown, and a button for the others
    assert 300 < at_once <= everything
    page.get_by_label(re.compile(r"^Hang")).check()
    hangs = shown(page)
    assert 0 < hangs < at_once
    assert f"{hangs} of {everything}" in page.locator(".pg-count").inner_text()
    page.locator(".pg-menu summary", has_text="Layer").click()
    kernel = page.locator("[name=layer][value=kernel]")
    said = int(page.locator("label", has=kernel).locator("b").inner_text())
    kernel.check()
    assert shown(page) == said
    assert urlsplit(page.url).fragment == "run=hang&layer=kernel"
    assert urlsplit(page.url).query == ""
    page.keyboard.press("Escape")
    assert page.locator(".pg-menu[open]").count() == 0
    again = opened(context, page.url)
    assert shown(again) == said
    again.get_by_role("searchbox", name="Words of the title or the line").fill("nothing has these words")
    assert shown(again) == 0
    again.locator(".pg-none a").click()
    again.wait_for_function(f"document.querySelectorAll('{ROWS}:not([hidden])').length === {at_once}")
    assert "#" not in again.url


def test_the_first_page_leads_into_the_table_by_what_the_run_does(context: BrowserContext, site_url: str) -> None:
    """A reader without a line starts from hangs, crashes, slow, wrong result; the number there is the number of rows."""
    page = opened(context, site_url)
    link = page.locator(".pg-forms a", has_text="It hangs")
    count = int(link.locator("span").inner_text())
    link.click()
    page.wait_for_url("**/entries/#run=hang")
    assert shown(page) == count


def test_three_thousand_entries_are_filtered_at_once(context: BrowserContext, site_url: str) -> None:
    """The table is served ten times as long; a choice and a typed word are answered within the patience of a reader."""

    def longer(route: Route) -> None:
        body = route.fetch().text()
        start, end = body.index("<tbody>") + 7, body.index("</tbody>")
        route.fulfill(body=body[:start] + body[start:end] * 10 + body[end:], content_type="text/html")

    context.route("**/entries/", longer)
    page = opened(context, f"{site_url}entries/")
    assert shown(page) == 400
    took = page.evaluate(
        """() => {
            const timed = (act) => {
                const start = performance.now();
                act();
                document.body.offsetHeight;  // the layout belongs to the answer
                return performance.now() - start;
            };
            const box = document.querySelector('[name=run][value=hang]');
            const words = document.querySelector('[name=q]');
            return {
                choose: timed(() => box.click()), widen: timed(() => box.click()),
                type: timed(() => { words.value = 'nccl'; words.dispatchEvent(new Event('input', {bubbles: true})); }),
            };
        }"""
    )
    print(f"3,000 rows: {took}")
    page.get_by_role("searchbox", name="Words of the title or the line").fill("")
    page.get_by_role("button", name=re.compile(r"^Show \d,\d+ more")).click()
    assert shown(page) > 3_000
    assert max(took.values()) < AT_ONCE, took


def test_an_entry_page_is_light(context: BrowserContext, site_url: str) -> None:
    """What a page needs before the matcher is asked for, compressed, is within the budget."""
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto(site_url + ENTRY, wait_until="networkidle")
    sizes = {urlsplit(answer.url).path: len(gzip.compress(answer.body(), 6)) for answer in answers if answer.ok}
    # What search needs has a budget of its own.
    total = sum(size for path, size in sizes.items() if "/search" not in path)
    print(f"{ENTRY}: {total:,} bytes in {len(sizes)} files")
    assert total < BUDGET, sorted(sizes.items(), key=lambda item: -item[1])[:8]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", [ENTRY, "entries/#run=hang", "torchrun-childfailederror/", "nccl-topology-warnings/", "launcher/", "wrappers/", "benign/", "glossary/", "entry-format/", "where-your-log-goes/", "404.html"])
def test_axe_finds_nothing_serious_on_any_page_type(chromium: Browser, site_url: str, scheme: str, path: str) -> None:
    """Folds and menus are open, so that what they hold is looked at too."""
    context = chromium.new_context(color_scheme=scheme, reduced_motion="reduce", viewport={"width": 1280, "height": 900})
    page = opened(context, site_url + path)
    page.evaluate("document.querySelectorAll('main details').forEach((fold) => { fold.open = true; })")
    assert findings(page) == []
    context.close()


def test_reading_needs_no_script(chromium: Browser, site_url: str) -> None:
    """Pictures, lists, outcomes and the table are there; what cannot work is not shown."""
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(site_url + ENTRY)
    for part in (".pg-map", ".pg-ranks", ".pg-tree", "#check-1 .pg-yes", "#check-1 .pg-no", "#fix ~ ol.pg-steps", "#wording-1", ".pg-family .pg-after"):
        assert page.locator(part).first.is_visible(), part
    page.locator(".pg-walk summary").click()
    assert page.locator(".pg-walk li").count() == 6
    page.goto(f"{site_url}entries/")
    assert shown(page) > 300
    assert not page.locator(".pg-filters").is_visible()
    assert page.locator("noscript p", has_text="Filters need a script").is_visible()
    context.close()
