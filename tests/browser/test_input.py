# SPDX-License-Identifier: MIT
"""Ways in: drop, choose, compressed, archives, large; and the way out: cancel."""
from __future__ import annotations

import gzip
import io
import zipfile
from pathlib import Path

from tests.browser.desk import OOM, PATIENCE, WRAPPER, Desk

CASES = Path(__file__).resolve().parent.parent / "cases" / "reproduced"


def test_dropped_files_are_read_together(home: Desk) -> None:
    heading = home.drop(("launcher.log", WRAPPER.encode()), ("rank2.log", OOM.read_bytes()))
    assert "Rank 2" in heading
    assert home.page.inner_text(".ff-log__file").startswith("rank2.log:")
    assert "2 files" in home.page.inner_text(".ff-card__foot")


def test_gzip_is_read(home: Desk) -> None:
    assert "Rank 2" in home.drop(("train.log.gz", gzip.compress(OOM.read_bytes())))


def test_zip_is_read_member_by_member(home: Desk) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("logs/rank2.log", OOM.read_bytes())
        archive.writestr("logs/empty.log", b"")
    assert "Rank 2" in home.drop(("logs.zip", packed.getvalue()))


def test_log_tree_and_flight_recorder_dumps_in_one_zip(home: Desk) -> None:
    """A real gloo run in which rank 1 skipped a collective: its torchrun tree and its dumps, dropped as one archive."""
    folder = CASES / "flight-recorder-skip"
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            archive.write(path, f"run/{path.relative_to(folder)}")
    assert "Rank 1" in home.drop(("run.zip", packed.getvalue()))


def test_chosen_files_are_read(home: Desk, tmp_path: Path) -> None:
    log = tmp_path / "chosen.log"
    log.write_bytes(OOM.read_bytes())
    assert "Rank 2" in home.choose(log)
    assert home.page.inner_text(".ff-intake__chosen").startswith("1 file")


def test_what_is_no_log_is_named_and_passed_over(home: Desk) -> None:
    heading = home.drop(("weights.pt", b"\x80\x04" + bytes(2000)), ("train.log", OOM.read_bytes()))
    assert "Rank 2" in heading
    assert "weights.pt" in home.page.inner_text(".ff-card__foot")


def test_a_very_large_paste_becomes_a_file(home: Desk) -> None:
    heading = home.paste("step 1 loss 2.0\n" * 40_000 + OOM.read_text())
    assert "Rank 2" in heading
    assert home.page.input_value("#ff-text") == ""


def test_cancel_keeps_the_input_and_the_next_run_works(home: Desk) -> None:
    lines = b"".join(b"[rank%d]: step %d loss %f unlike the others %x\n" % (n % 8, n, n / 7, n * 2654435761) for n in range(900_000))
    home.clear()
    home.page.evaluate(
        """async ([line, times]) => {
            const data = new DataTransfer();
            data.items.add(new File(Array(times).fill(line), "large.log"));
            for (const kind of ["dragenter", "dragover", "drop"])
                document.body.dispatchEvent(new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true}));
        }""",
        [lines[:2_000_000].decode(), 200],
    )
    home.page.wait_for_selector("text=/Reading large.log: .* of 400 MB/", timeout=PATIENCE)
    home.page.click("text=Cancel")
    assert home.page.inner_text(".ff-intake__chosen").startswith("1 file")
    assert home.page.query_selector("#ff-verdict") is None
    assert "Rank 2" in home.type(OOM.read_text())


def test_keyboard_is_enough(home: Desk) -> None:
    page = home.page
    page.focus("#ff-text")
    page.keyboard.insert_text(OOM.read_text())
    page.keyboard.press("Control+Enter")
    home.verdict()
    assert page.evaluate("document.activeElement.id") == "ff-verdict"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Copy for an issue"
    summary = page.locator("[aria-labelledby=ff-others] summary").first
    summary.focus()
    page.keyboard.press("Enter")
    assert page.locator("[aria-labelledby=ff-others] details").first.get_attribute("open") is not None
