# SPDX-License-Identifier: MIT
"""A verdict as a link: bounded, and refused where it is none."""
from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.desk import Desk
from tests.browser.runs import one_log


def link_of(desk: Desk) -> str:
    """Copy the link of the verdict that is shown."""
    desk.page.click("text=Copy link")
    desk.page.wait_for_selector("text=Copied")
    return str(desk.page.evaluate("navigator.clipboard.readText()"))


def opened(page: Page, address: str) -> str:
    """Open a link in a page of its own; give the verdict's heading."""
    page.goto(address)
    page.wait_for_selector("#ff-verdict")
    return page.inner_text("#ff-verdict")


def test_link_of_a_thousand_ranks_is_bounded(home: Desk, page: Page) -> None:
    home.drop(("train.log", one_log(1024, 700).encode()))
    link = link_of(home)
    assert len(link) < 16_000
    assert "Rank 700" in opened(page, link)


@pytest.mark.parametrize("fragment", [
    "#v2:AAAA", "#v1:", "#v1:%%%", "#v1:AAAA", "#v1:" + "A" * 70_000,
])
def test_what_is_no_verdict_is_refused(page: Page, site_url: str, fragment: str) -> None:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    assert opened(page, site_url + fragment) == "This link holds no verdict"
    assert errors == []
