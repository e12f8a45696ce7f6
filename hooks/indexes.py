# SPDX-License-Identifier: MIT
"""The pages that lead to entries: home, families, wrappers and harmless lines."""

from __future__ import annotations

from collections import Counter
from html import escape

from .entry import Entry
from .markup import BASE
from .page import Page, Section
from .pieces import card, command, family_name, link, role, table
from .sections import paste_box
from .shelf import Shelf

#: how a run's failing looks to somebody who has no line to search for
FORMS = {"crash": "It crashes", "hang": "It hangs", "refuses-to-start": "It does not start", "slow": "It is slow", "wrong-result": "Its result is wrong"}


def count(number: int, one: str, many: str = "") -> str:
    """Write a number with its noun."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def forms(entries: list[Entry]) -> str:
    """Lead into the table by what the run does, for a reader who has no line yet."""
    seen = Counter(form for entry in entries for form in (entry.data.get("behaviour"), *entry.data.get("also_seen_as", [])))
    links = "".join(f'<li><a href="{BASE}entries/#run={form}"><b>{name}</b> <span>{seen[form]}</span></a></li>' for form, name in FORMS.items() if seen[form])
    return f'<ul class="pg-forms">{links}</ul>'


def home(shelf: Shelf) -> Page:
    """The diagnosis page."""
    families = shelf.families
    entries = [entry for items in families.values() for entry in items]
    kinds = {kind: sum(entry.kind == kind for entry in entries) for kind in ("failure", "wrapper", "benign")}
    top = (
        '<header class="pg-hero"><h1>Your run died. Which rank failed first?</h1>'
        '<p class="pg-lead">The last line of the log is almost never the cause. Paste the log of a distributed GPU run: '
        "First Fault names the rank and the line that failed first, says what every other line is, and gives the fix with the command that proves it.</p></header>"
        f"{paste_box('')}"
    )
    how = (
        '<ol class="pg-how"><li><b>Read.</b> Rank, host and time of every line that matters, out of torchrun, Slurm, NCCL, CUDA, kernel and container logs.</li>'
        "<li><b>Separate.</b> What reports others (wrappers), what follows from others (consequences), what is harmless: none of it is blamed.</li>"
        "<li><b>Name.</b> The earliest supported fault of the last attempt, with its line, what speaks against it, and what to collect if the log cannot tell.</li></ol>"
        '<p class="pg-promise"><b>Your log stays in this tab.</b> The matcher is downloaded and runs here; the page is forbidden to talk to any other site. '
        f'<a href="{BASE}where-your-log-goes/">How that is enforced, and how to check it</a></p>'
    )
    shelves = "".join(
        f'<li><a href="{BASE}{family}/"><b>{family_name(family)}</b><span>{count(len(items), "entry", "entries")}</span></a></li>' for family, items in families.items()
    )
    numbers = (
        f'<p>{count(kinds["failure"], "failure")}, <a href="{BASE}wrappers/">{count(kinds["wrapper"], "wrapper")} that hide a cause</a> and '
        f'<a href="{BASE}benign/">{count(kinds["benign"], "harmless line")}</a>, each on a page of its own. <a href="{BASE}entries/">All entries in one table</a></p>{forms(entries)}'
    )
    terminal = command("pip install .\nfirstfault diagnose logs/")
    return Page(
        "", "Diagnose a log", "Paste the log of a dead distributed GPU run and read which rank failed first, on which line, why, and what to do. Nothing is uploaded.", top,
        [
            Section("how-it-works", "How it works", how),
            Section("encyclopedia", "The encyclopedia", f'{numbers}<ul class="pg-shelves">{shelves}</ul>'),
            Section("terminal", "The same in a terminal", f"<p>Any size of log, folders and archives; standard library only, no network. In a checkout of the source:</p>{terminal}"),
        ],
        "home.html", hide=("navigation", "toc"),
    )


def family_pages(shelf: Shelf) -> list[Page]:
    """One page per family that has entries."""
    pages = []
    for family, entries in shelf.families.items():
        name = family_name(family)
        groups = [("What can start a failure", ("root", "either")), ("Consequences", ("consequence",)), ("Wrappers", ("wrapper",)), ("Harmless lines", ("benign",))]
        body = ""
        for title, roles in groups:
            items = "".join(card(entry) for entry in entries if role(entry) in roles)
            body += f"<h2>{title}</h2><ul class='pg-cards'>{items}</ul>" if items else ""
        top = f'<header class="pg-top"><h1>{name}</h1><p class="pg-lead">{count(len(entries), "entry", "entries")}, by the line that is printed.</p></header>{body}'
        pages.append(Page(f"{family}/", name, f"Failures of distributed GPU runs: {name}.", top, family=family, hide=("toc",)))
    return pages


def wrappers(shelf: Shelf) -> Page:
    """This line hides the cause: here is how to unhide it."""
    items = ""
    for entry in sorted((e for e in shelf.entries.values() if e.kind == "wrapper"), key=lambda e: e.data["title"].lower()):
        how = entry.data.get("unhide", {})
        hidden = [shelf.entries[n.id] for n in shelf.near.get(entry.id, []) if n.type == "wraps" and n.id in shelf.entries]
        behind = f"<p class='pg-behind'><b>Often behind it</b> {', '.join(link(other) for other in hidden)}</p>" if hidden else ""
        where = f"<p><b>The real error</b> {shelf.words.line(how['where'])}</p><p><b>Unhide it</b> {shelf.words.line(how['how'])}</p>" if how else ""
        items += (
            f"<article class='pg-unhide'><h2 id='{entry.id}'>{link(entry)}</h2>"
            f"<code class='pg-card-line'>{escape(entry.data['signature'], quote=False)}</code>{where}{command(how['command']) if 'command' in how else ''}{behind}</article>"
        )
    top = (
        f'<header class="pg-top"><h1>These lines hide the cause</h1>'
        f'<p class="pg-lead">A wrapper reports that something else failed. Here is where the real error went, and the switch or file that shows it.</p></header>{items}'
    )
    return Page("wrappers/", "Lines that hide the cause", "Wrapper lines of distributed GPU runs: where the real error went and how to see it.", top, hide=("toc",))


def benign(shelf: Shelf) -> Page:
    """Looks bad, is harmless when..."""
    rows = []
    for entry in sorted((e for e in shelf.entries.values() if e.kind == "benign"), key=lambda e: e.data["title"].lower()):
        cells = [shelf.words.line(entry.data[key]) if key in entry.data else "" for key in ("harmless_when", "harmful_when")]
        rows.append([f"{link(entry)}<code class='pg-card-line'>{escape(entry.data['signature'], quote=False)}</code>", *cells])
    listed = table(["Line", "Harmless when", "A first sign of trouble when"], rows) if rows else "<p>No such line has an entry yet.</p>"
    top = (
        f'<header class="pg-top"><h1>Looks bad, is harmless when ...</h1>'
        f'<p class="pg-lead">Warnings and errors that stand in healthy logs too. The matcher shows them, and never blames them.</p></header>{listed}'
    )
    return Page("benign/", "Lines that look bad", "Log lines that look like errors and are harmless, and when they are not.", top, hide=("toc",))
