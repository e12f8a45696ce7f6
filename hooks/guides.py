# SPDX-License-Identifier: MIT
"""The two pages about the site itself: the entry format, out of the schema's own descriptions, and where a log goes."""

from __future__ import annotations

from html import escape
from typing import Any

from . import airgap
from .markup import BASE, phrase
from .page import Page, Section
from .pieces import command, table
from .schema import resolve, schema

PARTS = {"question": "A question of the decision tree", "signal": "A signal", "context": "Context of a signal: needs and unless"}


def type_of(part: dict[str, Any]) -> str:
    """Say in words what a field holds."""
    name = part.get("$ref", "").rpartition("/")[2]
    if name in PARTS:
        return f'<a href="#{name}">{PARTS[name].lower()}</a>'
    whole = resolve(part)
    if "enum" in whole:
        return "one of " + ", ".join(f"<code>{escape(str(item))}</code>" for item in whole["enum"])
    if name in ("prose", "bullets", "block", "phrase", "line", "id", "date"):
        return escape(str(whole.get("x-help", name)))
    if whole.get("type") == "array":
        return f"list of {type_of(whole['items'])}" if "items" in whole else "list"
    if whole.get("type") == "object":
        needed = whole.get("required", [])
        return "fields " + ", ".join(f"<code>{key}</code>{'' if key in needed else ' (optional)'}" for key in whole.get("properties", {}))
    names = {"string": "text", "integer": "whole number", "boolean": "true or false", "null": "null"}
    kinds = whole.get("type", "text")
    return " or ".join(names.get(kind, kind) for kind in (kinds if isinstance(kinds, list) else [kinds]))


def rows(part: dict[str, Any], path: str = "", anchor: str = "field") -> list[list[str]]:
    """Describe the fields of an object, and the fields inside them."""
    found = []
    for name, raw in part["properties"].items():
        whole = resolve(raw)
        need = "required" if name in part.get("required", []) else ""
        label = f'<code id="{anchor}-{(path + name).replace(".", "-")}">{path}{name}</code>'
        found.append([label, phrase(str(whole.get("description", ""))), type_of(raw), need])
        inner = whole.get("items", whole) if isinstance(whole.get("items", whole), dict) else {}
        if "$ref" not in inner and "properties" in inner and "$ref" not in raw:
            found += [row for row in rows(inner, f"{path}{name}.", anchor) if row[1]]
    return found


def entry_format() -> Page:
    """Every field of an entry, as the schema describes it."""
    whole = schema()
    heads = ["Field", "What it says", "Form", ""]
    stable = [(clause["if"]["properties"], clause["then"]["required"]) for clause in whole["allOf"]]
    needs = [
        [", ".join(f"<code>{escape(str(value.get('const')))}</code>" for value in condition.values()), ", ".join(f"<code>{name}</code>" for name in required)]
        for condition, required in stable
    ]
    sections = [
        Section("fields", "Fields", table(heads, rows(whole), "pg-fields")),
        Section("complete", "What makes an entry complete", table(["When it is", "it also has"], needs)),
        *(
            Section(name, title,
                    (f"<p>{phrase(whole['$defs'][name]['description'])}</p>" if "description" in whole["$defs"][name] else "")
                    + table(heads, rows(whole["$defs"][name], anchor=name), "pg-fields")
            )
            for name, title in PARTS.items()
        ),
        Section(
            "check", "Check an entry",
            f"<p>The same messages in the terminal, in the site's build and before a commit: file, line, field, what is wrong, why, what to do.</p>"
            f"{command('firstfault check entries/collectives/nccl-watchdog-timeout.yaml')}"
        ),
    ]
    top = f'<header class="pg-top"><h1 id="top">Entry format</h1><p class="pg-lead">{phrase(whole["description"])} This page is made from the schema that checks every entry.</p></header>'
    return Page("entry-format/", "Entry format", "Every field of an entry, as the schema describes it.", top, sections)


