# SPDX-License-Identifier: MIT
"""The offline copy: one version for the whole site, written into its pages and its service worker.

The version is the hash of everything that is served, so equal sites have one version and any change makes another.
Style sheets and scripts get the hash of all of them into their address (`theme.css?v=...`): a page that a browser kept
from before a deployment asks for its own files and never gets a mixture.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .policy import with_policy

ASSETS = Path(__file__).resolve().parent.parent / "overrides" / "assets"
WORKER = "serviceworker.js"
#: each also finds what an earlier run has written, so that a changed site can be stamped again
LINKED = re.compile(rb'((?:href|src)="(?:\.\./)*assets/[\w-]+\.(?:js|css))(?:\?v=\w+)?(?=")')
IMPORTED = re.compile(r'((?:\bfrom|\bimport)\s*\(?\s*"\./[\w-]+\.js)(?:\?v=\w+)?(?=")')
VERSION = re.compile(rb'(<meta name="site-version" content=")\w*(?=">)')
#: kept from the first visit on, beside all style sheets and scripts
PAGES = ("", "where-your-log-goes/", "offline.html")
#: what pages fetch while they are read, so it is kept when it passes by
DATA = ("assets/search/", "assets/samples/")
NEVER = re.compile(r"(sw\.js|sitemap\.xml(\.gz)?|offline-pages\.json|.*\.(zip|map))")


def digest(data: bytes) -> str:
    """Give the hash by which a browser checks a file."""
    return hashlib.sha256(data).hexdigest()


def files(site: Path) -> Iterator[tuple[str, Path]]:
    """Yield every served file with its address, in order."""
    for path in sorted(site.rglob("*")):
        if path.is_file() and not NEVER.fullmatch(name := path.relative_to(site).as_posix()):
            yield name, path


def stamp(site: Path) -> str:
    """Write the hash of all style sheets and scripts into every address that leads to one; give the hash."""
    own = sorted(path for path in (site / "assets").iterdir() if path.suffix in (".js", ".css"))
    version = digest(b"".join(path.name.encode() + path.read_bytes() for path in own))[:12]
    for path in own:
        if path.suffix == ".js":
            path.write_text(IMPORTED.sub(rf"\1?v={version}", path.read_text("utf-8")), encoding="utf-8", newline="\n")
    for path in site.rglob("*.html"):
        html = path.read_bytes()
        if html != (stamped := LINKED.sub(rb"\1?v=" + version.encode(), html)):
            path.write_bytes(stamped)
    return version


def whole(site: Path) -> str:
    """Give the version of the whole site, and write it into its pages."""
    total = hashlib.sha256()
    for name, path in files(site):
        total.update(f"{name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    version = total.hexdigest()[:12]
    for path in site.rglob("*.html"):
        path.write_bytes(VERSION.sub(rb"\g<1>" + version.encode(), path.read_bytes(), count=1))
    return version


def shell(site: Path, assets: str) -> dict[str, str]:
    """Give what is kept from the first visit on: address and hash."""
    home = (site / "index.html").read_text("utf-8")
    theme = [name for name in re.findall(r'(?:href|src)="(assets/(?:stylesheets|javascripts)/[^"]+)"', home)]
    own = [path for path in sorted((site / "assets").iterdir()) if path.suffix in (".js", ".css", ".svg")]
    found = {f"assets/{path.name}" + ("" if path.suffix == ".svg" else f"?v={assets}"): digest(path.read_bytes()) for path in own}
    found |= {name: digest((site / name).read_bytes()) for name in theme}
    for page in PAGES:
        path = site / page
        found[page] = digest((path / "index.html" if path.is_dir() else path).read_bytes())
    return found


def build(site: Path, name: str, manifest: dict[str, Any]) -> str:
    """Write versions, the page for a page that was not kept, and the service worker into a built site; give the version."""
    (site / "assets" / WORKER).unlink(missing_ok=True)
    (site / "offline.html").write_text(with_policy(not_kept(name)), encoding="utf-8")
    assets = stamp(site)
    version = whole(site)
    runtime = site / "assets" / "runtime" / manifest["build"]
    data = {name: digest(path.read_bytes()) for name, path in files(site) if name.startswith(DATA)}
    described = {
        "version": version, "assets": assets, "engine": manifest["build"], "shell": shell(site, assets), "files": data,
        "runtime": {path.name: digest(path.read_bytes()) for path in sorted(runtime.iterdir())},
    }
    pages = [name.removesuffix("index.html") for name, _path in files(site) if name == "index.html" or name.endswith("/index.html")]
    (site / "offline-pages.json").write_text(json.dumps({"version": version, "pages": pages, "files": sorted(data)}) + "\n", encoding="utf-8")
    worker = (ASSETS / WORKER).read_text("utf-8")
    if worker.count('"@BUILD@"') != 1:
        raise ValueError(f"{WORKER} has no one place for the build's description")
    (site / "sw.js").write_text(worker.replace('"@BUILD@"', json.dumps(described)), encoding="utf-8", newline="\n")
    return version


def not_kept(name: str) -> str:
    """The page that stands in for one that was not kept; its style is in it, as it may be all that is there."""
    return f"""<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width,initial-scale=1">
    <meta name="robots" content="noindex">
    <meta name="site-version" content="">
    <link rel="icon" href="data:,">
    <title>No network - {name}</title>
    <link rel="stylesheet" href="assets/theme.css">
    <style>
      body {{ margin: 0; background: var(--ff-paper, Canvas); font: 1.0625rem/1.6 system-ui, sans-serif; }}
      main {{ max-width: 36rem; margin: 14vh auto 2rem; padding: 0 1.25rem; }}
      h1 {{ font-size: 1.75rem; line-height: 1.25; }}
    </style>
  </head>
  <body>
    <main>
      <h1>There is no network, and this page was not kept.</h1>
      <p>Pages that you have read are kept in this browser, and so is <a href="./">the first page</a>; once the engine has run here, it diagnoses logs without a network too.
      To keep everything for next time, see <a href="where-your-log-goes/#offline">the offline copy</a>.</p>
      <div id="offline-kept"></div>
    </main>
    <script type="module" src="assets/offline.js"></script>
  </body>
</html>
"""
