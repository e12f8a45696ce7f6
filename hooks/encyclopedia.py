# SPDX-License-Identifier: MIT
"""The one file that knows MkDocs: it takes the YAML files out of the site and puts the pages made from them in."""

from __future__ import annotations

import importlib
import logging
import sys
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as SitePage
from mkdocs.structure.toc import get_toc

ROOT = Path(__file__).resolve().parent.parent
# MkDocs loads this file by its path, not as a part of the package.
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))
site: Any = importlib.import_module("hooks.site_pages")
policy: Any = importlib.import_module("hooks.policy")
runtime: Any = importlib.import_module("hooks.runtime")
surfaces: Any = importlib.import_module("hooks.surfaces")
jsonld: Any = importlib.import_module("hooks.jsonld")
api: Any = importlib.import_module("hooks.api")
offline: Any = importlib.import_module("hooks.offline")
airgap: Any = importlib.import_module("hooks.airgap")

log = logging.getLogger("mkdocs.hooks.encyclopedia")
built: dict[str, Any] = {}
run: dict[str, str] = {}


def on_startup(command: str, **_: Any) -> None:
    """Note whether the site is built to be published; the development server needs no offline copy of what is being written."""
    run["command"] = command


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Replace the YAML files by pages, and say every problem so that a strict build stops."""
    for file in list(files):
        if file.src_uri.endswith((".yaml", ".yml")):
            files.remove(file)
    site_map = site.build()
    for problem in site_map.problems:
        log.warning("%s", problem)
    built.clear()
    for page in site_map.pages:
        file = File.generated(config, page.src, content="")
        file.dest_uri = f"{page.url}index.html"
        file.edit_uri = page.source.removeprefix("entries/") if page.source else None
        if files.get_file_from_path(page.src):
            raise PluginError(f"two pages are named {page.src}")
        files.append(file)
        built[page.src] = page
    config.nav = site_map.nav
    built["map"] = site_map
    built["entries"] = {entry.file: entry.data for entry in site_map.entries}
    return files


def on_nav(nav: Navigation, files: Files, **_: Any) -> Navigation:
    """Hang each entry below its family, which is then shown as the open one beside it."""
    shelves = {page.file.src_uri: page for page in nav.pages}
    for file in files.documentation_pages():
        source = built.get(file.src_uri)
        if source and source.source and file.page:
            file.page.parent = shelves.get(f"{source.family}/index.md")
    return nav


def on_page_markdown(markdown: str, page: SitePage, config: MkDocsConfig, **_: Any) -> str:
    """Give MkDocs what it wants to know of a page; its words come after the Markdown step."""
    source = built.get(page.file.src_uri)
    if source:
        data = built["entries"].get(source.source)
        page.meta["twin"] = surfaces.twin_of(source)
        page.meta["head"] = jsonld.head(source, data, config.site_url or "", config.site_name)
        # The map of the site dates a page by its content, not by the day of the build.
        page.update_date = (data or {}).get("updated") or api.last_change(built["entries"].values())
        page.title = source.title
        page.meta.update({"title": source.title, "description": source.description, "hide": list(source.hide), "entry": source})
        if source.template:
            page.meta["template"] = source.template
    return markdown


def on_page_content(html: str, page: SitePage, **_: Any) -> str:
    """Put the page's HTML in, with its table of contents."""
    source = built.get(page.file.src_uri)
    if not source:
        return html
    page.toc = get_toc([
        {"level": 2, "id": section.anchor, "name": section.title, "children": [{"level": 3, "id": anchor, "name": name, "children": []} for anchor, name in section.children]}
        for section in source.sections
    ])
    return str(site.html_of(source))


def on_post_page(output: str, page: SitePage, **_: Any) -> str:
    """Give each page its policy, and the theme's search dialogue the name that a screen reader says."""
    named = output.replace('data-md-component="search" role="dialog"', 'data-md-component="search" role="dialog" aria-label="Search"', 1)
    return str(policy.with_policy(named))


def on_post_template(output_content: str, template_name: str, **_: Any) -> str:
    """Give the error page its policy too."""
    return str(policy.with_policy(output_content)) if template_name.endswith(".html") else output_content


def on_post_build(config: MkDocsConfig) -> None:
    """Write what is no page: short addresses that lead to entries, and the engine that the pages start."""
    for address, text in built["map"].redirects.items():
        path = Path(config.site_dir) / address / "index.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(policy.with_policy(text), encoding="utf-8")
    about = surfaces.About(config.site_name, config.site_description or "", config.site_url or "")
    surfaces.write(Path(config.site_dir), built["map"].pages, built["map"].entries, about)
    try:
        manifest = runtime.build(Path(config.site_dir))
    except runtime.RuntimeBuildError as error:
        raise PluginError(f"the browser's engine: {error}") from error
    if run.get("command") == "build":
        offline.build(Path(config.site_dir), config.site_name, manifest)
        airgap.build(Path(config.site_dir))
