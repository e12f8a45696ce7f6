# SPDX-License-Identifier: MIT
"""The offline copy: works after a first visit, is of one version, is never stale after a deployment, can be switched off."""
from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from hooks import airgap, offline
from tests.browser.desk import OOM, PATIENCE, Desk
from tests.site_server import SUB_PATH, SubPathHandler

KEPT = "async () => { const names = await caches.keys(); const found = []; for (const name of names) for (const { url } of await (await caches.open(name)).keys()) found.push([name, url]); return found; }"
READY = "async () => { await navigator.serviceWorker.ready; }"
ENTRY = "cuda-out-of-memory/"
#: the folder of the second version's engine
ENGINE = "0123456789ab"


class Host:
    """A served folder that can be replaced by another deployment, and can go away."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.server: ThreadingHTTPServer | None = None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}{SUB_PATH}"
        self.up()

    def up(self) -> None:
        """Serve."""
        host = self

        class Handler(SubPathHandler):
            def __init__(self, *given: object) -> None:
                super().__init__(*given, directory=str(host.folder))  # type: ignore[arg-type]

        self.server = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def down(self) -> None:
        """Stop: every request is refused, as without a network."""
        if self.server:
            self.server.shutdown()
            self.server.server_close()
        self.server = None


@pytest.fixture
def host(site_dir: Path, tmp_path: Path) -> Iterator[Host]:
    """Version 1 of the site."""
    folder = tmp_path / "one"
    shutil.copytree(site_dir, folder, ignore=shutil.ignore_patterns(airgap.NAME, "api", "llms", "*.map"))
    served = Host(folder)
    yield served
    served.down()


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    """A reader whose browser allows service workers."""
    found = chromium.new_context(service_workers="allow")
    found.set_default_timeout(PATIENCE)
    yield found
    found.close()


def visit(page: Page, address: str) -> None:
    """Open a page and wait until its copy is made."""
    page.goto(address)
    page.evaluate(READY)
    wait(page, lambda kept: any(url.endswith(ENTRY) or url == address for _, url in kept))


def kept(page: Page) -> list[tuple[str, str]]:
    """What the copies hold: (cache, address)."""
    return [(name, url) for name, url in page.evaluate(KEPT)]


def wait(page: Page, holds: object, seconds: float = 60) -> None:
    """Wait until the copies are as they should be."""
    until = time.monotonic() + seconds
    while not holds(found := kept(page)):  # type: ignore[operator]
        assert time.monotonic() < until, found
        page.wait_for_timeout(100)


def deploy(host: Host, folder: Path, words: str) -> str:
    """Put another version into the served folder: other words on every page, another engine; give its version."""
    shutil.copytree(host.folder, folder)
    for path in folder.rglob("index.html"):
        path.write_text(path.read_text("utf-8").replace("</h1>", f" {words}</h1>", 1), "utf-8")
    style = folder / "assets" / "theme.css"
    style.write_text(f"{style.read_text()}\n/* {words} */\n")
    manifest = json.loads((folder / "assets/runtime/manifest.json").read_text())
    (folder / "assets/runtime" / manifest["build"]).rename(folder / "assets/runtime" / ENGINE)
    manifest |= {"build": ENGINE, "folder": f"{ENGINE}/"}
    (folder / "assets/runtime/manifest.json").write_text(json.dumps(manifest))
    host.folder = folder
    return offline.build(folder, "First Fault", manifest)


def rest(page: Page) -> None:
    """Let the old worker go: a browser stops an idle one, but not while a debugger, as here, is attached to it."""
    session = page.context.new_cdp_session(page)
    session.send("ServiceWorker.enable")
    session.send("ServiceWorker.stopAllWorkers")


def version_of(page: Page) -> str | None:
    """The version that stands in the page."""
    return page.get_attribute('meta[name="site-version"]', "content")


def test_first_visit_is_kept_and_read_without_a_network(context: BrowserContext, host: Host) -> None:
    """A visited page, the first page and the page about logs; one that was not kept says so and lists what was."""
    page = context.new_page()
    visit(page, host.url + ENTRY)
    assert not [url for _, url in kept(page) if "/runtime/" in url], "the engine is not copied before it was used"
    host.down()
    page.reload()
    assert "CUDA out of memory" in page.inner_text("h1")
    assert page.evaluate("getComputedStyle(document.querySelector('.pg-top')).display") == "block"
    for address in ("", "where-your-log-goes/"):
        page.goto(host.url + address)
        assert version_of(page) == json.loads((host.folder / "offline-pages.json").read_text())["version"]
    page.goto(host.url + "nccl-watchdog-timeout/")
    assert "not kept" in page.inner_text("h1")
    page.wait_for_selector(f'#offline-kept a[href$="{ENTRY}"]')


def test_engine_that_has_run_diagnoses_without_a_network(context: BrowserContext, host: Host) -> None:
    """Used on the very first page, before the copy existed."""
    desk = Desk(context.new_page(), host.url).wake()
    runtime = len(list(next(path for path in (host.folder / "assets/runtime").iterdir() if path.is_dir()).iterdir()))
    wait(desk.page, lambda found: sum("/runtime/" in url and not url.endswith("memory.snapshot") for _, url in found) == runtime + 1)
    host.down()
    desk.page.reload()
    desk.page.wait_for_selector("#ff-text")
    assert "rank 2" in desk.wake().type(OOM.read_text()).lower()


def test_after_a_deployment_everything_is_of_the_new_version(context: BrowserContext, host: Host, tmp_path: Path) -> None:
    """Pages, style and engine at the next load; offline too; and no copy of the old version is left."""
    page = context.new_page()
    desk = Desk(page, host.url).wake()
    wait(page, lambda found: any(url.endswith("runtime/manifest.json") for _, url in found))
    visit(page, host.url + ENTRY)
    before = version_of(page)
    after = deploy(host, tmp_path / "two", "second")
    assert before != after
    page.reload()
    assert version_of(page) == after
    assert "second" in page.inner_text("h1")
    rest(page)
    wait(page, lambda found: {name.rpartition(":")[2] for name, _ in found} == {after, ENGINE})
    engine = [url for name, url in kept(page) if ":engine:" in name]
    assert all(f"/{ENGINE}/" in url or url.endswith("manifest.json") for url in engine)
    host.down()
    page.reload()
    assert "second" in page.inner_text("h1"), "the visited page was carried over"
    assert version_of(page) == after
    page.goto(host.url)
    assert version_of(page) == after
    assert page.evaluate("[...document.styleSheets].find((sheet) => sheet.href?.includes('theme.css')) !== undefined")
    page.wait_for_selector("#ff-text")
    desk.wake()
    assert "rank 2" in desk.type(OOM.read_text()).lower()


def test_a_deployment_under_way_never_mixes_versions(context: BrowserContext, host: Host, tmp_path: Path) -> None:
    """The worker of the new version beside a style sheet of the old one: the install is refused, the old copy stays whole."""
    page = context.new_page()
    visit(page, host.url + ENTRY)
    before = version_of(page)
    deploy(host, tmp_path / "two", "second")
    (host.folder / "assets" / "print.css").write_text("/* of another version */")
    page.reload()
    state = page.evaluate("async () => { const own = await navigator.serviceWorker.getRegistration(); await own.update().catch(() => {}); return [own.installing?.state, own.waiting?.state]; }")
    page.wait_for_timeout(1500)
    assert "activated" not in state
    assert {name.rpartition(":")[2] for name, url in kept(page) if "print.css" in url} == {before}
    host.down()
    page.reload()
    assert version_of(page) == before


def test_switched_off_nothing_is_kept_and_it_stays_off(context: BrowserContext, host: Host) -> None:
    page = context.new_page()
    visit(page, host.url + ENTRY)
    page.goto(host.url + "where-your-log-goes/#offline")
    page.get_by_text("Kept in this browser").wait_for()
    page.get_by_role("button", name="Switch it off and delete it").click()
    page.get_by_text("The offline copy is off").wait_for()
    nothing = "async () => [(await caches.keys()).length, (await navigator.serviceWorker.getRegistrations()).length]"
    assert page.evaluate(nothing) == [0, 0]
    page.goto(host.url + ENTRY)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(500)
    assert page.evaluate(nothing) == [0, 0]
    page.goto(host.url + "where-your-log-goes/#offline")
    page.get_by_role("button", name="Switch the offline copy on").click()
    page.get_by_text("Kept in this browser").wait_for()


def test_everything_can_be_kept_on_request(context: BrowserContext, host: Host) -> None:
    page = context.new_page()
    page.goto(host.url + "where-your-log-goes/")
    page.get_by_role("button", name="Keep every page and the engine").click()
    page.get_by_text("Everything is kept").wait_for(timeout=PATIENCE)
    host.down()
    for address in ("nccl-watchdog-timeout/", "entries/", "xid-79/"):
        page.goto(host.url + address)
        assert "not kept" not in page.inner_text("body"), address


def test_a_page_without_a_version_forgets_the_copy(context: BrowserContext, host: Host) -> None:
    """As the development server gives them on an address where a built site was served before."""
    page = context.new_page()
    visit(page, host.url + ENTRY)
    entry = host.folder / ENTRY / "index.html"
    entry.write_text(offline.VERSION.sub(rb"\g<1>", entry.read_bytes()).decode(), "utf-8")
    page.reload()
    page.wait_for_function("async () => (await navigator.serviceWorker.getRegistrations()).length === 0 && (await caches.keys()).length === 0")


def test_archive_of_the_site_runs_from_pythons_own_server(context: BrowserContext, site_dir: Path, tmp_path: Path) -> None:
    """Unpacked and served as its README says: a log is diagnosed."""
    archive = site_dir / airgap.NAME
    with zipfile.ZipFile(archive) as whole:
        whole.extractall(tmp_path)
        assert all(item.date_time == airgap.EPOCH for item in whole.infolist())
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "http.server", "--bind", "127.0.0.1", "--directory", str(tmp_path / airgap.FOLDER), str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        reach(port)
        assert "rank 2" in Desk(context.new_page(), f"http://127.0.0.1:{port}/").wake().type(OOM.read_text()).lower()
    finally:
        server.terminate()
        server.wait()


def reach(port: int) -> None:
    """Wait for a server."""
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    pytest.fail("python -m http.server did not start")
