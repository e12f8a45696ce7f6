# SPDX-License-Identifier: MIT
"""Builds the site as ``make site`` does and serves it under a sub-path, as a project page on a code host is served."""
from __future__ import annotations

import functools
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
SUB_PATH = "/some/path/"

# The arguments of Python in the Makefile's `site` rule; tests/test_setup.py keeps the two equal.
BUILD = ("-m", "mkdocs", "build", "--strict", "--clean", "--site-dir")


class SiteBuildError(RuntimeError):
    """The strict build failed; the message is what it printed."""


def build(folder: Path) -> Path:
    """Builds the whole site, strictly, into the folder."""
    done = subprocess.run([sys.executable, *BUILD, str(folder)], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SiteBuildError(f"the site does not build (`make site`):\n{done.stdout[-4000:]}{done.stderr[-8000:]}")
    return folder


class SubPathHandler(SimpleHTTPRequestHandler):
    """Serves the folder below SUB_PATH only: a link that assumes the root of the host gets a 404."""

    extensions_map = {  # noqa: RUF012 - the base class's own attribute
        **SimpleHTTPRequestHandler.extensions_map,
        ".wasm": "application/wasm", ".mjs": "text/javascript", ".js": "text/javascript", ".json": "application/json",
    }

    def translate_path(self, path: str) -> str:
        """The base class maps the whole path into the folder; here only what stands below the sub-path is there."""
        inside = urlsplit(path).path
        if not inside.startswith(SUB_PATH):
            return str(Path(self.directory) / "outside-the-sub-path-nothing-is-served")
        return super().translate_path(inside.removeprefix(SUB_PATH.rstrip("/")))

    def log_message(self, format: str, *args: object) -> None:
        """Keeps the test output readable."""


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """Serves the folder on a free loopback port and gives the base address, which ends in a slash."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(SubPathHandler, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{SUB_PATH}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=10)
