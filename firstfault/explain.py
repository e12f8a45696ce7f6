# SPDX-License-Identifier: MIT
"""One entry in the terminal, offline: the same fields as its page, in the same order."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from . import phrases
from .report_markdown import code, fence
from .terminal import Style, visible, wrap

FORMATS = ("text", "markdown", "json")
RELATIONS = {"causes": "can cause", "caused_by": "can be caused by", "wraps": "hides", "wrapped_by": "is hidden by",
             "confused_with": "is confused with", "supersedes": "is a better name than", "superseded_by": "is better named"}
MOMENTS = {"fault": "first fault", "prints": "prints the line", "ends": "ends"}
KINDS = {"failure": "a failure", "wrapper": "a wrapper: the line only reports that something else failed", "benign": "looks bad, is harmless"}


def render(entry: Mapping[str, Any], form: str = "text", width: int = 100, style: Style | None = None) -> str:
    """The entry in one of `FORMATS`."""
    if form == "json":
        return json.dumps(entry, ensure_ascii=True, indent=1) + "\n"
    writer = _Markdown() if form == "markdown" else _Text(width, style or Style())
    for section in _SECTIONS:
        section(entry, writer)
    return writer.text()


def listing(entries: Mapping[str, Mapping[str, Any]], form: str = "text", width: int = 100, style: Style | None = None) -> str:
    """All entries by family: what there is to explain."""
    if form == "json":
        return json.dumps([{key: entry[key] for key in ("id", "title", "kind", "family")} for entry in entries.values()], ensure_ascii=True, indent=1) + "\n"
    writer = _Markdown() if form == "markdown" else _Text(width, style or Style())
    writer.title(f"{len(entries)} entries: firstfault explain ID")
    for family in sorted({entry["family"] for entry in entries.values()}):
        writer.head(family)
        for id_ in sorted(id_ for id_, entry in entries.items() if entry["family"] == family):
            writer.item(f"{id_}: {entries[id_]['title']}")
    return writer.text()


class _Text:
    """Writes for a terminal."""

    def __init__(self, width: int, style: Style) -> None:
        self.width, self.style, self.lines = width, style, []

    def title(self, text: str) -> None:
        self.lines.append(self.style(visible(text), "bold"))

    def head(self, text: str) -> None:
        self.lines += ["", self.style(text.upper(), "bold")]

    def say(self, prose: str) -> None:
        self.lines += wrap(phrases.plain(prose), self.width, "  ")

    def item(self, prose: str, number: int = 0) -> None:
        self.lines += wrap(phrases.plain(prose), self.width, f"  {number}. " if number else "  - ")

    def literal(self, text: str) -> None:
        self.lines += wrap(visible(text), self.width, "  - ")

    def under(self, prose: str) -> None:
        self.lines += wrap(phrases.plain(prose), self.width, "     ")

    def block(self, text: str, command: bool = True) -> None:
        paint = ["cyan"] if command else []
        self.lines += ["     " + self.style(visible(line), *paint) for line in text.rstrip().split("\n")]

    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.lines) + "\n"


class _Markdown:
    """Writes Markdown. An entry's prose is Markdown already; what the machine printed goes into fences."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def gap(self) -> None:
        if self.lines[-1:] != [""]:
            self.lines.append("")

    def title(self, text: str) -> None:
        self.lines += [f"# {text}", ""]

    def head(self, text: str) -> None:
        self.gap()
        self.lines += [f"## {text}", ""]

    def say(self, prose: str) -> None:
        self.lines += [prose.strip(), ""]

    def item(self, prose: str, number: int = 0) -> None:
        lead = f"{number}. " if number else "- "
        self.lines.append(lead + prose.strip().replace("\n", "\n" + " " * len(lead)))

    def literal(self, text: str) -> None:
        self.lines.append("- " + code(text))

    def under(self, prose: str) -> None:
        self.lines.append("   " + prose.strip().replace("\n", "\n   "))

    def block(self, text: str, command: bool = True) -> None:
        self.gap()
        self.lines += [*("   " + line for line in fence(text.rstrip().split("\n"), "sh" if command else "text").split("\n")), ""]

    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.lines).strip() + "\n"


