# SPDX-License-Identifier: MIT
"""No browser is an error that says what to do; a stub that only looks like one is passed over."""
from __future__ import annotations

from pathlib import Path

import pytest

from tests import browser_binary


def script(path: Path, body: str) -> str:
    """An executable shell script."""
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return str(path)


def test_a_stub_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stub = script(tmp_path / "stub", "echo 'install it from the store' >&2; exit 10")
    real = script(tmp_path / "real", "echo Chromium 1.2.3")
    monkeypatch.delenv("FIRSTFAULT_BROWSER", raising=False)
    monkeypatch.setattr(browser_binary, "candidates", lambda: iter([stub, real]))
    assert browser_binary.ensure() == real


def test_none_to_be_had_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FIRSTFAULT_BROWSER", raising=False)
    monkeypatch.setattr(browser_binary, "candidates", lambda: iter([]))
    monkeypatch.setattr(browser_binary.os, "geteuid", lambda: 1000)
    with pytest.raises(browser_binary.BrowserMissing, match="apt-get install chromium"):
        browser_binary.ensure()


def test_a_failing_apt_get_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path / "apt-get", "echo 'E: no space left' >&2; exit 100")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(browser_binary.os, "geteuid", lambda: 0)
    with pytest.raises(browser_binary.BrowserMissing, match="no space left"):
        browser_binary.install_from_debian()


def test_a_named_browser_that_does_not_run_is_not_replaced_in_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIRSTFAULT_BROWSER", "/nowhere/chrome")
    with pytest.raises(browser_binary.BrowserMissing, match="/nowhere/chrome"):
        browser_binary.ensure()
