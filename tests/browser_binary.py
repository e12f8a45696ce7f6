# SPDX-License-Identifier: MIT
"""Finds the browser that the tests drive, and fetches one where there is none.

In this order: what FIRSTFAULT_BROWSER names, an installed Chromium or Chrome, the one that Playwright manages, Debian's
``chromium`` package. None to be had is an error: browser tests that skip in silence are no tests.
``python -m tests.browser_binary`` does it and prints the path; ``make test`` runs that before the first test.
"""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

INSTALLED = (
    "chromium", "google-chrome", "google-chrome-stable", "chromium-browser", "chrome", "microsoft-edge",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)

# Nothing but the tests may cause traffic: the browser's own look-ups and updates are switched off.
FLAGS = (
    "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--no-first-run",
)


class BrowserMissing(RuntimeError):
    """No browser can be found or installed; the message says what to do."""


def flags() -> list[str]:
    """FLAGS, and no sandbox for root, for whom Chromium refuses to start with one."""
    return [*FLAGS, "--no-sandbox"] if os.geteuid() == 0 else list(FLAGS)


def runs(binary: str) -> bool:
    """Whether it answers with its version: a distribution's stub that only points to a store does not."""
    try:
        done = subprocess.run([binary, "--version"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0 and bool(done.stdout.strip())


def prepare_driver() -> None:
    """Lets Playwright use the Node.js on PATH where its own does not start (on a bare Debian it lacks libatomic)."""
    from playwright._impl._driver import compute_driver_executable

    own, _ = compute_driver_executable()
    node = shutil.which("node")
    if node and not runs(str(own)):
        os.environ["PLAYWRIGHT_NODEJS_PATH"] = node


def candidates() -> Iterator[str]:
    """Paths worth trying, the cheap ones first."""
    for name in INSTALLED:
        if path := shutil.which(name):
            yield path
    from playwright.sync_api import sync_playwright  # starts a driver process: only when nothing is installed

    prepare_driver()
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    if Path(path).is_file():
        yield path


def find() -> str | None:
    """The first browser that runs, or None."""
    if named := os.environ.get("FIRSTFAULT_BROWSER"):
        if runs(named):
            return named
        raise BrowserMissing(f"FIRSTFAULT_BROWSER names {named!r}, which does not run")
    return next((path for path in candidates() if runs(path)), None)


def install_from_debian() -> None:
    """Runs apt-get, as root on Debian and its kin; elsewhere a person has to decide."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        raise BrowserMissing(
            "The browser tests need Chromium or Chrome and found none. Install one (Debian: apt-get install chromium), or run "
            "`.venv/bin/python -m playwright install chromium`, or name one: FIRSTFAULT_BROWSER=/path/to/chrome make test"
        )
    print("set-up: no browser found: installing Debian's chromium", file=sys.stderr, flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"]):
        done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode:
            raise BrowserMissing(f"`{' '.join(command)}` failed, so the browser tests cannot run:\n{done.stdout[-1000:]}{done.stderr[-2000:]}")


def ensure() -> str:
    """Path of a browser that runs; raises BrowserMissing with the way out."""
    if found := find():
        return found
    install_from_debian()
    if found := find():
        return found
    raise BrowserMissing("Debian's chromium was installed, but no browser runs; try `chromium --version` to see why")


if __name__ == "__main__":
    try:
        print(f"browser: {ensure()}")
    except BrowserMissing as error:
        raise SystemExit(f"set-up: {error}") from None
