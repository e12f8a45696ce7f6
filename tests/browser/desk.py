# SPDX-License-Identifier: MIT
"""A reader in front of the diagnosis page: gives logs, waits for the verdict, reads it."""
from __future__ import annotations

from pathlib import Path

from playwright.sync_api import ConsoleMessage, Page, Request, Worker

from tests.site_server import ROOT

CASES = ROOT / "tests" / "cases"
# Python starts in a second on a free machine; on a loaded one a test must not fail for that.
PATIENCE = 120_000

OOM = CASES / "pytorch-distributed" / "39-one-rank-gpu-oom-others-time-out.log"
HEALTHY = CASES / "training-frameworks" / "36-neg-ds-loss-scale-settles.log"
DESYNC = CASES / "pytorch-distributed" / "12-fsdp-reduce-vs-allgather-desync.log"
WRAPPER = """\
torch.distributed.elastic.multiprocessing.errors.ChildFailedError:
============================================================
train.py FAILED
------------------------------------------------------------
Failures:
  <NO_OTHER_FAILURES>
------------------------------------------------------------
Root Cause (first observed failure):
[0]:
  time      : 2024-08-14_07:25:18
  host      : train-0-w-0
  rank      : 3 (local_rank: 3)
  exitcode  : 1 (pid: 21843)
  error_file: <N/A>
  traceback : To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html
============================================================
"""
UNKNOWN = """\
Traceback (most recent call last):
  File "/srv/train.py", line 10, in <module>
    main()
frobnicator.errors.FrobnicationError: the quuxifier lost its widget 77
"""


class Desk:
    """One page with the diagnosis on it; everything it asked for and printed is kept."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.requests: list[Request] = []
        self.console: list[str] = []
        self.errors: list[str] = []
        page.on("request", lambda request: self.requests.append(request))
        page.on("console", self._print)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(address)
        page.wait_for_selector("#ff-text")

    def _print(self, message: ConsoleMessage) -> None:
        self.console.append(message.text)

    def wake(self) -> Desk:
        """Show the intent, and wait until the engine is ready."""
        self.page.focus("#ff-text")
        self.page.wait_for_selector("text=Engine ready", timeout=PATIENCE)
        return self

    def worker(self) -> Worker:
        """The engine's worker; the theme's search has one of its own."""
        (found,) = [worker for worker in self.page.workers if worker.url.startswith("blob:")]
        return found

    def type(self, text: str) -> str:
        """Put text into the box, press the button, give the verdict."""
        self.clear()
        self.page.fill("#ff-text", text)
        self.page.click(".ff-intake [type=submit]")
        return self.verdict()

    def paste(self, text: str) -> str:
        """Paste as a person does."""
        self.clear()
        self.page.evaluate(
            """text => {
                const data = new DataTransfer();
                data.setData("text/plain", text);
                const box = document.getElementById("ff-text");
                box.focus();
                if (box.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}))) box.value = text;
            }""",
            text,
        )
        return self.verdict()

    def drop(self, *files: tuple[str, bytes]) -> str:
        """Drop files somewhere on the page."""
        self.clear()
        self.page.evaluate(
            """files => {
                const data = new DataTransfer();
                for (const [name, bytes] of files) data.items.add(new File([new Uint8Array(bytes)], name));
                for (const kind of ["dragenter", "dragover", "drop"])
                    document.body.dispatchEvent(new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true}));
            }""",
            [[name, list(content)] for name, content in files],
        )
        return self.verdict()

    def choose(self, *paths: Path) -> str:
        """Choose files in the dialogue."""
        self.clear()
        with self.page.expect_file_chooser() as chooser:
            self.page.click("text=Choose files…")
        chooser.value.set_files(list(paths))
        return self.verdict()

    def verdict(self) -> str:
        """Wait for the card; give its heading."""
        self.page.wait_for_selector("#ff-verdict, .ff-alarm:not([hidden])", timeout=PATIENCE)
        assert not self.alarm(), self.alarm()
        return self.page.inner_text("#ff-verdict")

    def kind(self) -> str | None:
        """The verdict that the card shows."""
        return self.page.get_attribute(".ff-card", "data-verdict")

    def alarm(self) -> str:
        """What the page says is wrong."""
        box = self.page.query_selector(".ff-alarm:not([hidden])")
        return box.inner_text() if box else ""

    def clear(self) -> None:
        """Begin again, with the same engine."""
        if self.page.query_selector("#ff-verdict"):
            self.page.click("text=Another log")
