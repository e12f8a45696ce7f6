# SPDX-License-Identifier: MIT
"""What programs read: every page has its twins, every link in them leads somewhere, the feed is valid Atom, the head says what the page is."""
from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit
from xml.etree import ElementTree

import pytest

from firstfault import explain
from hooks import compiling, feed, jsonld, surfaces, totext
from hooks.markup import BASE
from hooks.page import Page
from hooks.prose import blank_code
from hooks.site_pages import SiteMap, build
from tests.site_server import ROOT

ATOM = "{http://www.w3.org/2005/Atom}"
HOME = "https://faults.example/docs/"


@pytest.fixture(scope="module")
def site_map() -> SiteMap:
    """Every page of the site, before MkDocs."""
    return build(diagnose=False)


@pytest.fixture(scope="module")
def texts(site_map: SiteMap) -> dict[str, Any]:
    """The entries as programs get them."""
    return compiling.full_texts(site_map.entries, "v")["entries"]


@pytest.fixture(scope="module")
def local(site_map: SiteMap) -> dict[str, str]:
    """Every file for programs, of a site that does not know where it will lie."""
    return surfaces.files(site_map.pages, site_map.entries, surfaces.About("First Fault", "About it."))


@pytest.fixture(scope="module")
def published(site_map: SiteMap) -> dict[str, str]:
    """The same of a site with an address."""
    return surfaces.files(site_map.pages, site_map.entries, surfaces.About("First Fault", "About it.", HOME))


def test_every_page_has_both_twins(site_map: SiteMap, local: dict[str, str]) -> None:
    for page in site_map.pages:
        name = page.url.rstrip("/") or "index"
        assert local[f"{name}.md"].startswith("# "), name
        assert json.loads(local[f"{name}.json"])["title"], name


def test_an_entrys_twins_are_what_the_terminal_prints(local: dict[str, str], texts: dict[str, Any]) -> None:
    for id_, entry in texts.items():
        assert json.loads(local[f"{id_}.json"]) == entry == json.loads(local[f"api/v1/entries/{id_}.json"])
        without_targets = [re.sub(r"\]\([a-z0-9-]+[^)]*\)", "]()", text) for text in (local[f"{id_}.md"], explain.render(entry, "markdown"))]
        assert without_targets[0] == without_targets[1]


def test_links_of_markdown_twins_lead_to_twins(local: dict[str, str]) -> None:
    """In the twin of a list, of an entry, in llms.txt and in the full texts; code is no link."""
    seen = 0
    for name, text in local.items():
        if not name.endswith((".md", ".txt")):
            continue
        for target in re.findall(r"\]\(([^)\s]+)\)", blank_code(text)):
            if not urlsplit(target).scheme:
                path = urljoin(f"/{name}", urlsplit(target).path)[1:]
                assert path in local or path == "firstfault-site.zip", (name, target)  # the zip holds the site, so it is made last
                seen += 1
    assert seen > 1000


def links(value: Any) -> list[str]:
    """Every address in a file of the API."""
    if isinstance(value, dict):
        return [item for key, inner in value.items() for item in ([inner] if key in ("json", "markdown", "schema") and isinstance(inner, str) else links(inner))]
    return [item for inner in value for item in links(inner)] if isinstance(value, list) else []


def test_the_api_leads_from_its_index_to_every_entry(local: dict[str, str], published: dict[str, str], texts: dict[str, Any], site_map: SiteMap) -> None:
    version = compiling.compile_database(site_map.entries)["version"]
    for files, root in ((local, "/"), (published, HOME)):
        index = json.loads(files["api/v1/index.json"])
        assert index["api"] == 1
        assert index["database"] == version
        assert {entry["id"] for entry in index["entries"]} == set(texts)
        assert sum(family["entries"] for family in index["families"]) == len(texts)
        for name in [name for name in files if name.startswith("api/v1/") and not name.startswith(("api/v1/entries/", "api/v1/entry.schema"))]:
            for target in links(json.loads(files[name])):
                assert urljoin(root + name, target).removeprefix(root) in files, (name, target)


def test_the_feed_is_atom(local: dict[str, str], published: dict[str, str], texts: dict[str, Any]) -> None:
    """The elements that the standard requires, identities that stay, dates as it writes them, youngest first."""
    for files in (local, published):
        root = ElementTree.fromstring(files[feed.ADDRESS])
        assert root.tag == f"{ATOM}feed"
        assert all(len(root.findall(ATOM + name)) == 1 for name in ("id", "title", "updated", "author"))
        assert {link.get("rel") for link in root.findall(f"{ATOM}link")} == {"self", "alternate"}
        items = root.findall(f"{ATOM}entry")
        assert 0 < len(items) <= feed.MOST
        assert len({item.findtext(f"{ATOM}id") for item in items}) == len(items)
        dates = [str(item.findtext(f"{ATOM}updated")) for item in items]
        assert dates == sorted(dates, reverse=True)
        assert str(root.findtext(f"{ATOM}updated")) == dates[0]
        for item in items:
            assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", str(item.findtext(ATOM + name))) for name in ("published", "updated"))
            id_ = str(item.findtext(f"{ATOM}id")).removeprefix(feed.TAG)
            link = item.find(f"{ATOM}link")
            assert link is not None
            assert link.get("href") == (HOME if files is published else "") + f"{id_}/"
            assert id_ in texts


