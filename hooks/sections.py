# SPDX-License-Identifier: MIT
"""The sections of an entry's page, in the one order that every page keeps: each function makes one, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from typing import Any

from .edges import Neighbour
from .entry import Entry
from .glossary import linked
from .markup import BASE, Words, phrase, visible
from .page import Section
from .pieces import badge, bullets, code, command, link, role, table
from .proofs import found, printed_by
from .tree import svg


class Shelf:
    """What a page may know of the other entries."""

    def __init__(self, entries: list[Entry], near: dict[str, list[Neighbour]]) -> None:
        """Keep entries by id and alias, and the words' renderer."""
        self.entries = {entry.id: entry for entry in entries}
        self.names = {alias: entry.id for entry in entries for alias in entry.data.get("aliases", [])} | {id_: id_ for id_ in self.entries}
        self.near = near
        self.words = Words(self.names)


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
        return Section(anchor, title, table([columns[key] for key in used], rows)) if rows else None

    return make


def confirm(entry: Entry, shelf: Shelf) -> Section | None:
    """The checklist: what to do, what a positive looks like, where to go if not."""
    items = []
    for raw in entry.data.get("confirm", []):
        html = f"<div class='pg-do'>{shelf.words.line(raw['do'])}</div>" + (command(raw["command"]) if "command" in raw else "")
        html += f"<p class='pg-yes'><b>It is this if</b> {shelf.words.line(raw['positive'])}</p>"
        html += f"<p class='pg-no'><b>If not</b> {shelf.words.line(raw['negative'])}</p>" if "negative" in raw else ""
        items.append(html)
    return Section("confirm", "How to confirm it", bullets(items, "pg-checklist")) if items else None


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


def fix(entry: Entry, shelf: Shelf) -> Section | None:
    """The steps, why they work, and how not to meet it again."""
    if not (raw := entry.data.get("fix")):
        return None
    steps = []
    for step in raw["steps"]:
        flags = [("destructive", "Destructive"), ("root", "Needs root")]
        warned = "".join(f'<span class="pg-flag pg-flag-{key}">{name}</span>' for key, name in flags if step.get(key))
        cost = f'<p class="pg-cost"><b>Cost</b> {shelf.words.line(step["cost"])}</p>' if "cost" in step else ""
        steps.append(f"<div class='pg-do'>{shelf.words.line(step['do'])} {warned}</div>" + (command(step["command"]) if "command" in step else "") + cost)
    html = f"<ol class='pg-steps'>{''.join(f'<li>{step}</li>' for step in steps)}</ol>"
    html += f'<h3 id="why-it-works">Why it works</h3>{shelf.words.block(raw["why"])}'
    html += f'<h3 id="prevention">Prevention</h3>{bullets([shelf.words.line(item) for item in raw["prevention"]])}'
    return Section("fix", "The fix", html, [("why-it-works", "Why it works"), ("prevention", "Prevention")])


def verify(entry: Entry, shelf: Shelf) -> Section | None:
    """The command that proves the fix."""
    if not (raw := entry.data.get("verify")):
        return None
    html = f"{command(raw['command'])}<p class='pg-yes'><b>Expected</b> {shelf.words.line(raw['expected'])}</p><p class='pg-no'><b>Otherwise</b> {shelf.words.line(raw['otherwise'])}</p>"
    return Section("verify", "Prove that it is fixed", html)


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
            html += f'<h3 id="{anchor}">{title}</h3>' if title else ""
            html += bullets([shelf.words.line(item) for item in items])
            children += [(anchor, title)] if title else []
    return Section("not-proof", "What a match does not prove", html, children) if html else None


def collect(entry: Entry, shelf: Shelf) -> Section | None:
    """Evidence to collect when only this line is there."""
    items = []
    for raw in entry.data.get("collect", []):
        flags = [("rerun", "Needs another run"), ("root", "Needs root"), ("slows", "Slows training")]
        marked = "".join(f'<span class="pg-flag">{name}</span>' for key, name in flags if raw.get(key))
        html = f"<div class='pg-do'>{shelf.words.line(raw['what'])} {marked}</div>" + (command(raw["command"]) if "command" in raw else "")
        items.append(html + f"<p class='pg-yes'><b>Separates</b> {shelf.words.line(raw['separates'])}</p>")
    return Section("collect", "If this line is all you have", bullets(items, "pg-checklist")) if items else None


def outline(question: Data, shelf: Shelf) -> str:
    """The decision as a nested list."""
    items = []
    for item in question["answers"]:
        rest = outline(item["then"], shelf) if "then" in item else phrase(item["do"])
        if item.get("entry") and (entry := shelf.entries.get(shelf.names.get(item["entry"], ""))):
            rest += f" ({link(entry)})"
        items.append(f"<b>{phrase(item['answer'])}</b>: {rest}")
    return f"{phrase(question['ask'])}{bullets(items)}"


