# SPDX-License-Identifier: MIT
"""The engine as the browser loads it: Pyodide, trimmed library, engine and database, with a manifest of hashes.

Everything lies in one folder whose name is the hash of its content: a page that was cached before a deployment finds
either its own engine or none, never a mixture.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import json
import shutil
import sys
import zipfile
from pathlib import Path
from typing import Any

from firstfault import database

from . import checkbundle, rest, samplelogs
from .bytecode import RuntimeBuildError, engine, engine_sources, library
from .load import ENTRIES, ROOT, load_folder

PYODIDE = ROOT / "node_modules" / "pyodide"
CACHE = ROOT / "build" / "runtime"
PACKAGE = ROOT / "firstfault"
ASSETS = ROOT / "overrides" / "assets"
CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")  # unchanged from the npm package
WORKER = ("worker.js", "messages.js", "corefiles.js", "lockdown.js", "snapshot.js", "start.js")  # lie beside the engine, so both are of one build
CONTRACT = 4  # messages.js has the same number; a test compares them
DATABASE = "firstfault/data/database.jsonl"  # in the archive, where the installed package has it, too
EPOCH = (1980, 1, 1, 0, 0, 0)


def build(site: Path, package: Path = PACKAGE, pyodide: Path = PYODIDE, cache: Path = CACHE) -> dict[str, Any]:
    """Write the engine and the sample logs into a built site; give the engine's manifest."""
    if not (pyodide / "package.json").is_file():
        raise RuntimeBuildError(f"{pyodide} is missing; run `make setup`, it installs the locked npm packages")
    sources = engine_sources(package)
    files = {name: (pyodide / name).read_bytes() for name in CORE}
    files["stdlib.pack"] = packed(library(pyodide, sources, cache))
    # The entries are read afresh: the site's pages and the engine behind them must never be of two states.
    others = rest.rest_of(load_folder(ENTRIES, ROOT)[0])
    files["engine.pack"] = packed(engine(pyodide, sources, cache), {DATABASE: database.dumps(others.compiled).encode()})
    checks = {checkbundle.NAME: checkbundle.build(pyodide, sources, cache, others)}
    samplelogs.publish(site / "assets")
    return publish(files, checks, lock_info(pyodide), site / "assets" / "runtime")


def packed(archive: Path, more: dict[str, bytes] | None = None) -> bytes:
    """Pack an archive as a whole instead of each of its members: smaller, and a browser unpacks it faster than Python would."""
    whole = io.BytesIO()
    with zipfile.ZipFile(archive) as source, zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as target:
        members = {name: source.read(name) for name in source.namelist()} | (more or {})
        for name, data in members.items():
            target.writestr(zipfile.ZipInfo(name, EPOCH), data)
    return gzip.compress(whole.getvalue(), 9, mtime=0)


def unpacked(pack: bytes) -> zipfile.ZipFile:
    """Open an archive that was packed as a whole."""
    return zipfile.ZipFile(io.BytesIO(gzip.decompress(pack)))


def lock_info(pyodide: Path) -> dict[str, Any]:
    """Give Pyodide's lock without its packages: no package is ever loaded, and the list is 119 kB."""
    lock = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    return {"info": lock["info"], "packages": {}}


def publish(files: dict[str, bytes], later: dict[str, bytes], lock: dict[str, Any], runtime: Path) -> dict[str, Any]:
    """Write the files below the hash of their content, and the manifest at its fixed address; `later` are fetched only when they are asked for."""
    listed, on_request = ([{"name": name, "size": len(data), "sha256": hashlib.sha256(data).hexdigest()} for name, data in group.items()] for group in (files, later))
    worker = {name: (ASSETS / name).read_bytes() for name in WORKER}
    whole = hashlib.sha256(json.dumps([listed, on_request, lock]).encode() + b"".join(worker.values())).hexdigest()[:12]
    shutil.rmtree(runtime, ignore_errors=True)
    (runtime / whole).mkdir(parents=True)
    for name, data in {**files, **later, **worker}.items():
        (runtime / whole / name).write_bytes(data)
    manifest = {"contract": CONTRACT, "build": whole, "folder": f"{whole}/", "files": listed, "later": on_request, "lock": lock}
    (runtime / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    return manifest


def main(arguments: list[str] | None = None) -> int:
    """Build the engine into a site."""
    parser = argparse.ArgumentParser(prog="python -m hooks.runtime", description="Write the browser's engine into a built site.")
    parser.add_argument("site", type=Path, help="the built site, for example site/")
    parser.add_argument("--package", type=Path, default=PACKAGE, help="the engine's package folder")
    parser.add_argument("--pyodide", type=Path, default=PYODIDE, help="the unpacked npm package pyodide")
    options = parser.parse_args(arguments)
    try:
        manifest = build(options.site, options.package, options.pyodide)
    except RuntimeBuildError as error:
        print(f"runtime: {error}", file=sys.stderr)
        return 1
    print(f"engine {manifest['build']}: {sum(file['size'] for file in manifest['files']):,} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
