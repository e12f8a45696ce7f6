# SPDX-License-Identifier: MIT
"""The verdict as one file that opens anywhere: the page of the site with the masked result inside, and no request.

The page itself is made where the site is made (hooks/reportpage.py) and carried as data; here only its places are filled.
"""
from __future__ import annotations

import html
import json
import os
import re
from collections.abc import Mapping
from typing import Any

DATA, TEXT, TITLE = "%FIRSTFAULT-DATA%", "%FIRSTFAULT-TEXT%", "%FIRSTFAULT-TITLE%"
FILE = "report.html"
_BEGIN = b"<!doctype html>"
_MARK = b'content="firstfault diagnose --html"'


class HtmlError(ValueError):
    """The file cannot be written; the message says why and what to do."""


def template() -> str:
    """The page that this package carries."""
    from importlib import resources

    path = resources.files("firstfault") / "data" / FILE
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise HtmlError("this copy of firstfault has no report page; in a checkout run `make`, else install it again") from None


def render(result: Mapping[str, Any], site: str = "") -> str:
    """The whole file; always masked, since files travel."""
    from .phrases import headline, title
    from .redact import mask_result, masker_for
    from .report import render as report

    masker = masker_for(result)
    shown = mask_result(result, masker)
    markdown = report(result, "markdown", masker=masker)
    name = " - ".join(part for part in (headline(shown), title(shown), "First Fault") if part)
    # Inside a script element only `<` could act: no end tag, no comment begins without it.
    data = json.dumps({"result": shown, "markdown": markdown, "site": site}).replace("<", "\\u003c")
    filled = {DATA: data, TEXT: html.escape(markdown), TITLE: html.escape(name)}
    return re.sub("|".join(map(re.escape, filled)), lambda found: filled[found[0]], template())


def check(target: str, inputs: list[str]) -> None:
    """Refuse to write over anything but an earlier report, before the logs are read."""
    if target == "-":
        raise HtmlError("give --html a file name, as in --html report.html")
    folder = os.path.dirname(target) or "."  # noqa: PTH120 - pathlib takes milliseconds to import
    if not os.path.isdir(folder):  # noqa: PTH112
        raise HtmlError(f"{target}: the folder does not exist; make it first, or name another")
    if os.path.isdir(target):  # noqa: PTH112
        raise HtmlError(f"{target}: is a folder; give the name of a file, as in --html report.html")
    if not os.path.exists(target):  # noqa: PTH110
        return
    if any(os.path.exists(path) and os.path.samefile(path, target) for path in inputs if path != "-"):  # noqa: PTH110, PTH121
        raise HtmlError(f"{target}: is one of the logs; name another file for the report")
    with open(target, "rb") as data:  # noqa: PTH123 - pathlib takes milliseconds to import
        head = data.read(2048)
    if head and not (head.startswith(_BEGIN) and _MARK in head):
        raise HtmlError(f"{target}: exists and is no earlier report; name another file, or remove it first")


def write(target: str, result: Mapping[str, Any], site: str = "") -> None:
    """Write the file."""
    text = render(result, site)
    with open(target, "w", encoding="utf-8", newline="\n") as data:  # noqa: PTH123
        data.write(text)
