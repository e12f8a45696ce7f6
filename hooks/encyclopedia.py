# SPDX-License-Identifier: MIT
"""The one file that knows MkDocs: it takes the YAML files out of the site and puts the pages made from them in."""

from __future__ import annotations

import importlib
import logging
import sys
import time
from pathlib import Path
from typing import Any

from mkdocs.commands.build import _build_page, _populate_page  # how one page is built has no public name
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
searchindex: Any = importlib.import_module("hooks.searchindex")
searchfiles: Any = importlib.import_module("hooks.searchfiles")
offline: Any = importlib.import_module("hooks.offline")
airgap: Any = importlib.import_module("hooks.airgap")
writing: Any = importlib.import_module("hooks.writing").writing

#: The theme brings its search's stemmers and worker whether or not there is its search; no page of this site loads them.
THEME_SEARCH = ("assets/javascripts/lunr/", "assets/javascripts/workers/")
log = logging.getLogger("mkdocs.hooks.encyclopedia")
built: dict[str, Any] = {}
run: dict[str, str] = {}
made: dict[str, Any] = {}  # by the last whole build


def on_startup(command: str, **_: Any) -> None:
    """Note whether the site is built to be published; the development server needs no offline copy of what is being written."""
    run["command"] = command


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Replace the YAML files by pages, and say every problem so that a strict build stops."""
    for file in list(files):
        if file.src_uri.endswith((".yaml", ".yml")) or file.src_uri.startswith(THEME_SEARCH):
            files.remove(file)
    site_map = site.build()
    for problem in site_map.problems:
        log.warning("%s", problem)
    if run.get("command") == "serve":
        writing.built(site_map)
    built.clear()
    for page in site_map.pages:
        file = file_of(page, config)
        if files.get_file_from_path(page.src):
            raise PluginError(f"two pages are named {page.src}")
        files.append(file)
        built[page.src] = page
    config.nav = site_map.nav
    built["map"] = site_map
    built["entries"] = {entry.file: entry.data for entry in site_map.entries}
    built["search"] = searchfiles.files(searchindex.build(list(built["entries"].values())))
    # Pages name the folder of the index, whose name is its content's: no page ever reads the index of another build.
    config.extra["search_index"] = searchfiles.folder(built["search"])
    return files


def file_of(page: Any, config: MkDocsConfig) -> File:
    """Give the file that MkDocs believes a page comes from."""
    file = File.generated(config, page.src, content="")
    file.dest_uri = f"{page.url}index.html"
    file.edit_uri = page.source.removeprefix("entries/") if page.source else None
    return file


def on_env(env: Any, config: MkDocsConfig, files: Files, **_: Any) -> Any:
    """Keep what one page alone is rendered with."""
    made.update(env=env, config=config, files=files)
    return env


def on_serve(server: Any, builder: Any, **_: Any) -> Any:
    """Build only the page of an entry that was saved; everything, when something else was."""
    def build() -> None:
        saved = writing.saved()
        if saved is None:
            builder()
            return
        for path in saved:
            started = time.perf_counter()
            page, problems = writing.page(path)
            render_alone(page)
            for problem in problems:
                log.warning("%s", problem)
            log.info("%s%s: %d problems, %.1f s", server.url, page.url, len(problems), time.perf_counter() - started)
    server.builder = build
    return server


def render_alone(source: Any) -> None:
    """Write one page of a site that was built before."""
    config, files = made["config"], made["files"]
    file = files.get_file_from_path(source.src) or file_of(source, config)
    if source.src not in built:
        files.append(file)
    built[source.src] = source
    if entry := writing.entries.get(source.source):
        built["entries"][source.source] = entry.data
    page = SitePage(None, file, config)
    page.parent = next((one for one in made["nav"].pages if one.file.src_uri == f"{source.family}/index.md"), None)
    _populate_page(page, config, files)
    _build_page(page, config, files.documentation_pages(), made["nav"], made["env"])


def on_nav(nav: Navigation, files: Files, **_: Any) -> Navigation:
    """Hang each entry below its family, which is then shown as the open one beside it."""
    shelves = {page.file.src_uri: page for page in nav.pages}
    for file in files.documentation_pages():
        source = built.get(file.src_uri)
        if source and source.source and file.page:
            file.page.parent = shelves.get(f"{source.family}/index.md")
    for page in nav.pages:
        page.previous_page = page.next_page = None  # the theme would name them in the head, and Firefox would fetch the next one unasked
    made["nav"] = nav
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


def on_post_page(output: str, **_: Any) -> str:
    """Give each page its policy."""
    return str(policy.with_policy(output))


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
    searchfiles.write(Path(config.site_dir), built["search"], config.site_url or "", config.site_name)
    try:
        manifest = runtime.build(Path(config.site_dir))
    except runtime.RuntimeBuildError as error:
        raise PluginError(f"the browser's engine: {error}") from error
    if run.get("command") == "build":
        offline.build(Path(config.site_dir), config.site_name, manifest)
        airgap.build(Path(config.site_dir))
