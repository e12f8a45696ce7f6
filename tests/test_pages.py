# SPDX-License-Identifier: MIT
"""Pages: all sections in their order, nothing but the entry's words in them, and a policy that the browser keeps."""
from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from hooks import offline
from hooks.compiling import usable
from hooks.drawing import STRONG, measure
from hooks.load import ENTRIES, load_folder, parse
from hooks.markup import Words
from hooks.page import Page
from hooks.policy import inline_scripts, with_policy
from hooks.render import entry_page, html_of
from hooks.shelf import Shelf
from hooks.site_pages import build
from hooks.tree import PAD, WIDTH, boxes, every, place, svg

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ORDER = (
    "unhide harmless about is-it-this mechanism timeline observe symptoms affects confirm example fix verify restart code stacks with-and-without "
    "notes not-proof collect decision related root-cause wordings faq references signals"
).split()
ATTACKS = (
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg/onload=alert(1)>", "<style>*{}</style>", "<iframe srcdoc='<script>1</script>'>", "<base href=//e>",
    "<meta http-equiv=refresh content=0>", "<form action=//e>", "<math><mi//xlink:href='data:x,<script>'>", "<!-- x -->", "<![CDATA[x]]>", "<?php x ?>", "</code></pre><b>x",
    "[x](javascript:alert(1))", "[x](JaVaScRiPt:alert(1))", "[x](data:text/html,x)", "[x](//evil.example)", "[x](java&#115;cript:x)", "[x](https://e.example/\" onclick=alert(1))",
    "![x](https://e.example/x.png)", "[x][r]\n\n[r]: javascript:alert(1)", "<https://e.example>", "&lt;script&gt;", "`<b>`", "```html\n<script>1</script>\n```", "# x", "x\n===",
    "x {: onclick=alert(1) }", '--8<-- "/proc/self/environ"', "{{ config }}", "\n    <b>indented</b>\n", "*<b>*", "**[x](javascript:x)**", "<a\nhref=x>", "<<script>script>", "&#x3C;b>",
)


@pytest.fixture(scope="module")
def pages() -> list[Page]:
    """Every page of the site, before MkDocs."""
    return build(diagnose=False).pages


