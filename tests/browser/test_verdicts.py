# SPDX-License-Identifier: MIT
"""From a log to what the reader sees: each verdict has its own card."""
from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from firstfault import phrases
from tests.browser.desk import DESYNC, HEALTHY, OOM, UNKNOWN, WRAPPER, Desk
from tests.site_server import ROOT


def command_line(log: Path) -> dict:
    """What the terminal says about the same file."""
    done = subprocess.run([sys.executable, "-m", "firstfault", "diagnose", "--format", "json", str(log)], cwd=ROOT, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_pasted_log_gives_the_first_fault(home: Desk) -> None:
    heading = home.paste(OOM.read_text())
    assert home.kind() == "diagnosed"
    assert "Rank 2" in heading
    fault = home.page.inner_text(".ff-log__row--fault")
    assert "CUDA out of memory" in fault
    assert "26" in fault


def test_every_own_style_and_script_is_of_this_version(entry_desk: Desk) -> None:
    entry_desk.type(OOM.read_text())
    own = entry_desk.page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => /\\/assets\\/[\\w-]+\\.(css|js)/.test(name))")
    assert any("draft.css" in address for address in own)
    assert [address for address in own if "?v=" not in address] == []


def test_card_says_what_the_terminal_says(home: Desk) -> None:
    expected = command_line(OOM)
    home.type(OOM.read_text())
    assert expected["root"]["title"] in home.page.inner_text("#ff-verdict")
    shown = [node.get_attribute("data-entry") for node in home.page.query_selector_all("[aria-labelledby=ff-others] .ff-fold")]
    assert [group["entry"] for group in expected["consequences"]] == shown
    assert home.page.locator(".ff-events > li").count() == len(expected["events"])


def test_card_says_how_often_its_entry_was_right(home: Desk) -> None:
    """The counts on the labelled logs, in the words of the terminal."""
    measured = command_line(OOM)["root"]["measured"]
    assert measured["given"] > 0
    home.type(OOM.read_text())
    assert home.page.inner_text("#ff-measured") == f"This entry: {phrases.measured(measured)}."


def test_card_has_fix_proof_and_way_to_the_entry(home: Desk, site_url: str) -> None:
    home.type(OOM.read_text())
    assert home.page.locator("[aria-labelledby=ff-fix] ol > li").count() >= 2
    assert home.page.locator("[aria-labelledby=ff-verify] .ff-command").count() == 1
    assert home.page.locator("a:has-text('Open the entry')").evaluate("link => link.href") == f"{site_url}cuda-out-of-memory/"


def test_strip_flags_the_first_fault(home: Desk) -> None:
    home.type(OOM.read_text())
    assert "rank 2" in home.page.text_content(".ff-strip__flag")
    assert "line 26" in home.page.get_attribute(".ff-strip__svg", "aria-label")
    assert home.page.locator(".ff-strip__event[data-role=root]").count() == 1


def test_only_wrappers_need_more_evidence(home: Desk) -> None:
    home.type(WRAPPER)
    assert home.kind() == "needs-evidence"
    assert home.page.locator("#ff-collect").count() == 1
    assert "first fault" not in (home.page.text_content(".ff-context") or "")  # whatever the mark at its line shows or says


def test_unknown_failure_shows_its_line(home: Desk) -> None:
    home.type(UNKNOWN)
    assert home.kind() == "unrecognised"
    assert "FrobnicationError" in home.page.inner_text(".ff-log__row--fault")


def test_healthy_run_is_left_in_peace(home: Desk) -> None:
    heading = home.type(HEALTHY.read_text())
    assert home.kind() == "no-failure"
    assert "Nothing in" in heading
    assert home.page.locator(".ff-log__row--fault").count() == 0


def test_blank_file_says_that_nothing_was_there(home: Desk) -> None:
    home.drop(("empty.log", b""))
    assert home.kind() == "nothing-read"


def test_six_samples_each_give_a_verdict(home: Desk) -> None:
    buttons = home.page.locator(".ff-sample")
    assert buttons.count() == 6
    for index in range(6):
        home.clear()
        buttons.nth(index).click()
        assert home.verdict()


def test_copied_markdown_is_masked(home: Desk) -> None:
    secret = "hf_" + "Qw7" * 12
    log = OOM.read_text().replace("[rank2]: torch.cuda", f"[rank2]: HF_TOKEN={secret} torch.cuda")
    assert secret in log
    home.type(log)
    home.page.click("text=Copy for an issue")
    home.page.wait_for_selector("text=Copied")
    copied = home.page.evaluate("navigator.clipboard.readText()")
    assert "CUDA out of memory" in copied
    assert secret not in copied


def test_entry_page_says_yes(entry_desk: Desk) -> None:
    entry_desk.type(OOM.read_text())
    assert entry_desk.page.get_attribute(".ff-answer", "data-tone") == "yes"


def test_entry_page_says_what_it_is_instead(entry_desk: Desk) -> None:
    entry_desk.type(DESYNC.read_text())
    answer = entry_desk.page.inner_text(".ff-answer")
    assert entry_desk.page.get_attribute(".ff-answer", "data-tone") == "no"
    assert "not in your log" in answer
