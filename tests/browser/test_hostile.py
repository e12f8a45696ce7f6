# SPDX-License-Identifier: MIT
"""A log is a stranger's text: it is shown, never obeyed."""
from __future__ import annotations

from tests.browser.desk import OOM, Desk

PAYLOADS = (
    "<script>window.fired=1</script>",
    "<img src=x onerror=window.fired=1>",
    "<svg/onload=window.fired=1>",
    "<iframe srcdoc='<script>parent.fired=1</script>'></iframe>",
    '"><a href="javascript:window.fired=1">click</a>',
    "<details open ontoggle=window.fired=1>",
    "]]><style>*{display:none}</style>",
    "${window.fired=1} {{constructor.constructor('window.fired=1')()}}",
)
RTL, ZERO_WIDTH, TAG = "\u202e", "\u200b", "\U000e0041"


def test_markup_in_the_decisive_line_stays_text(home: Desk) -> None:
    page = home.page
    for payload in PAYLOADS:
        home.type(f"step 1\nRuntimeError: CUDA out of memory. {payload}\ntorch.OutOfMemoryError: CUDA out of memory. {payload} Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.15 GiB\n")
        assert payload in page.inner_text("#ff-result"), payload
        assert page.evaluate("window.fired") is None, payload
        assert page.locator("#ff-result :is(script, img, iframe, style, object, embed)").count() == 0, payload
        assert page.evaluate("[...document.querySelectorAll('#ff-result a')].filter((a) => !/^https?:$/.test(a.protocol)).length") == 0, payload
    assert home.errors == []


def test_markup_in_a_file_name_stays_text(home: Desk) -> None:
    name = "<img src=x onerror=window.fired=1>.log"
    home.drop((name, OOM.read_bytes()))
    assert name in home.page.inner_text(".ff-log__file")
    assert home.page.evaluate("window.fired") is None


def test_unseen_characters_are_written_out(home: Desk) -> None:
    home.type(f"x\n[rank2]: torch.OutOfMemoryError: CUDA out of memory. {RTL}abc{ZERO_WIDTH}def{TAG} Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.15 GiB\x07\n")
    shown = home.page.inner_text("#ff-result")
    for character in (RTL, ZERO_WIDTH, TAG, "\x07"):
        assert character not in shown
    for escape in ("‹U+202E›", "‹U+200B›", "‹U+E0041›"):
        assert escape in shown


def test_towers_of_combining_marks_are_cut_down(home: Desk) -> None:
    home.type("x\nRuntimeError: CUDA out of memory. Tried to allocate z" + "\u0301" * 500 + " 2.00 GiB\n")
    assert "\u0301" * 5 not in home.page.inner_text("#ff-result")


def test_one_endless_line_does_not_break_the_page(home: Desk) -> None:
    home.type("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. " + "A" * 200_000 + "\n")
    width = home.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width[0] <= width[1]
    assert "more characters" in home.page.inner_text("#ff-result")