class Tags(HTMLParser):
    """Collects the elements and attributes of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.found.append((tag, dict(attrs)))


@pytest.mark.parametrize("attack", ATTACKS)
def test_words_become_words_only(attack: str) -> None:
    """Whatever an entry's prose holds, no element comes out that Markdown's own words do not make."""
    for text in (attack, f"Some text {attack} more", f"- item {attack}\n- other"):
        for tag, attributes in Tags(Words({}).block(text)).found:
            assert tag in {"p", "code", "pre", "em", "strong", "ul", "ol", "li", "a", "span", "blockquote", "br"}
            assert set(attributes) <= {"href", "rel", "class"}
            assert attributes.get("class") in (None, "language-html")
            assert (attributes.get("href") or "https://").startswith("https://")


def test_an_entry_made_of_attacks_renders_as_text() -> None:
    """The renderer does not lean on the checks before it: every field of an entry is an attack, and the page has no foreign element."""
    nasty = "<script>alert(1)</script><img src=x onerror=alert(1)>"
    raw = (Path(__file__).parent.parent / "entries/collectives/nccl-watchdog-timeout.yaml").read_bytes()
    entry, _ = parse(raw, "entries/collectives/nccl-watchdog-timeout.yaml")
    assert entry

    def poison(value: object, key: str = "") -> object:
        if isinstance(value, dict):
            return {name: poison(item, name) for name, item in value.items()}
        if isinstance(value, list):
            return [poison(item, key) for item in value]
        fixed = key in {"id", "entry", "kind", "status", "role", "type", "provenance", "family", "layer", "language", "helps", "behaviour", "also_seen_as", "aliases"}
        return value if fixed or not isinstance(value, str) else f'{value} {nasty} " \' onclick=x'

    entry.data = poison(entry.data)  # type: ignore[assignment]
    html = html_of(entry_page(entry, Shelf([entry], {})))
    assert "alert(1)" in html
    assert not {"script", "img", "iframe", "style"} & {tag for tag, _ in Tags(html).found}
    assert not [name for _, attributes in Tags(html).found for name in attributes if name.startswith("on")]
    assert {attributes["href"].split(":")[0] for tag, attributes in Tags(html).found if tag == "a" and ":" in (attributes["href"] or "")} <= {"https"}


def test_sections_keep_their_order_and_anchors_are_unique(pages: list[Page]) -> None:
    """A link to a section of one page works on every page."""
    for page in pages:
        ids = [attributes["id"] for _, attributes in Tags(page.html).found if "id" in attributes]
        assert len(ids) == len(set(ids)), page.url
        if page.source:
            anchors = [section.anchor for section in page.sections]
            assert anchors == [anchor for anchor in ORDER if anchor in anchors], page.url
            assert {"is-it-this", "example", "references", "signals"} <= set(anchors)


def test_every_page_of_an_entry_says_the_first_things_first(pages: list[Page]) -> None:
    """Signature, summary, what the line is, and the first thing to do stand before the first section."""
    for page in (page for page in pages if page.source):
        for part in ('<h1 id="top"><code>', 'class="pg-badge', 'class="pg-summary"', 'class="pg-first"'):
            assert part in page.top, page.url
        assert page.html.count('<section id="diagnose"') == 1
        assert page.html.count('class="pg-decisive"') == 1, page.url


def test_text_fits_its_box_in_every_decision_tree() -> None:
    """No line is wider than the box it stands in, and no two boxes overlap."""
    question = {"ask": "W" * 90, "answers": [{"answer": "M" * 60, "do": "word " * 40}, {"answer": "i", "then": {"ask": "x" * 70, "answers": [{"answer": "a", "do": "b"}] * 5}}]}
    root = boxes(question)
    place(root, 0, 0)
    parts = list(every(root))
    for box in parts:
        assert all(measure(line) <= WIDTH - 2 * PAD for line in box.text)
        assert all(measure(line) * STRONG <= WIDTH - 2 * PAD for line in box.answer)
        assert not [other for other in parts if other is not box and other.x == box.x and box.y < other.y + other.height and other.y < box.y + box.height]
    picture = svg(question, "A <title> & more", "../", {})
    assert "<title id=" in picture
    assert "A &lt;title&gt; &amp; more" in picture


def test_the_policy_names_exactly_the_scripts_of_its_page() -> None:
    """Inline scripts are hashed as they are; data blocks need no hash."""
    html = '<html><head><meta charset="utf-8"><script>one()</script></head><body><script type="application/json">{}</script><script src="x.js"></script></body></html>'
    assert inline_scripts(html) == ["one()"]
    fixed = with_policy(html)
    assert f"'sha256-{base64.b64encode(hashlib.sha256(b'one()').digest()).decode()}'" in fixed
    assert fixed.index("Content-Security-Policy") < fixed.index("<script")
    with pytest.raises(ValueError, match="no <meta charset>"):
        with_policy("<html></html>")


def html_files(site_dir: Path) -> list[Path]:
    """Every page of the built site."""
    found = sorted(site_dir.rglob("*.html"))
    assert len(found) > 50
    return found


def test_every_built_page_has_a_policy_before_its_first_script(site_dir: Path) -> None:
    """The error page and the short addresses have one too."""
    for path in html_files(site_dir):
        html = path.read_text("utf-8")
        assert html.count('http-equiv="Content-Security-Policy"') == 1, path
        assert "<script" not in html[: html.index("Content-Security-Policy")], path
        assert "unsafe-eval" not in html.replace("wasm-unsafe-eval", ""), path
        for body in inline_scripts(html):
            assert base64.b64encode(hashlib.sha256(body.encode()).digest()).decode() in html, path


def test_no_page_loads_anything_from_elsewhere_and_no_link_inside_is_dead(site_dir: Path) -> None:
    """Scripts, styles and pictures are the site's own; links to its pages and their anchors exist."""
    pages = {path: Tags(path.read_text("utf-8")).found for path in html_files(site_dir)}
    anchors = {path: {attributes.get("id") for _, attributes in tags} | {attributes.get("name") for _, attributes in tags} for path, tags in pages.items()}
    for path, tags in pages.items():
        for tag, attributes in tags:
            target = attributes.get("src") if tag in {"script", "img", "iframe"} else attributes.get("href") if tag in {"link", "a"} else None
            if not target or target.startswith("data:"):
                continue
            url = urlsplit(target)
            if url.scheme or url.netloc:
                assert tag == "a" or (tag == "link" and attributes.get("rel") == "canonical"), (path, target)
                continue
            if path.name == "404.html":
                continue  # it is shown at any depth, so its links are absolute
            place = (path.parent / url.path).resolve() if url.path else path
            place = place / "index.html" if place.is_dir() else place
            assert place.exists(), (path, target)
            chosen = url.path.endswith("entries/") and "=" in url.fragment  # a choice that the table of entries makes
            if url.fragment and tag == "a" and not url.fragment.startswith("__") and not chosen:
                assert url.fragment in anchors[place], (path, target)


