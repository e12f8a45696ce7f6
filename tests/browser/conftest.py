# SPDX-License-Identifier: MIT
"""Pages with a warm engine, shared where a test leaves nothing behind: starting Python is the slow part."""
from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.desk import Desk


@pytest.fixture(scope="session")
def home_desk(chromium: Browser, site_url: str) -> Iterator[Desk]:
    """The first page with its engine started; tests of one verdict each take turns on it."""
    context = chromium.new_context(permissions=["clipboard-read", "clipboard-write"])
    yield Desk(context.new_page(), site_url).wake()
    context.close()


@pytest.fixture
def home(home_desk: Desk) -> Desk:
    """The shared first page, cleared."""
    home_desk.clear()
    return home_desk


@pytest.fixture(scope="session")
def entry_desk(chromium: Browser, site_url: str) -> Iterator[Desk]:
    """The page of one entry, its engine started."""
    context = chromium.new_context()
    yield Desk(context.new_page(), f"{site_url}cuda-out-of-memory/").wake()
    context.close()
