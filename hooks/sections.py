# SPDX-License-Identifier: MIT
"""The sections of an entry's page, in the one order that every page keeps: each function makes one, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from typing import Any

from .entry import Entry
from .glossary import linked
from .markup import BASE, phrase, visible
from .page import Section
from .pieces import anchor_link, bullets, code, command, heading, role, table
from .section_pictures import decision, related, timeline
from .section_steps import collect, confirm, fix, verify
from .section_wordings import signals, wordings
from .shelf import Shelf

Data = dict[str, Any]
Maker = Callable[[Entry, Shelf], "Section | None"]


def about(entry: Entry, shelf: Shelf) -> Section | None:
    """The border to neighbours."""
    title = {"wrapper": "What this line says", "benign": "What this line is"}.get(entry.kind, "What this failure is")
    return Section("about", title, linked(shelf.words.block(entry.data["about"]))) if "about" in entry.data else None


def unhide(entry: Entry, shelf: Shelf) -> Section | None:
    """Wrappers: where the real error went."""
    if not (raw := entry.data.get("unhide")):
        return None
    html = f"<dl class='pg-pairs'><dt>Where the real error is</dt><dd>{shelf.words.line(raw['where'])}</dd><dt>How to see it</dt><dd>{shelf.words.line(raw['how'])}</dd></dl>"
    return Section("unhide", "This line hides the cause: how to unhide it", html + (command(raw["command"]) if "command" in raw else ""))


def harmless(entry: Entry, shelf: Shelf) -> Section | None:
    """Benign lines: when to ignore them, and when not."""
    pairs = [("It may be ignored when", "harmless_when"), ("It is a first sign of trouble when", "harmful_when")]
    found = "".join(f"<dt>{name}</dt><dd>{shelf.words.line(entry.data[key])}</dd>" for name, key in pairs if key in entry.data)
    return Section("harmless", "Looks bad, is harmless when", f"<dl class='pg-pairs'>{found}</dl>") if found else None


def mechanism(entry: Entry, shelf: Shelf) -> Section | None:
    """What waits for what; a term that the section before has linked is not linked again."""
    before = shelf.words.block(entry.data["about"]) if "about" in entry.data else ""
    return Section("mechanism", "Mechanism", linked(shelf.words.block(entry.data["mechanism"]), before)) if "mechanism" in entry.data else None


def diagnose(entry: Entry, _shelf: Shelf) -> Section:
    """The paste box; filled by the page script, readable without it."""
    return Section("is-it-this", "Is this what broke your run?", paste_box(entry.id))


def paste_box(entry: str) -> str:
    """The mount point of the browser side: the script takes over what stands in it."""
    return (
        f'<section id="diagnose" class="pg-diagnose" data-entry="{entry}" data-base="{BASE}" aria-label="Diagnose a log">'
        '<label class="pg-diagnose-label" for="diagnose-log">Paste the log, all ranks if you have them. It stays in this tab.</label>'
        '<textarea id="diagnose-log" class="pg-diagnose-log" rows="7" spellcheck="false" autocomplete="off" autocapitalize="off"></textarea>'
        '<p class="ff-late">The diagnosis has not started: its script did not load, or something blocks it (an extension, a proxy, an old browser). '
        "Reload the page, or use a terminal: <code>firstfault diagnose train.log</code>.</p>"
        "<noscript><p>The diagnosis runs as a program in your browser, and scripts are off here. Every page of the encyclopedia works without them; "
        "in a terminal, <code>firstfault diagnose train.log</code> gives the same answer.</p></noscript></section>"
    )


def prose_section(field: str, anchor: str, title: str) -> Maker:
    """Make a section of one prose field."""

    def make(entry: Entry, shelf: Shelf) -> Section | None:
        return Section(anchor, title, shelf.words.block(entry.data[field])) if field in entry.data else None

    return make


def bullet_section(field: str, anchor: str, title: str) -> Maker:
    """Make a section of one list of sentences."""

    def make(entry: Entry, shelf: Shelf) -> Section | None:
        items = [shelf.words.line(item) for item in entry.data.get(field, [])]
        return Section(anchor, title, bullets(items)) if items else None

    return make


def table_section(field: str, anchor: str, title: str, columns: dict[str, str], phrases: Iterable[str] = ()) -> Maker:
    """Make a section of a list of rows; `phrases` names the columns that are one line."""
    single = set(phrases)

    def make(entry: Entry, shelf: Shelf) -> Section | None:
        raw = entry.data.get(field, [])
        used = [key for key in columns if any(key in row for row in raw)]
        rows = [[(phrase(row[key]) if key in single else shelf.words.line(row[key])) if key in row else "" for key in used] for row in raw]
        return Section(anchor, title, table([columns[key] for key in used], rows, anchor=f"{anchor}-")) if rows else None

    return make


def example(entry: Entry, _shelf: Shelf) -> Section:
    """The first sample with its decisive line marked: the fingerprint to alert on."""
    sample = entry.data["samples"][0]
    marked, lines = False, []
    for text in visible(sample["log"]).rstrip("\n").split("\n"):
        decisive = not marked and sample["root_line"] in text
        marked = marked or decisive
        line = escape(text, quote=False)
        lines.append(f'<mark class="pg-decisive">{line}</mark>' if decisive else line)
    html = f'<div class="highlight pg-log"><pre tabindex="0"><code>{chr(10).join(lines)}\n</code></pre></div>{provenance(sample)}'
    return Section("example", "Example log", f'<p class="pg-hint">The marked line is the one to point at, and to alert on.</p>{html}')


def provenance(sample: Data) -> str:
    """Say where a sampled log comes from."""
    source = sample["source"]
    shown = f'<a href="{escape(source)}" rel="noopener nofollow">{escape(source.removeprefix("https://"))}</a>' if source.startswith("https://") and " " not in source else phrase(source)
    kind = "Captured from a real run" if sample["provenance"] == "reproduced" else "Re-enacted: machine lines as reported in public, everything personal replaced"
    extra = f"; {phrase(sample['versions'])}" if "versions" in sample else ""
    ran = f"; <code>{escape(' '.join(sample['command'].split()), quote=False)}</code>" if "command" in sample else ""
    return f'<p class="pg-provenance">{kind}{extra}{ran}. Source: {shown}</p>'


def restart(entry: Entry, shelf: Shelf) -> Section | None:
    """Whether to just start it again."""
    if not (raw := entry.data.get("restart")):
        return None
    helps = {"yes": "A restart helps.", "no": "A restart does not help.", "sometimes": "A restart helps sometimes."}[raw["helps"]]
    return Section("restart", "Restart and resume", f"<p><strong>{helps}</strong> {shelf.words.line(raw['resume_from'])}</p>")


def code_section(entry: Entry, _shelf: Shelf) -> Section | None:
    """Code that shows the mistake or the cure."""
    items = [f"<figure class='pg-code'><figcaption>{phrase(raw['caption'])}</figcaption>{code(raw['text'], raw['language'])}</figure>" for raw in entry.data.get("code", [])]
    return Section("code", "In code", "".join(items)) if items else None


def not_proof(entry: Entry, shelf: Shelf) -> Section | None:
    """What a match does not prove, what looks alike, what cancels it."""
    html, children = "", []
    for field, anchor, title in (("not_proof", "", ""), ("false_positives", "look-alikes", "Lines that look alike"), ("cancelled_by", "recovery", "Signs that the run recovered")):
        if items := entry.data.get(field):
            html += heading(anchor, title) if title else ""
            html += bullets([shelf.words.line(item) for item in items])
            children += [(anchor, title)] if title else []
    return Section("not-proof", "What a match does not prove", html, children) if html else None


def faq(entry: Entry, shelf: Shelf) -> Section | None:
    """Questions that people really ask."""
    items = entry.data.get("faq", [])
    html = "".join(f'<h3 id="faq-{n}">{phrase(raw["q"])}{anchor_link(f"faq-{n}", "question")}</h3>{shelf.words.block(raw["a"])}' for n, raw in enumerate(items, 1))
    return Section("faq", "Questions people ask", html) if html else None


KINDS = {"source": "Source code", "docs": "Documentation", "package": "Released packages", "issue": "Issues", "forum": "Discussions", "paper": "Papers"}


def references(entry: Entry, _shelf: Shelf) -> Section:
    """Where the facts come from, by kind."""
    html = ""
    for kind, name in KINDS.items():
        items = [f'<a href="{escape(raw["url"])}" rel="noopener nofollow">{phrase(raw["title"])}</a>' for raw in entry.data["references"] if raw["kind"] == kind]
        html += f"<dt>{name}</dt><dd>{bullets(items)}</dd>" if items else ""
    return Section("references", "References", f'<dl class="pg-references">{html}</dl>')


SECTIONS: tuple[Maker, ...] = (
    unhide, harmless, about, diagnose,
    mechanism, timeline,
    bullet_section("observe", "observe", "What you will observe"),
    table_section("symptoms", "symptoms", "Symptoms and what they mean", {"see": "You see", "means": "It means"}),
    table_section("affects", "affects", "Affected systems and versions", {"what": "System", "versions": "Versions", "note": "Note"}, ("what", "versions")),
    confirm, example, fix, verify, restart, code_section,
    table_section("stacks", "stacks", "By stack", {"stack": "Stack", "advice": "What is different"}, ("stack",)),
    table_section("with_fix", "with-and-without", "With and without the fix", {"aspect": "", "without": "Without", "with": "With"}, ("aspect",)),
    bullet_section("notes", "notes", "Engineering notes"),
    not_proof, collect, decision, related,
    prose_section("root_cause", "root-cause", "Root cause in brief"),
    wordings, faq, references, signals,
)
__all__ = ["SECTIONS", "paste_box", "role"]
