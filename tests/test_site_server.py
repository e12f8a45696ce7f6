# SPDX-License-Identifier: MIT
"""The tests' own server behaves like a project page: nothing above the sub-path, the types that browsers insist on."""
from __future__ import annotations

import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urljoin

import pytest

from tests import site_server


def content_type(address: str) -> str:
    """What the server says a file is."""
    with urllib.request.urlopen(address, timeout=10) as answer:  # noqa: S310 - loopback
        return str(answer.headers["Content-Type"])


def test_serves_below_the_sub_path_with_the_right_types(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<!doctype html>")
    (tmp_path / "engine.wasm").write_bytes(b"\0asm")
    (tmp_path / "page.mjs").write_text("export {}")
    with site_server.serve(tmp_path) as base:
        assert base.endswith("/some/path/")
        assert content_type(base) == "text/html"
        assert content_type(base + "engine.wasm") == "application/wasm"
        assert content_type(base + "page.mjs?v=1") == "text/javascript"


def test_a_link_to_the_root_of_the_host_is_not_found(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<!doctype html>")
    with site_server.serve(tmp_path) as base, pytest.raises(urllib.error.HTTPError, match="404") as error:
        content_type(urljoin(base, "/index.html"))
    error.value.close()
