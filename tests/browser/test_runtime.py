# SPDX-License-Identifier: MIT
"""The engine that the site publishes: the same answers as in a terminal, the wheel's own modules, small enough."""
from __future__ import annotations

import hashlib
import json
import re
import subprocess
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

from firstfault import browser, database
from firstfault.diagnose import Session
from hooks import bytecode, runtime
from tests.browser.desk import CASES
from tests.site_server import ROOT
from tests.speed import bench_browser

# What a reader downloads before the first verdict, gzipped: the engine, its runtime and their scripts.
LARGEST = 5_200_000


def manifest(site_dir: Path) -> dict[str, Any]:
    return json.loads((site_dir / "assets" / "runtime" / "manifest.json").read_text(encoding="utf-8"))


def folder(site_dir: Path) -> Path:
    return site_dir / "assets" / "runtime" / manifest(site_dir)["folder"]


def pack(site_dir: Path, name: str) -> zipfile.ZipFile:
    return runtime.unpacked((folder(site_dir) / f"{name}.pack").read_bytes())


@cache
def published_database(site_dir: Path) -> database.Database:
    with pack(site_dir, "engine") as archive:
        return database.loads(archive.read(runtime.DATABASE).decode())


def without_time(result: dict[str, Any]) -> dict[str, Any]:
    return {**result, "stats": {**result["stats"], "seconds": 0}}


def in_cpython(log: Path, site_dir: Path) -> dict[str, Any]:
    run = browser.Run(Session(published_database(site_dir)))
    run.open(log.name)
    run.feed(log.read_bytes())
    run.close()
    return json.loads(json.dumps(run.session.result()))


def test_same_json_in_cpython_and_in_pyodide(site_dir: Path) -> None:
    logs = sorted(CASES.rglob("*.log"))
    assert len(logs) > 40
    command = [bytecode.node(), "tests/pyodide.mjs", str(site_dir / "assets" / "runtime"), *map(str, logs)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(logs)
    for log, answer in zip(logs, answers, strict=True):
        assert without_time(answer) == without_time(in_cpython(log, site_dir)), log.name


def test_engine_is_made_of_the_wheels_modules(site_dir: Path, wheel: Path) -> None:
    sources = bytecode.engine_sources(ROOT / "firstfault")
    with zipfile.ZipFile(wheel) as packed, pack(site_dir, "engine") as published:
        for path, source in sources.items():
            assert packed.read(path) == source
        assert {name.removesuffix("c") for name in published.namelist() if name.endswith(".pyc")} == set(sources)
        assert published.read(runtime.DATABASE) == packed.read(runtime.DATABASE)


def test_manifest_hashes_are_those_of_the_files(site_dir: Path) -> None:
    for file in manifest(site_dir)["files"]:
        data = (folder(site_dir) / file["name"]).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (file["size"], file["sha256"])


def test_download_stays_small(site_dir: Path) -> None:
    assert bench_browser.download(site_dir)["gzip"] <= LARGEST


def test_pyodide_starts_without_what_nobody_uses(site_dir: Path) -> None:
    """Each of these was half a second of every first visit, or is the way back to it."""
    with pack(site_dir, "stdlib") as library:
        held = set(library.namelist())
    assert not held & {"asyncio/base_events.pyc", "subprocess.pyc", "ssl.pyc", "logging/__init__.pyc", "dis.pyc", "tokenize.pyc", "concurrent/futures/_base.pyc"}


def test_page_and_build_speak_the_same_contract() -> None:
    script = (ROOT / "overrides" / "assets" / "messages.js").read_text(encoding="utf-8")
    assert int(re.search(r"CONTRACT = (\d+);", script)[1]) == runtime.CONTRACT


def test_no_asset_has_a_name_that_blockers_refuse(site_dir: Path) -> None:
    blocked = re.compile(r"analy|track|(^|[^a-z])ads?([^a-z]|$)", re.IGNORECASE)
    assert [path.name for path in (site_dir / "assets").rglob("*") if blocked.search(path.stem) and "samples" not in path.parts] == []
