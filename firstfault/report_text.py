# SPDX-License-Identifier: MIT
"""The report for a terminal: readable at three in the morning, 80 to 100 columns, most important first."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from . import phrases
from .terminal import Style, clip, fold, visible, wrap

_PAINT = {"diagnosed": "red", "needs-evidence": "yellow", "unrecognised": "yellow", "no-failure": "green"}


class _Page:
    """Lines of the report under way."""

    def __init__(self, width: int, style: Style) -> None:
        self.width, self.style, self.lines = width, style, []

    def head(self, word: str, text: str = "") -> None:
        """A section's first line: its word in capitals, then what belongs beside it."""
        rows = wrap(text, self.width, " " * (len(word) + 2)) if text else [""]
        self.lines += ["", f"{self.style(word, 'bold')}  {rows[0].strip()}".rstrip(), *rows[1:]]

    def say(self, text: str, first: str = "  ", rest: str | None = None, *paint: str) -> None:
        """Wrapped prose."""
        self.lines += [self.style(row, *paint) for row in wrap(text, self.width, first, rest)]

    def command(self, text: str, indent: str = "     ") -> None:
        """A command, never wrapped and without a prompt, so that it can be copied."""
        self.lines += [indent + self.style(visible(row), "cyan") for row in text.strip().split("\n") if row.strip()]

    def log(self, number: int | None, text: str, mark: bool, digits: int) -> None:
        """One log line with its number; the decisive one is marked and shown whole."""
        lead = f"{'>' if mark else ' '} {number if number else '':>{digits}} | "
        if not mark:
            self.lines.append(self.style(f"  {lead}{clip(text, self.width - len(lead) - 2)[:self.width - len(lead) - 2]}", "dim"))
            return
        for index, row in enumerate(fold(text, self.width - len(lead) - 2)):
            self.lines.append("  " + (lead if index == 0 else " " * (len(lead) - 2) + "| ") + self.style(row, "bold", "red"))


def render(result: Mapping[str, Any], width: int = 100, style: Style | None = None, footer: Sequence[str] = ()) -> str:
    """The whole report."""
    page = _Page(width, style or Style())
    root = result.get("root") or {}
    _verdict(page, result, root)
    if root.get("evidence"):
        _fault(page, result, root)
    _why(page, result)
    _rest(page, result, root)
    _others(page, result)
    _unhide(page, root)
    _suspects(page, result)
    _closest(page, result)
    _cure(page, root)
    _collect(page, result)
    _unexplained(page, result)
    _foot(page, result, root, footer)
    return "\n".join(row.rstrip() for row in page.lines).strip("\n") + "\n"


def _verdict(page: _Page, result: Mapping[str, Any], root: Mapping[str, Any]) -> None:
    word = page.style(phrases.headline(result).upper(), "bold", _PAINT.get(result["verdict"], "bold"))
    page.lines.append(word)
    name = phrases.title(result)
    if name:
        page.say(name, "  ", None, "bold")
    if phrases.lead(result):
        page.say(phrases.lead(result))
    if root.get("summary"):
        page.say(phrases.plain(root["summary"]))
    if root.get("first_step"):
        page.say("First: " + phrases.plain(root["first_step"]))


def _fault(page: _Page, result: Mapping[str, Any], root: Mapping[str, Any]) -> None:
    decisive = root["evidence"][0]
    word = "FIRST FAULT" if result["verdict"] == "diagnosed" else "EARLIEST LINE"
    page.head(word, f"{phrases.who(root)}")
    page.say(phrases.place(decisive))
    context = _context(root, decisive)
    digits = max(len(str(row["line"] or "")) for row in context)
    for row in context:
        page.log(row["line"], row["text"], row["line"] == decisive.get("line"), digits)
    for extra in root["evidence"][1:4]:
        page.say(f"also {phrases.place(extra)}: {clip(extra['text'], page.width - 12)}", "  ", "    ", "dim")