_Writer = _Text | _Markdown
_Entry = Mapping[str, Any]


def _top(entry: _Entry, to: _Writer) -> None:
    to.title(entry["title"])
    to.say(f"{entry['id']}: {KINDS.get(entry['kind'], entry['kind'])}; {entry['family']}, {entry['layer']}"
           + (f"; {entry['status']}" if entry.get("status") != "stable" else ""))
    to.block(entry["signature"], command=False)
    to.say(entry["summary"])
    to.say("First: " + entry["first_step"])


def _prose(field: str, heading: str) -> Callable[[_Entry, _Writer], None]:
    def section(entry: _Entry, to: _Writer) -> None:
        if entry.get(field):
            to.head(heading)
            to.say(entry[field])
    return section


def _bullets(field: str, heading: str) -> Callable[[_Entry, _Writer], None]:
    def section(entry: _Entry, to: _Writer) -> None:
        if entry.get(field):
            to.head(heading)
            for item in entry[field]:
                to.item(item)
    return section


def _pairs(field: str, heading: str, *names: str) -> Callable[[_Entry, _Writer], None]:
    """A table as a list: the first column leads, the others stand below it."""
    def section(entry: _Entry, to: _Writer) -> None:
        if entry.get(field):
            to.head(heading)
        for row in entry.get(field) or []:
            to.item(row[names[0]])
            for name in names[1:]:
                if row.get(name):
                    to.under(row[name] if len(names) == 2 else f"{name.replace('_', ' ')}: {row[name]}")
    return section


def _wordings(entry: _Entry, to: _Writer) -> None:
    if entry.get("wordings"):
        to.head("The message as versions word it")
    for row in entry.get("wordings") or []:
        to.literal(row["text"])
        to.under(row["where"])


def _confirm(entry: _Entry, to: _Writer) -> None:
    if entry.get("confirm"):
        to.head("How to confirm")
    for number, check in enumerate(entry.get("confirm") or [], 1):
        to.item(check["do"], number)
        if check.get("command"):
            to.block(check["command"])
        to.under("positive: " + check["positive"])
        if check.get("negative"):
            to.under("if not: " + check["negative"])


def _fix(entry: _Entry, to: _Writer) -> None:
    fix = entry.get("fix")
    if not fix:
        return
    to.head("Fix")
    for number, step in enumerate(fix["steps"], 1):
        to.item(step["do"], number)
        if step.get("command"):
            to.block(step["command"])
        if step.get("cost"):
            to.under("costs: " + step["cost"])
        warning = phrases.flags(step, phrases.STEP_FLAGS)
        if warning:
            to.under("careful: " + warning)
    to.head("Why it works")
    to.say(fix["why"])
    to.head("Prevention")
    for item in fix["prevention"]:
        to.item(item)


def _verify(entry: _Entry, to: _Writer) -> None:
    if entry.get("verify"):
        to.head("Verify")
        to.block(entry["verify"]["command"])
        to.under("expected: " + entry["verify"]["expected"])
        to.under("otherwise: " + entry["verify"]["otherwise"])
    if entry.get("restart"):
        to.head("Restart?")
        to.say(f"{phrases.RESTART[entry['restart']['helps']]}. Resume from: {entry['restart']['resume_from']}")


def _unhide(entry: _Entry, to: _Writer) -> None:
    if entry.get("unhide"):
        to.head("Where the real error is")
        to.say(entry["unhide"]["where"])
        to.say(entry["unhide"]["how"])
        if entry["unhide"].get("command"):
            to.block(entry["unhide"]["command"])