def test_the_feed_tells_new_from_changed() -> None:
    entry = {"status": "stable", "family": "ray", "signature": "<boom> & more", "summary": "S.", "title": "A & <b>"}
    text = feed.atom({"one": {**entry, "id": "one", "created": "2026-01-01", "updated": "2026-01-01"}, "two": {**entry, "id": "two", "created": "2025-01-01", "updated": "2026-02-01"},
                      "gone": {**entry, "id": "gone", "created": "2025-01-01", "updated": "2027-02-01", "status": "retired"}}, "T", "S", "")
    titles = [item.findtext(f"{ATOM}title") for item in ElementTree.fromstring(text).findall(f"{ATOM}entry")]
    assert titles == ["Changed: A & <b>", "New: A & <b>"]


def test_llms_txt_does_not_grow_with_the_entries(published: dict[str, str], texts: dict[str, Any]) -> None:
    text = published["llms.txt"]
    assert text.startswith("# First Fault\n\n> ")
    assert text.count("\n") < 30 + len({entry["family"] for entry in texts.values()})
    assert all(target.startswith(HOME) for target in re.findall(r"\]\(([^)\s]+)\)", text))
    assert "Sitemap: " + HOME in published["robots.txt"]


@pytest.mark.parametrize(("html", "expected"), [
    ("<h2 id=x>A <code>b`c</code><a class='headerlink' href='#x'>#</a></h2><p>One\n two</p>", "## A ``b`c``\n\nOne two\n"),
    (f"<ul><li><a href='{BASE}ray/'>Ray</a></li><li>b<ol><li>c</li></ol></li></ul>", "- [Ray](../ray.md)\n- b\n  1. c\n"),
    ("<pre><code>a  *b*\n```\n</code></pre>", "````\na  *b*\n```\n````\n"),
    ("<table><tr><th>A</th><th></th></tr><tr><td>x|y</td></tr></table>", "| A |  |\n| --- | --- |\n| x\\|y |  |\n"),
    ("<p>*a* &lt;b&gt; [c]<svg><text>no</text></svg><button>no</button></p>", "\\*a\\* \\<b\\> \\[c\\]\n"),
    ("<dl><dt>T</dt><dd>m</dd></dl><section id='diagnose'><section>no</section></section><p>end</p>", "**T**\n\nm\n\nend\n"),
])
def test_html_becomes_markdown(html: str, expected: str) -> None:
    assert totext.markdown(html, "../") == expected


class Blocks(HTMLParser):
    """Collects the JSON-LD and the meta elements of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.inside, self.data, self.meta = False, [], {}
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.inside = tag == "script" and given.get("type") == "application/ld+json"
        if tag == "meta":
            self.meta[given.get("property") or given.get("name")] = given.get("content")

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.data.append(json.loads(data))


def test_no_text_ends_the_data_block() -> None:
    nasty = "</script><script>alert(1)</script> & <!--"
    page = Page("x/", nasty, nasty, "", source="entries/ray/x.yaml", family="ray", headline=nasty)
    found = Blocks(jsonld.head(page, {"created": "2026-01-01", "aliases": [nasty]}, HOME, "First Fault"))
    assert [block["@type"] for block in found.data] == ["TechArticle", "BreadcrumbList"]
    assert found.data[0]["headline"] == nasty
    assert found.meta["og:url"] == f"{HOME}x/"
    assert found.data[1]["itemListElement"][1]["item"] == f"{HOME}ray/"


def test_built_pages_say_what_they_are(site_dir: Path) -> None:
    """Article and way home, shared-link words, twins and the feed; a map of the site only where its address is known."""
    html = (site_dir / "nccl-watchdog-timeout/index.html").read_text("utf-8")
    found = Blocks(html)
    assert [block["@type"] for block in found.data] == ["TechArticle", "BreadcrumbList"]
    assert found.data[0]["dateModified"] == re.search(r'^updated: "?([\d-]+)', (ROOT / "entries/collectives/nccl-watchdog-timeout.yaml").read_text(), re.MULTILINE)[1]  # type: ignore[index]
    assert "Watchdog" in str(found.meta["og:description"])
    for address in ("../nccl-watchdog-timeout.md", "../nccl-watchdog-timeout.json", "../feed.xml"):
        assert html.count(f'href="{address}"') >= 2
    assert [block["@type"] for block in Blocks((site_dir / "index.html").read_text("utf-8")).data] == ["WebSite"]
    assert not (site_dir / "sitemap.xml").exists()
    for twin in ("index.md", "entries.json", "llms.txt", "api/v1/index.json"):
        assert (site_dir / twin).is_file()
