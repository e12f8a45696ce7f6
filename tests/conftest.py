# SPDX-License-Identifier: MIT
"""What tests share: the built site, its address, a browser, the wheel. Each is made once, and only if a test asks."""
from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests import browser_binary, site_server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from firstfault.database import Database

# The environment's own node and tools come first, also when pytest was started without make.
os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


@pytest.fixture(scope="session")
def database() -> Database:
    """The database of the entries as they are now, compiled once per run."""
    from firstfault.database import Database
    from hooks.compiling import compile_database
    from hooks.load import load_folder

    entries, _problems = load_folder(site_server.ROOT / "entries")
    return Database(compile_database(entries))


@pytest.fixture(scope="session")
def site_dir() -> Path:
    """The whole site, built strictly once per run."""
    return site_server.build(site_server.ROOT / "build" / "test-site")


@pytest.fixture(scope="session")
def site_url(site_dir: Path) -> Iterator[str]:
    """Base address of the served site; it lies under a sub-path and ends in a slash."""
    with site_server.serve(site_dir) as address:
        yield address


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A running headless Chromium; tests open their own contexts in it."""
    from playwright.sync_api import sync_playwright

    binary = browser_binary.ensure()
    browser_binary.prepare_driver()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=binary, args=browser_binary.flags())
        # A service worker answers before a test can look at or hold a request; only tests of the offline copy let it in.
        browser.new_context = functools.partial(browser.new_context, service_workers="block")  # type: ignore[method-assign]
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """An empty page in a context of its own: no storage or cache is shared between tests."""
    context = chromium.new_context()
    yield context.new_page()
    context.close()


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, built without a network."""
    from tools import wheel as builder

    return builder.build(tmp_path_factory.mktemp("wheel"))