def test_nothing_of_the_themes_search_is_published(site_dir: Path) -> None:
    """No page has that search, and the offline copy names only folders that are there."""
    assert 'data-md-component="search"' not in (site_dir / "index.html").read_text("utf-8")
    assert [path.name for path in (site_dir / "assets" / "javascripts").rglob("*.js") if not path.name.startswith("bundle.")] == []
    assert all(any((site_dir / folder).iterdir()) for folder in offline.DATA)


def test_edit_links_open_the_entry_itself(site_dir: Path) -> None:
    """The page of an entry leads to its YAML on the code host."""
    html = (site_dir / "nccl-watchdog-timeout" / "index.html").read_text("utf-8")
    assert re.search(r'href="https://[^"]+/edit/main/entries/collectives/nccl-watchdog-timeout\.yaml"[^>]*>Edit this entry', html)
    assert not list(site_dir.rglob("*.yaml"))


def test_short_addresses_lead_to_entries(site_dir: Path) -> None:
    """An alias is a page that leads on without a script."""
    for entry in usable(load_folder(ENTRIES)[0])[0]:
        for alias in entry.data.get("aliases", []):
            assert f'content="0; url=../{entry.id}/"' in (site_dir / alias / "index.html").read_text("utf-8")


PAGES = ("", "entries/", "wrappers/", "benign/", "launcher/", "nccl-watchdog-timeout/", "torchrun-childfailederror/", "entry-format/", "where-your-log-goes/", "404.html")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440])
def test_every_page_type_is_quiet_in_a_browser(chromium: Browser, site_url: str, scheme: str, width: int) -> None:
    """No console message, no blocked script, no request to another origin, nothing wider than the screen."""
    context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    said: list[str] = []
    # The offline copy is kept out of these tests (tests/conftest.py), and the browser says so.
    page.on("console", lambda message: said.append(message.text) if message.type in {"error", "warning"} and "Service Worker" not in message.text else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: said.append(request.url) if urlsplit(request.url).netloc not in {urlsplit(site_url).netloc, ""} else None)
    for address in PAGES:
        page.goto(site_url + address, wait_until="load")
        assert said == [], address
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address
    page.goto(f"{site_url}xid-79/")
    page.wait_for_url("**/xid-79-gpu-fell-off-bus/")
    assert said == []
    context.close()


def test_the_theme_works_under_the_policy(chromium: Browser, site_url: str) -> None:
    """Search finds an error string, a command is copied in one click, and the colour scheme switches."""
    context = chromium.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(f"{site_url}nccl-watchdog-timeout/")
    page.locator("#confirm ~ ul .pg-command").first.hover()
    page.locator("#confirm ~ ul .pg-command button").first.click()
    page.wait_for_function("navigator.clipboard.readText().then((text) => text.includes('grep'))")
    page.locator(".md-search__input").first.click()
    page.locator(".md-search__input").first.fill("Duplicate GPU detected")
    page.locator(".md-search-result__item a").first.wait_for()
    assert "nccl-duplicate-gpu" in (page.locator(".md-search-result__item a").first.get_attribute("href") or "")
    context.close()


def test_pages_are_readable_without_scripts(chromium: Browser, site_url: str) -> None:
    """The paste box explains itself, and the decision tree is a picture with a list."""
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site_url}nccl-watchdog-timeout/")
    assert page.locator("#diagnose noscript").inner_text().startswith("The diagnosis runs as a program in your browser")
    assert page.locator("svg.pg-tree").is_visible()
    page.locator("#decision ~ details summary").first.click()
    assert page.locator("#decision ~ details ul").first.is_visible()
    context.close()