PRIVACY = """
<p>A log of a training run can hold host names, paths, user names, dataset names and now and then a key. So the question deserves an answer that can be checked.</p>
<h2 id="what-happens">What happens when you paste</h2>
<ol>
<li>The page loads the matcher, a Python program, and the engine that runs Python in a browser. Both come from this site, at fixed addresses.</li>
<li>Your text is handed to a worker inside your browser. It is read there, and the result is drawn by this page.</li>
<li>Nothing of it is stored unless you ask for it: no cookie, no local storage, no database of the browser holds a line of it. Closing the tab ends it.</li>
</ol>
<h2 id="enforced">Why it is more than a promise</h2>
<p>Every page carries a content security policy that the browser enforces. <code>connect-src 'self'</code> forbids the page, and the worker it starts, to contact any other site;
<code>form-action 'none'</code> forbids forms; <code>img-src 'self' data:</code> and <code>font-src 'self'</code> close the roads by images and fonts.
There are no analytics, no advertisements and no fonts from elsewhere.
Automated tests paste a log in a real browser and fail on any request that is not one of the engine's own files.</p>
<h2 id="check-it">How to check it yourself</h2>
<ul>
<li>Open the developer tools of your browser, choose the network tab, paste a log, and look: after the engine is loaded there is no request.</li>
<li>Load this page, let the engine start, switch your network off, and paste. The diagnosis works.</li>
<li>Read the policy in the source of this page: it is the <code>meta</code> element named <code>Content-Security-Policy</code>.</li>
</ul>
<h2 id="offline">What your browser keeps: the offline copy</h2>
<p>After your first visit a service worker keeps a copy of this site's own files, so that the pages you have read, and the engine once it has run, work without a network.
It holds pages and programs of one version, never a log. As long as there is a network, pages come from it; after a new version is published the old copy is deleted.
The engine is 5 MB and is copied only after you have used it, unless you ask for everything here.
So that it starts faster the next time, its memory is kept beside it (11 MB): that of a second engine, which is started for this after your verdict and reads nothing but a made-up log.</p>
<div id="offline-control" class="pg-offline"><p>The switches of the offline copy appear here when scripts are on. Without scripts there is no copy.</p></div>
<p>If you tick a step of a checklist, the number of that step is kept for that page, in this browser only, until you take the tick away or press "Forget the ticks".</p>
<p>If you press "Keep in this browser" under a verdict, the verdict is kept here, masked and without its log, until you press "Forget". A text that you hand from the search box of another page
to the first one waits in this tab's session storage for as long as that page takes to open, and is taken out there before it is read.</p>
<h2 id="what-leaves">What can leave, and only when you say so</h2>
<p>Copying the result as Markdown puts a masked text on your clipboard: keys and tokens are always replaced. Links to the code host carry entry names, never a line of your log.</p>
<h2 id="not-at-all">If the log must not meet a browser</h2>
<p>Run the same program in a terminal, on the machine that holds the log. It needs Python and nothing else, and uses no network.</p>
{command}
<h2 id="air-gapped">If the cluster has no network at all</h2>
<p><a href="{base}{archive}" download>The whole site as one zip</a>, the engine included, can be carried there. Any web server can serve it:</p>
{serve}
"""


def where_your_log_goes() -> Page:
    """What happens to a pasted log."""
    words = PRIVACY.format(
        base=BASE, archive=airgap.NAME, command=command("firstfault diagnose train.log"),
        serve=command(f"unzip {airgap.NAME}\npython3 -m http.server --directory {airgap.FOLDER} 8000"),
    )
    top = '<header class="pg-top"><h1 id="top">Where your log goes</h1><p class="pg-lead">Nowhere. It is read by a program in your own browser, and this page is not allowed to send it.</p></header>'
    return Page("where-your-log-goes/", "Where your log goes", "What happens to a pasted log: it never leaves the browser, and how to check that.", top + words)
