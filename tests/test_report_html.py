# SPDX-License-Identifier: MIT
"""The verdict as one file: masked, asking nobody for anything, opened from a disk, never written over what is not ours."""
from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from firstfault import cli, report_html
from firstfault.database import load
from firstfault.diagnose import Session
from hooks import reportpage

OOM = "[rank2]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 336.00 MiB. GPU 0 has a total capacity of 79.15 GiB\n"
HOSTILE = "[rank1]: RuntimeError: </script><script>document.title='owned'</script><!-- %FIRSTFAULT-DATA% /home/marguerite/x\n"


@pytest.fixture
def result(monkeypatch: pytest.MonkeyPatch) -> dict:
    """A verdict on a log that wants out of its page; the page is the checkout's own."""
    monkeypatch.setattr(report_html, "template", reportpage.template)
    session = Session(load())
    session.open("train.log")
    session.feed((HOSTILE + OOM).encode())
    session.close()
    return session.result()


def test_data_cannot_leave_its_element_and_is_masked(result: dict) -> None:
    page = report_html.render(result)
    data = re.search(r'id="ff-data">(.*?)</script>', page, re.DOTALL)
    assert data is not None
    assert json.loads(data[1])["result"]["root"]["entry"]
    assert page.count("<script") == 2
    assert "marguerite" not in page
    assert "%FIRSTFAULT-TITLE%" not in page


def test_it_opens_from_a_disk_and_asks_for_nothing(result: dict, chromium: Browser, tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text(report_html.render(result), encoding="utf-8")
    context = chromium.new_context()
    page = context.new_page()
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto((tmp_path / "report.html").as_uri())
    page.wait_for_selector("#ff-verdict")
    assert "out of memory" in page.inner_text("#ff-verdict").lower()
    assert page.locator(".ff-logview__row").count() > 0
    assert asked == [(tmp_path / "report.html").as_uri()]
    assert said == []
    assert page.title() != "owned"
    context.close()


def test_without_scripts_the_text_is_there(result: dict, chromium: Browser, tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text(report_html.render(result), encoding="utf-8")
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((tmp_path / "report.html").as_uri())
    assert "CUDA out of memory" in page.inner_text("#ff-result")
    context.close()


def test_command_writes_it_and_spares_what_is_not_a_report(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    monkeypatch.setattr(report_html, "template", reportpage.template)
    log, target, other = tmp_path / "train.log", tmp_path / "report.html", tmp_path / "notes.html"
    log.write_text(OOM)
    other.write_text("<!doctype html><p>mine")
    for _ in range(2):  # an earlier report may be written over
        assert cli.main(["diagnose", str(log), "--html", str(target)]) == 0
    assert target.read_text().startswith("<!doctype html>")
    capsys.readouterr()
    for refused, words in ((log, "is one of the logs"), (other, "no earlier report"), (tmp_path, "is a folder"), (tmp_path / "no" / "x.html", "does not exist")):
        assert cli.main(["diagnose", str(log), "--html", str(refused)]) == 2
        assert words in capsys.readouterr().err
    assert log.read_text() == OOM


def test_a_form_that_cannot_be_put_together_is_told(tmp_path: Path) -> None:
    for sheet in reportpage.SHEETS:
        (tmp_path / f"{sheet}.css").write_text("")
    for source in ("export default 1;\n", 'import all from "./x.js";\n', "const a = await import(name);\n"):
        (tmp_path / "report.js").write_text(source)
        with pytest.raises(reportpage.ReportPageError, match=r"report\.js"):
            reportpage.template(tmp_path)
