# SPDX-License-Identifier: MIT
"""The verdict page: the log beside the verdict, the picture, the ranks, the masks, the comparison, the hand-over."""
from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.desk import OOM, PATIENCE, UNKNOWN, WRAPPER, Desk
from tests.browser.runs import folder, one_log
from tests.browser.test_accessible import findings


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


def test_unexplained_lines_are_counted_and_stepped_through(home: Desk) -> None:
    home.type("ValueError: shape mismatch in the quux layer\n" + OOM.read_text())
    pane = home.page.locator(".ff-logview__bar")
    if "unexplained" in pane.inner_text():
        home.page.focus(".ff-logview__scroll")
        home.page.keyboard.press("u")
        expect(home.page.locator(".ff-logview__about")).to_contain_text("No entry explains this line")
    else:
        assert home.page.locator("#ff-unexplained").count() == 0


def test_large_log_is_never_in_the_page(home: Desk, tmp_path: Path) -> None:
    filler = "".join(f"step {number} loss 1.5 a line of a healthy run that says nothing\n" for number in range(1, 120_001))
    (tmp_path / "train.log").write_text(filler + OOM.read_text())
    home.choose(tmp_path / "train.log")
    assert chosen(home.page) == 120_026
    assert home.page.locator(".ff-logview__row").count() < 120
    home.page.eval_on_selector(".ff-logview__scroll", "box => { box.scrollTop = 50000 * 20; }")
    expect(home.page.locator(".ff-logview__row[data-line='50010']")).to_contain_text("step 50010 loss")
    expect(home.page.locator(".ff-logview__bar")).to_contain_text("120,")


def test_compressed_log_can_be_read_too(home: Desk) -> None:
    home.drop(("train.log.gz", gzip.compress(OOM.read_bytes())))
    assert chosen(home.page) == 26
    home.page.eval_on_selector(".ff-logview__scroll", "box => { box.scrollTop = 0; }")
    expect(home.page.locator(".ff-logview__row[data-line='1']")).to_have_count(1)


def test_a_folder_is_a_table_of_ranks_and_a_choice_of_files(home: Desk) -> None:
    home.drop(*folder(8, 3))
    rows = home.page.locator(".ff-ranks tbody tr")
    assert rows.count() == 8
    assert rows.nth(3).get_attribute("data-role") == "root"
    assert rows.nth(3).locator("[data-behind]").inner_text() == "9"
    assert home.page.locator(".ff-logview__file option").count() == 8
    assert home.page.locator(".ff-logview__file option:checked").inner_text() == "run/rank3.log"
    rows.nth(5).locator(".ff-jump").click()
    expect(home.page.locator(".ff-logview__file option:checked")).to_have_text("run/rank5.log")
    home.page.click(".ff-ranks th >> text=Last step")
    assert home.page.locator(".ff-ranks tbody tr").nth(0).get_attribute("data-role") == "root"


def test_a_thousand_ranks_are_one_canvas(home: Desk) -> None:
    heading = home.drop(("train.log", one_log(1024, 700).encode()))
    assert "Rank 700" in heading
    words = home.page.get_attribute(".ff-map__canvas", "aria-label") or ""
    assert "1,024 ranks" in words
    assert "rank 700" in words
    assert home.page.locator(".ff-strip *").count() < 60
    home.page.focus(".ff-strip__keys")
    home.page.keyboard.press("Home")
    home.page.keyboard.press("ArrowDown")
    assert "rank 701" in home.page.inner_text("#ff-mark") or "rank 701" in (home.page.text_content("#ff-mark") or "")
    fold = home.page.locator("#ff-others ~ .ff-fold").first
    assert "×1,023" in fold.inner_text()
    fold.locator("summary").click()
    assert "differs in" in fold.inner_text()