def decision(entry: Entry, shelf: Shelf) -> Section | None:
    """The decision tree as a picture, and as a list."""
    if not (raw := entry.data.get("decision")):
        return None
    picture = svg(raw, entry.data["title"], BASE, shelf.names)
    html = f'<div class="pg-picture" tabindex="0" role="region" aria-label="Decision tree, scrolls sideways">{picture}</div>'
    return Section("decision", "Which way from here", f'{html}<details class="pg-outline"><summary>The same as a list</summary>{outline(raw, shelf)}</details>')


RELATIONS = {
    "caused_by": "Can be caused by", "causes": "Can bring about", "wraps": "Can hide", "wrapped_by": "Can be hidden by",
    "confused_with": "Looks like", "supersedes": "Is the better name for", "superseded_by": "Is better named",
}


def related(entry: Entry, shelf: Shelf) -> Section | None:
    """Neighbours by type, from both sides, each with what tells them apart."""
    near = [item for item in shelf.near.get(entry.id, []) if item.id in shelf.entries]
    html = ""
    for kind, name in RELATIONS.items():
        items = [item for item in near if item.type == kind]
        if items:
            rows = [f"{link(shelf.entries[item.id])} {badge(shelf.entries[item.id])}" + (f"<p>{shelf.words.line(item.tell)}</p>" if item.tell else "") for item in items]
            html += f'<div class="pg-relation pg-relation-{kind}"><h3 id="{kind.replace("_", "-")}">{name}</h3>{bullets(rows)}</div>'
    return Section("related", "Related failures", f'<div class="pg-relations">{html}</div>') if html else None


def wordings(entry: Entry, _shelf: Shelf) -> Section | None:
    """The message as each version words it."""
    rows = [[f"<code>{escape(raw['text'], quote=False)}</code>", phrase(raw["where"])] for raw in entry.data.get("wordings", [])]
    return Section("wordings", "How each version words it", table(["Message", "Printed by"], rows, "pg-wordings")) if rows else None


def faq(entry: Entry, shelf: Shelf) -> Section | None:
    """Questions that people really ask."""
    items = entry.data.get("faq", [])
    html = "".join(f'<h3 id="faq-{n}">{phrase(raw["q"])}<a class="headerlink" href="#faq-{n}" aria-label="Link to this question">#</a></h3>{shelf.words.block(raw["a"])}' for n, raw in enumerate(items, 1))
    return Section("faq", "Questions people ask", html) if html else None


KINDS = {"source": "Source code", "docs": "Documentation", "package": "Released packages", "issue": "Issues", "forum": "Discussions", "paper": "Papers"}


def references(entry: Entry, _shelf: Shelf) -> Section:
    """Where the facts come from, by kind."""
    html = ""
    for kind, name in KINDS.items():
        items = [f'<a href="{escape(raw["url"])}" rel="noopener nofollow">{phrase(raw["title"])}</a>' for raw in entry.data["references"] if raw["kind"] == kind]
        html += f"<dt>{name}</dt><dd>{bullets(items)}</dd>" if items else ""
    return Section("references", "References", f'<dl class="pg-references">{html}</dl>')


def signals(entry: Entry, shelf: Shelf) -> Section:
    """How the matcher recognises it, and what it must not take for it."""
    rows = []
    for raw in entry.data["signals"]:
        proof = found(f"{entry.id}/{raw['id']}")
        where = printed_by(raw.get("emitter", {})) + (f'<p class="pg-proof">{proof}</p>' if proof else "")
        templates = "".join(f"<code>{escape(text, quote=False)}</code>" for text in raw["match"])
        note = f"<p>{phrase(raw['note'])}</p>" if "note" in raw else ""
        rows.append([f"<b>{raw['id']}</b><br><span class='pg-badge pg-{raw['role']}'>{raw['role']}</span>", f"<div class='pg-templates'>{templates}</div>{note}", where])
    html = table(["Signal", "Matches", "Printed by"], rows, "pg-signals")
    for near in entry.data.get("near_misses", []):
        html += f"<div class='pg-near'><p><b>Not this:</b> {shelf.words.line(near['why'])}</p><div class='highlight pg-log'><pre tabindex='0'><code>{escape(visible(near['log']).rstrip(), quote=False)}\n</code></pre></div></div>"
    return Section("signals", "How it is recognised", f"<details class='pg-outline'><summary>{len(rows)} signal{'s' if len(rows) > 1 else ''}, as the matcher reads them</summary>{html}</details>")


SECTIONS: tuple[Maker, ...] = (
    unhide, harmless, about, diagnose,
    mechanism,
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
__all__ = ["SECTIONS", "Shelf", "paste_box", "role"]
