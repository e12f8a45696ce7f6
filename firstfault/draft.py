# SPDX-License-Identifier: MIT
"""From an error that no entry knows to the first draft of its entry: candidates to choose from, then YAML with blanks to fill.

The same text is written by `firstfault new` and by the page that shows an unrecognised verdict. Everything in it is masked.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from . import placement
from .excerpt import Excerpt
from .masking import KINDS, Masker
from .prefixes import peel
from .templating import NoTemplate, template_of
from .yamltext import block, clean, value

MOST_CANDIDATES = 8
#: The longest signature that the schema takes, and the part of the line that marks it in its sample.
LONGEST_SIGNATURE, LONGEST_MARK = 200, 160
_PSEUDONYM = re.compile(rf"<({'|'.join(KINDS)})-\d{{1,4}}>")
_DIGITS = re.compile(r"\d+")


class DraftError(ValueError):
    """A line that no entry can be made of; the message says why and what to choose instead."""


def candidates(result: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The lines that may be the failure, likeliest first: what the verdict points at, then errors that nothing explains."""
    root = result.get("root") or {}
    rows: list[tuple[dict[str, Any], str]] = []
    if root and not root.get("entry"):
        rows += [(line, "the earliest error that nothing else explains") for line in (root.get("evidence") or [])[:1]]
    rows += [(line, "an error that no entry explains") for line in result.get("unexplained") or []]
    unknown = [row for row in result.get("consequences") or [] if not row.get("entry")]
    rows += [(line, "no entry knows it; it was taken for a consequence") for row in unknown for line in row.get("evidence", [])[:1]]
    masker = _masker(line["text"] for line, _why in rows)
    found: dict[str, dict[str, Any]] = {}
    for line, why in rows:
        text = clean(line["text"])
        message = peel(text)[0].strip()
        shape = _DIGITS.sub("#", message)[:200]
        if message and shape not in found and len(found) < MOST_CANDIDATES and _templated(message):
            rank = None if root.get("rank_assumed") else line.get("rank")  # a log of one process tells no rank
            found[shape] = {"file": line.get("file") or "", "line": line["line"], "rank": rank, "text": masker.mask(text).text[:600], "why": why}
    return list(found.values())


def _masker(lines: Iterable[str]) -> Masker:
    """A masker that knows every machine that these lines name."""
    masker = Masker()
    for text in lines:
        masker.learn(text)
    return masker


def _templated(message: str) -> bool:
    try:
        template_of(message)
    except NoTemplate:
        return False
    return True


def draft(excerpt: Excerpt, taken: Callable[[str], bool], rank: int | None = None, family: str = "") -> dict[str, Any]:
    """Make the draft of the excerpt's chosen line: ``id``, ``family``, ``file``, ``yaml``, and what was hidden."""
    numbered = excerpt.lines()
    at = next(place for place, (number, _text) in enumerate(numbered) if number == excerpt.chosen)
    masker = _masker(text for _number, text in numbered)
    lines = masker.mask_lines([clean(text).rstrip() for _number, text in numbered])
    line = lines[at]
    message, origin = peel(line)
    message = message.strip()
    try:
        made = template_of(message)
    except NoTemplate as error:
        raise DraftError(str(error)) from None
    layer, role = placement.layer_and_role(line)
    shelf = family or placement.family_of(message, "\n".join(lines))
    name = placement.id_of(made.wording, taken)
    mark = (message if message in line else line.strip())[:LONGEST_MARK].strip()
    told = origin.rank if rank is None else rank
    parts = {"id": name, "family": shelf, "layer": layer, "role": role, "mark": mark, "rank": told, "today": time.strftime("%Y-%m-%d", time.gmtime())}
    yaml = _yaml(parts, _cut(made.wording), made.template, lines)
    return {"id": name, "family": shelf, "file": f"entries/{shelf}/{name}.yaml", "yaml": yaml, "hidden": hidden(yaml), "sample": "\n".join(lines)}


def hidden(text: str) -> list[dict[str, Any]]:
    """What was replaced in a text: kind, how many different values, how often."""
    seen: dict[str, list[str]] = {}
    for found in _PSEUDONYM.finditer(text):
        seen.setdefault(found[1], []).append(found[0])
    return [{"kind": kind, "values": len(set(seen[kind])), "times": len(seen[kind])} for kind in KINDS if kind in seen]


def private(text: str) -> list[dict[str, Any]]:
    """What in a finished text still looks private, for a last look before it leaves: line, kind."""
    spans = Masker().mask(text).spans
    return [{"line": text.count("\n", 0, span.start) + 1, "kind": span.kind} for span in spans if span.kind != "url"]


def _cut(wording: str) -> str:
    """A wording as a signature: at most so long, ending with a whole word."""
    if len(wording) <= LONGEST_SIGNATURE:
        return wording
    return wording[:LONGEST_SIGNATURE].rpartition(" ")[0] or wording[:LONGEST_SIGNATURE]


def _yaml(parts: Mapping[str, Any], signature: str, template: str, lines: Sequence[str]) -> str:
    rank = "" if parts["rank"] is None else f"    rank: {parts['rank']}\n"
    return f"""\
# SPDX-License-Identifier: CC-BY-4.0
# A draft of entries/{parts['family']}/{parts['id']}.yaml. Fill what is '' and correct what was guessed: id, family, layer, role.
id: {parts['id']}
kind: failure
status: draft
created: "{parts['today']}"
updated: "{parts['today']}"
# The failure's name in a reader's words.
title: ''
# What the software prints. <name> stands for what differs from run to run.
signature: {value(signature)}
family: {parts['family']}
# Who prints the line: hardware, kernel, process, communication, launcher or scheduler.
layer: {parts['layer']}
# Two sentences: what it is, and what it nearly always means.
summary: ''
# The first thing to do, in one sentence.
first_step: ''
signals:
  - id: {value(_signal_id(parts['id']))}
    # root: can start a failure. either: may also follow from another one.
    role: {parts['role']}
    match:
      - {value(template)}
    emitter:
      # Whose software prints it: owner/repository, or linux.
      project: ''
      # source (read there; add file and commit), package (found in a release; add package: name==version), or report.
      evidence: report
samples:
  - log: {block(chr(10).join(lines), 4)}
    root_line: {value(parts['mark'])}
{rank}    provenance: re-enacted
    # The public thread's address, or the source file that prints the line.
    source: ''
# Where the facts come from. kind: source, docs, issue, paper, package or forum.
references:
  - kind: issue
    title: ''
    # An https address.
    url: ''
# A line that looks alike and is something else keeps the signal honest:
# near_misses:
#   - log: |
#       the other line
#     why: what it is instead
"""


def _signal_id(name: str) -> str:
    """A name for the one signal: it is addressed within its entry, so a few words do."""
    return "-".join(name.split("-")[-3:])[:40]
