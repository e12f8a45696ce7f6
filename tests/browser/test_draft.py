# SPDX-License-Identifier: MIT
"""From an unrecognised log to its entry: drafted and checked in the browser, accepted by the command, built, and diagnosed."""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, expect

from tests import site_server
from tests.browser.desk import OOM, PATIENCE, Desk
from tests.site_server import ROOT

SECRET = "gpu-7.corp.example"
LOG = f"""\
[rank1]: step 41 loss 2.31
[rank3]: Traceback (most recent call last):
[rank3]:   File "/home/jdoe/train.py", line 10, in <module>
[rank3]:     main()
[rank3]: frobnicator.errors.FrobnicationError: the quuxifier on {SECRET}:29500 lost its widget 77
"""
ANOTHER = LOG.replace("widget 77", "widget 4").replace(SECRET, "n12.elsewhere.example").replace("rank3", "rank5").replace("jdoe", "somebody")
BLANKS = (
    "It's a lost widget", "A part that the quuxifier had been given is gone. It was dropped on purpose, by a test.", "Look at the test that prints it.",
    "example/frobnicator", "https://example.org/frobnicator/1", "The program that prints it", "https://example.org/frobnicator",
)


@pytest.fixture(scope="module")
def desk(chromium: Browser, site_url: str) -> Iterator[Desk]:
    context = chromium.new_context(permissions=["clipboard-read", "clipboard-write"], accept_downloads=True)
    yield Desk(context.new_page(), site_url).wake()
    context.close()


@pytest.fixture
def drafted(desk: Desk) -> Desk:
    """The page with a draft open and checked."""
    assert "Something failed" in desk.type(LOG)
    desk.page.wait_for_selector(".ff-candidate", timeout=PATIENCE)
    desk.page.click(".ff-candidate >> nth=0")
    expect(desk.page.locator(".ff-draft__state")).to_have_text(re.compile("^7 problems"), timeout=PATIENCE)
    return desk


def fill(desk: Desk) -> str:
    """Fill the blanks as a person does, and give the finished YAML."""
    for number, words in enumerate(BLANKS):
        if number:
            desk.page.keyboard.press("Control+Enter")
        desk.page.keyboard.type(words)
    expect(desk.page.locator(".ff-draft__state")).to_have_text("No problem: firstfault check accepts it.", timeout=PATIENCE)
    return desk.page.input_value(".ff-yaml")


def copy_of_the_checkout(folder: Path) -> Path:
    """The files of this checkout, with what is installed beside them by link."""
    listed = subprocess.run(["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    (folder / "node_modules").symlink_to(ROOT / "node_modules")
    shutil.copytree(ROOT / "build" / "runtime", folder / "build" / "runtime")
    return folder


def test_a_draft_becomes_an_entry_that_diagnoses_its_log(drafted: Desk, chromium: Browser, tmp_path: Path) -> None:
    yaml = fill(drafted)
    with drafted.page.expect_download() as saved:
        drafted.page.click(".ff-draft__pane button:text-is('Download')")
    name = saved.value.suggested_filename
    checkout = copy_of_the_checkout(tmp_path / "checkout")
    target = checkout / drafted.page.inner_text(".ff-draft__pane h4 code")
    assert target.name == name
    target.parent.mkdir(exist_ok=True)
    saved.value.save_as(target)
    assert target.read_text() == yaml

    environment = {**os.environ, "PYTHONPATH": str(checkout), "PYTHONDONTWRITEBYTECODE": "1"}
    check = [sys.executable, "-m", "firstfault", "check", str(target)]
    done = subprocess.run(check, cwd=checkout, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "1 entry, no problem\n", done.stdout + done.stderr
    built = [sys.executable, *site_server.BUILD, str(tmp_path / "site")]
    done = subprocess.run(built, cwd=checkout, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    with site_server.serve(tmp_path / "site") as address:
        context = chromium.new_context()
        desk = Desk(context.new_page(), address).wake()
        for log, rank in ((LOG, 3), (ANOTHER, 5)):
            assert re.fullmatch(rf"Rank {rank}( on \S+)? failed first: It's a lost widget", desk.type(log))
        assert context.new_page().goto(f"{address}{target.stem}/").ok
        context.close()


def test_no_text_of_the_log_stands_in_an_address_or_in_the_draft(drafted: Desk, site_url: str) -> None:
    page = drafted.page
    assert SECRET not in page.input_value(".ff-yaml") and "jdoe" not in page.input_value(".ff-yaml")
    links = [node.get_attribute("href") or "" for node in page.query_selector_all(".ff-draft a")]
    assert len(links) == 3
    for link in links:
        words = [value for values in parse_qs(urlsplit(link).query).values() for value in values]
        assert all(re.fullmatch(r"[a-z0-9-]+(\.ya?ml)?", word) for word in words), link
        assert "widget-77" not in link and "corp" not in link and "jdoe" not in link
    asked = [request.url for request in drafted.requests]
    assert all(url.startswith((site_url, "blob:", "data:")) and "quuxifier" not in url for url in asked)
    assert sum(url.endswith("/check.zip") for url in asked) == 1
    assert drafted.errors == []


def test_what_was_hidden_is_shown_before_it_leaves(drafted: Desk) -> None:
    page = drafted.page
    assert "Hidden in it: 1 user name, 1 host name." in page.inner_text(".ff-draft__leaves")
    assert page.locator(".ff-draft__hidden mark").all_inner_texts()[:2] == ["<user-1>", "<host-1>"]
    page.keyboard.type("ask jdoe@corp.example.com")
    expect(page.locator(".ff-draft__warning")).to_have_text("Still looks private: e-mail address in line 9.", timeout=PATIENCE)
    page.click("text=Copy the YAML")
    expect(page.locator("text=Copied").first).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.input_value(".ff-yaml")


def test_a_problem_leads_to_its_line(drafted: Desk) -> None:
    page = drafted.page
    page.click(".ff-problem >> text=first_step")
    line = page.eval_on_selector(".ff-yaml", "area => area.value.slice(0, area.selectionStart).split('\\n').at(-1)")
    assert line == "first_step: '"
    page.keyboard.type("isn't it: a # mark")
    page.keyboard.press("Control+z")
    page.keyboard.press("Enter")
    expect(page.locator(".ff-problem").first).to_be_visible()


def test_a_verdict_that_is_wrong_has_a_form_with_its_ids(desk: Desk) -> None:
    desk.type(OOM.read_text())
    fold = desk.page.locator("details.ff-draft")
    assert fold.get_attribute("open") is None
    fold.locator("summary").click()
    link = fold.locator("a", has_text="Report a wrong verdict").get_attribute("href")
    fields = parse_qs(urlsplit(link or "").query)
    assert fields["template"] == ["wrong-diagnosis.yml"] and fields["entry"] == ["cuda-out-of-memory"] and re.fullmatch(r"[0-9a-f]{12}", fields["database"][0])
