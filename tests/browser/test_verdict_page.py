# SPDX-License-Identifier: MIT
"""The verdict page: the log beside the verdict, and what ties the two together."""
from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.desk import OOM, Desk


def chosen(page: Page) -> int:
    """The line that the log pane shows as chosen."""
    row = page.wait_for_selector(".ff-logview__row[data-chosen]")
    assert row is not None
    return int(row.get_attribute("data-line") or 0)


def test_log_opens_at_the_first_fault(home: Desk) -> None:
    home.type(OOM.read_text())
    assert chosen(home.page) == 26
    assert "CUDA out of memory" in home.page.inner_text(".ff-logview__row[data-role=root]")
    assert home.page.locator(".ff-logview__bar").inner_text().startswith("pasted.log")


def test_keys_step_through_events_and_the_log_says_what_each_is(home: Desk) -> None:
    home.type(OOM.read_text())
    home.page.focus(".ff-logview__scroll")
    home.page.keyboard.press("e")
    expect(home.page.locator(".ff-logview__about")).to_contain_text("line 26")
    home.page.keyboard.press("e")
    expect(home.page.locator(".ff-logview__about")).to_contain_text("consequence")
    assert chosen(home.page) == 31
    home.page.keyboard.press("E")
    expect(home.page.locator(".ff-logview__count")).to_have_text(re.compile("event 1 of"))
    home.page.focus("#ff-text")
    home.page.keyboard.press("e")
    assert home.page.input_value("#ff-text").endswith("e")
    assert chosen(home.page) == 26


def test_evidence_leads_into_the_log_and_back(home: Desk) -> None:
    home.type(OOM.read_text())
    home.page.click("#ff-others ~ .ff-fold >> nth=0")
    home.page.click("#ff-others ~ .ff-fold >> nth=0 >> .ff-jump >> nth=0")
    expect(home.page.locator(".ff-logview__row[data-chosen]")).to_have_attribute("data-role", "consequence")
    home.page.click("text=Where the verdict uses it")
    expect(home.page.locator(".ff-flash")).to_have_count(1)
