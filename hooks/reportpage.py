# SPDX-License-Identifier: MIT
"""The page that `firstfault diagnose --html` fills in: the site's own verdict code and styles in one file that asks nobody for anything.

The modules are put one after another, each in a function of its own, so that no tool is needed and the code stays readable.
Its policy allows exactly the script and the styles inside it, by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

from firstfault.report_html import DATA, TEXT, TITLE

ASSETS = Path(__file__).resolve().parent.parent / "overrides" / "assets"
ENTRY = "report"
SHEETS = ("theme", "diagnose", "verdict", "report")
_IMPORT = re.compile(r'^import \{(?P<names>[^}]*)\} from "\./(?P<module>[\w-]+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let) (?P<name>\w+))", re.MULTILINE)


class ReportPageError(RuntimeError):
    """The page cannot be made; the message says which module has a form that the putting together does not know."""


def template(assets: Path = ASSETS) -> str:
    """Give the page with places for the data, its title and its text."""
    script = "\n".join([_IMPORTED_FIRST, *modules(assets, ENTRY, {})]) + "\n"
    styles = "\n".join((assets / f"{name}.css").read_text(encoding="utf-8") for name in SHEETS)
    for body, end in ((script, "</script"), (styles, "</style")):
        if end in body.lower():
            raise ReportPageError(f"{end} stands in the code, where it would end it")
    policy = f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(styles)}'; base-uri 'none'; form-action 'none'"
    return _PAGE.format(policy=policy, styles=styles, script=script, data=DATA, text=TEXT, title=TITLE)


_IMPORTED_FIRST = '"use strict";'
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="generator" content="firstfault diagnose --html">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>{styles}</style>
</head>
<body data-md-color-scheme="default" data-md-color-primary="custom">
<main class="md-typeset" id="diagnose">
<p class="ff-report__brand">First Fault: which rank failed first. Secrets and names are masked; the log itself is not in this file.</p>
<div class="ff-result" id="ff-result"><pre>{text}</pre></div>
</main>
<script type="application/json" id="ff-data">{data}</script>
<script>{script}</script>
</body>
</html>
"""


def modules(assets: Path, name: str, done: dict[str, str]) -> list[str]:
    """Give a module and, before it, all that it imports, each once and in a function of its own."""
    source = (assets / f"{name}.js").read_text(encoding="utf-8")
    done[name] = ""
    before = [part for found in _IMPORT.finditer(source) if found["module"] not in done for part in modules(assets, found["module"], done)]
    names = [found["name"] for found in _EXPORT.finditer(source)]
    body = _EXPORT.sub("", _IMPORT.sub(lambda found: f"const {{{found['names'].replace(' as ', ': ')}}} = $_{found['module']};\n", source))
    strange = re.search(r"^(?:import|export)\b.*|\bimport\.meta\b.*|\bimport\(.*", re.sub(r"^\s*/?\*.*$|//.*$", "", body, flags=re.MULTILINE), re.MULTILINE)
    if strange:
        raise ReportPageError(f"{name}.js: `{strange[0][:80]}` is not understood; write named imports on one line, and no default export")
    return [*before, f"const $_{name} = (() => {{\n{body}\nreturn {{ {', '.join(names)} }};\n}})();"]


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