def _timeline(entry: _Entry, to: _Writer) -> None:
    """Who waits for whom: the page draws it, here each moment is an item."""
    if entry.get("timeline"):
        to.head("Who waits for whom")
        to.say(entry["timeline"]["caption"] + ".")
    for number, step in enumerate((entry.get("timeline") or {}).get("steps", []), 1):
        events = []
        for event in step["events"]:
            kind = f" ({MOMENTS[event['kind']]})" if event.get("kind") else ""
            events.append(f"{event['lane']}: {event['text']}{kind}" + (f"; waits for {event['waits_for']}" if event.get("waits_for") else ""))
        to.item((f"{step['when']}: " if step.get("when") else "") + ". ".join(events), number)


def _collect(entry: _Entry, to: _Writer) -> None:
    if entry.get("collect"):
        to.head("Collect, when only this line is there")
    for item in entry.get("collect") or []:
        cost = phrases.flags(item, phrases.COLLECT_FLAGS)
        to.item(item["what"] + (f" ({cost})" if cost else ""))
        if item.get("command"):
            to.block(item["command"])
        to.under("tells apart: " + item["separates"])


def _example(entry: _Entry, to: _Writer) -> None:
    sample = next(iter(entry.get("samples") or []), None)
    if sample:
        to.head("Example log")
        to.block(sample["log"], command=False)
        to.under(f"The decisive line holds: `{sample['root_line']}` ({sample['provenance']}, {sample['source']})")
    for listing in entry.get("code") or []:
        to.head(listing["caption"])
        to.block(listing["text"], command=False)


def _decision(entry: _Entry, to: _Writer) -> None:
    if entry.get("decision"):
        to.head("Decide")
        _question(entry["decision"], to, "")


def _question(question: _Entry, to: _Writer, path: str) -> None:
    to.item(path + question["ask"])
    for answer in question["answers"]:
        ends = " ".join(part for part in (answer.get("do", ""), f"-> {answer['entry']}" if answer.get("entry") else "") if part)
        to.under(f"{answer['answer']}: {ends or 'see below'}")
    for answer in question["answers"]:
        if answer.get("then"):
            _question(answer["then"], to, f"({answer['answer']}) ")


def _related(entry: _Entry, to: _Writer) -> None:
    if entry.get("related"):
        to.head("Related failures")
    for relation in entry.get("related") or []:
        to.item(f"{RELATIONS.get(relation['type'], relation['type'])} {relation['id']}" + (f": {relation['title']}" if relation.get("title") else ""))
        if relation.get("tell"):
            to.under(relation["tell"])


def _measured(entry: _Entry, to: _Writer) -> None:
    to.head("Measured")
    to.say(phrases.measured(entry.get("measured")).capitalize() + ".")


def _references(entry: _Entry, to: _Writer) -> None:
    to.head("References")
    for reference in entry["references"]:
        to.item(f"{reference['title']} ({reference['kind']})")
        to.under(reference["url"])


_SECTIONS: list[Callable[[_Entry, _Writer], None]] = [
    _top, _prose("about", "What this failure is"), _unhide, _prose("mechanism", "Mechanism"), _timeline, _bullets("observe", "What you will observe"),
    _pairs("symptoms", "Symptoms and what they mean", "see", "means"), _prose("harmless_when", "Harmless when"),
    _prose("harmful_when", "Harmful when"), _pairs("affects", "Affected systems and versions", "what", "versions", "note"),
    _wordings, _confirm, _example, _fix, _verify, _collect,
    _pairs("stacks", "By stack", "stack", "advice"), _pairs("with_fix", "With and without the fix", "aspect", "without", "with"),
    _bullets("notes", "Engineering notes"), _bullets("not_proof", "What a match does not prove"), _bullets("false_positives", "Look-alikes"),
    _bullets("cancelled_by", "What cancels it"), _decision, _related, _prose("root_cause", "Root cause in brief"),
    _pairs("faq", "Questions", "q", "a"), _measured, _references,
]