def test_masks_are_listed_and_one_kind_can_be_shown_in_this_copy(home: Desk) -> None:
    secret = "hf_" + "Qw7" * 12
    home.type(f"HF_TOKEN={secret} run by /home/marguerite/x\n" + OOM.read_text().replace("[rank2]: torch.cuda", f"[rank2]: HF_TOKEN={secret} /home/marguerite/x torch.cuda"))
    page = home.page
    assert secret not in page.inner_text(".ff-card")
    assert "marguerite" not in page.inner_text(".ff-logview")
    page.click(".ff-masks > summary")
    assert page.locator(".ff-masks__kind").count() >= 2
    assert "in no copy" in page.inner_text(".ff-masks__kind >> nth=0")
    page.check(".ff-masks__kind:has-text('user name') input")
    page.click("text=Copy for an issue")
    page.wait_for_selector("text=Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "marguerite" in copied
    assert secret not in copied


def test_why_not_the_last_line_is_one_sentence(home: Desk) -> None:
    home.type(OOM.read_text())
    assert re.match(r"Line \d+, .+: .+", home.page.inner_text(".ff-why__last"))


def test_comparison_names_the_first_new_line(home: Desk, tmp_path: Path) -> None:
    good = tmp_path / "good.log"
    good.write_text("".join(OOM.read_text().splitlines(keepends=True)[:20]) + "Training finished\n")
    home.type(OOM.read_text())
    with home.page.expect_file_chooser() as chooser:
        home.page.click("text=Compare with a good run…")
    chooser.value.set_files(good)
    home.page.wait_for_selector("#ff-compared", timeout=PATIENCE)
    section = home.page.locator("[aria-labelledby=ff-compared]")
    assert "never appears in the good run" in section.inner_text()
    assert section.locator(".ff-log__row--fault").count() == 1
    assert "Training finished" in section.text_content()


def test_what_a_browser_cannot_open_is_handed_over(home: Desk) -> None:
    home.drop(("my run's.log.zst", b"\x28\xb5\x2f\xfd" + b"\0" * 400), ("rank0.log", OOM.read_bytes()))
    card = home.page.inner_text(".ff-handover")
    assert "Not everything could be read here" in card
    assert "'my run'\\''s.log.zst' rank0.log --html report.html" in card
    assert home.kind() == "diagnosed"


@pytest.mark.parametrize(("name", "quoted"), [
    ("a.log", "a.log"), ("-rf", "./-rf"), ("a b", "'a b'"), ("$(x)", "'$(x)'"), ("it's", "'it'\\''s'"), ("a\nb", "$'a\\x0ab'"), ("é.log", "'é.log'"),
])
def test_names_are_one_word_of_a_shell(home: Desk, site_url: str, name: str, quoted: str) -> None:
    assert home.page.evaluate("async ([url, name]) => (await import(url)).shellQuoted(name)", [f"{site_url}assets/handover.js", name]) == quoted


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_verdicts(chromium: Browser, site_url: str, scheme: str) -> None:
    context = chromium.new_context(color_scheme=scheme, reduced_motion="reduce")
    desk = Desk(context.new_page(), site_url)
    for files in (folder(8, 3), [("k.log", one_log(1024, 700).encode())], [("w.log", WRAPPER.encode())], [("u.log", UNKNOWN.encode())]):
        desk.drop(*files)
        desk.page.evaluate("document.querySelectorAll('#ff-result details').forEach((fold) => { fold.open = true; })")
        assert findings(desk.page) == []
    context.close()


@pytest.mark.parametrize("width", [320, 390])
def test_phone_has_no_sideways_scrolling(chromium: Browser, site_url: str, width: int) -> None:
    context = chromium.new_context(viewport={"width": width, "height": 800}, has_touch=True, is_mobile=True)
    desk = Desk(context.new_page(), site_url)
    for files in (folder(8, 3), [("one.log", one_log(32, 9).encode())], [("many.log", one_log(64, 9).encode())]):
        desk.drop(*files)
        desk.page.evaluate("document.querySelectorAll('#ff-result details').forEach((fold) => { fold.open = true; })")
        assert desk.page.evaluate("document.documentElement.scrollWidth") <= width
        boxes = "[...document.querySelectorAll('.ff-strip__view, .ff-ranks__scroll')]"
        assert desk.page.evaluate(f"{boxes}.length === 2 && {boxes}.every((box) => box.scrollWidth <= box.clientWidth)")
        assert desk.page.evaluate("[...document.querySelectorAll('.ff-strip__svg text')].every((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a > 10)")
    context.close()