def _context(root: Mapping[str, Any], decisive: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Lines around the decisive one; the decisive one itself in the evidence's wording, which is whole."""
    rows = [row for row in root.get("context") or [] if row.get("line") != decisive.get("line")]
    rows = rows if decisive.get("line") else []
    return sorted([*rows, decisive], key=lambda row: row.get("line") or 0)


def _why(page: _Page, result: Mapping[str, Any]) -> None:
    reasons = [*(result.get("why") or []), *([result["counterfactual"]] if result.get("counterfactual") else [])]
    if reasons:
        page.head("WHY")
    for reason in reasons:
        page.say(phrases.plain(reason), "  - ")
    if (result.get("root") or {}).get("entry"):
        page.say(f"This entry: {phrases.measured(result['root'].get('measured'))}.", "  - ", None, "dim")


def _group(page: _Page, word: str, group: Mapping[str, Any], note: str = "") -> None:
    where = phrases.place(group["evidence"][0]) if group.get("evidence") else ""
    about = "; ".join(part for part in (phrases.extent(group), where) if part)
    page.say(f"{group.get('title') or group.get('entry') or group.get('label')}" + (f"  ({about})" if about else ""),
             f"  {word:<13}", " " * 15)
    if note:
        page.say(phrases.plain(note), " " * 15)


def _rest(page: _Page, result: Mapping[str, Any], root: Mapping[str, Any]) -> None:
    groups: Iterable[tuple[str, Mapping[str, Any]]] = [
        *((phrases.ROLES.get(item.get("role"), "consequence"), item) for item in result.get("consequences") or []),
        *(("recovered", item) for item in result.get("recovered") or []),
        *(("harmless", item) for item in result.get("benign") or []),
    ]
    if not groups:
        return
    explained = root.get("explains") or 0
    page.head("EVERYTHING ELSE", f"the first fault explains {phrases.plural(explained, 'line')}" if explained else "")
    for word, item in groups:
        _group(page, word, item, item.get("why") or "")
        if not root.get("evidence") and item.get("evidence"):
            # No first fault to show, so these lines are what the reader has: show them.
            page.say(clip(item["evidence"][0]["text"].strip(), 2 * page.width), " " * 15 + "| ")


def _others(page: _Page, result: Mapping[str, Any]) -> None:
    if result.get("others"):
        page.head("A SECOND, INDEPENDENT FAULT")
        for item in result["others"]:
            rank = "" if item.get("rank") is None else f"rank {item['rank']}"
            _group(page, rank, item)
    if result.get("alternatives"):
        page.head("ALSO POSSIBLE" if result["verdict"] != "diagnosed" else "WEIGHED AND REJECTED")
        for item in result["alternatives"]:
            page.say(str(item.get("title") or item["entry"]), "  ")
            for word in ("for", "against"):
                for reason in item.get(word) or []:
                    page.say(phrases.plain(reason), f"    {word + ':':<9}")


def _unhide(page: _Page, root: Mapping[str, Any]) -> None:
    if root.get("unhide"):
        page.head("WHERE THE REAL ERROR IS")
        page.say(phrases.plain(root["unhide"].get("where") or ""))
        page.say(phrases.plain(root["unhide"].get("how") or ""))
        if root["unhide"].get("command"):
            page.command(root["unhide"]["command"])


def _suspects(page: _Page, result: Mapping[str, Any]) -> None:
    """Without the first fault in the log: what the lines that are there can follow from."""
    if result.get("suspects"):
        page.head("BEHIND IT CAN BE")
        for item in result["suspects"]:
            page.say(f"{item['title']}  (firstfault explain {item['entry']})", "  - ")


def _closest(page: _Page, result: Mapping[str, Any]) -> None:
    """For an error that no entry knows: the nearest entries, and what keeps each from fitting."""
    if result.get("closest"):
        page.head("CLOSEST ENTRIES", "none of them fits")
        for item in result["closest"]:
            page.say(f"{item['title']}  (firstfault explain {item['entry']})", "  - ")
            page.say(phrases.plain(item["why"]), "    ")


def _cure(page: _Page, root: Mapping[str, Any]) -> None:
    if phrases.steps(root):
        page.head("FIX", phrases.plain(root["root_cause"]) if root.get("root_cause") else "")
        for number, step in enumerate(phrases.steps(root), 1):
            page.say(phrases.plain(step["do"]), f"  {number}. ")
            if step.get("command"):
                page.command(step["command"])
            if step.get("cost"):
                page.say("costs: " + phrases.plain(step["cost"]), "     ", None, "dim")
            warning = phrases.flags(step, phrases.STEP_FLAGS)
            if warning:
                page.say("careful: " + warning, "     ", None, "yellow")
    if root.get("verify"):
        page.head("VERIFY")
        page.command(root["verify"].get("command") or "", "  ")
        for word in ("expected", "otherwise"):
            if root["verify"].get(word):
                page.say(phrases.plain(root["verify"][word]), f"  {word + ':':<11}")
    if root.get("restart"):
        page.head("RESTART?", phrases.RESTART.get(root["restart"].get("helps"), ""))
        if root["restart"].get("resume_from"):
            page.say(phrases.plain(root["restart"]["resume_from"]), "  resume from: ")


def _collect(page: _Page, result: Mapping[str, Any]) -> None:
    items = result.get("collect") or []
    if not items:
        return
    page.head("COLLECT", "what would settle it" if result["verdict"] != "diagnosed" else "if the fix does not hold")
    for item in items[:8]:
        item = {"what": item} if isinstance(item, str) else item
        page.say(phrases.plain(item["what"]), "  - ")
        if item.get("command"):
            page.command(item["command"], "    ")
        if item.get("separates"):
            page.say("tells apart: " + phrases.plain(item["separates"]), "    ", None, "dim")
        cost = phrases.flags(item, phrases.COLLECT_FLAGS)
        if cost:
            page.say(cost, "    ", None, "yellow")


def _unexplained(page: _Page, result: Mapping[str, Any]) -> None:
    lines = result.get("unexplained") or []
    if not lines:
        return
    page.head("NOT EXPLAINED", f"{phrases.plural(len(lines), 'line')} that no sentence above accounts for")
    for line in lines[:5]:
        page.say(f"{phrases.place(line)}  {clip(line['text'], page.width - 4)}", "  ", "    ")
    if len(lines) > 5:
        page.say(f"and {len(lines) - 5:,} more (--format json lists them)")


def _foot(page: _Page, result: Mapping[str, Any], root: Mapping[str, Any], footer: Sequence[str]) -> None:
    more = phrases.link(root)
    if more:
        page.head("MORE", more)
    notes = list(result.get("notes") or [])
    if (result.get("attempts") or 1) > 1:
        notes.insert(0, f"The log holds {result['attempts']} attempts; the last one is judged.")
    if notes:
        page.head("NOTES")
    for note in notes:
        page.say(note, "  - ")
    page.lines.append("")
    for row in [phrases.lost_time(result), phrases.rank_summary(result), phrases.read_summary(result), *footer]:
        if row:
            page.say(row, "", "  ", "dim")
