# SPDX-License-Identifier: MIT
"""The checks as the browser loads them when somebody drafts an entry: one archive, beside the engine and of the same build.

It holds the modules that the checks reach and the engine has no use for, PyYAML without its compiled part, the schema, the standard library's
modules that the engine itself has no use for, and an outline of all entries.
"""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import yaml

from .bytecode import PACKAGE, engine, imports, library
from .rest import Rest
from .schema import SCHEMA

NAME = "check.zip"
FACE = "livecheck"
ROOT = Path(__file__).resolve().parent.parent
EPOCH = (1980, 1, 1, 0, 0, 0)


def check_sources(engine_modules: dict[str, bytes]) -> dict[str, bytes]:
    """Give the modules that the checks reach and the engine has not, by path in the archive."""
    waiting, found = ["hooks", f"hooks.{FACE}"], {}
    while waiting:
        name = waiting.pop()
        path = _file(name)
        if path and path not in found and path not in engine_modules:
            found[path] = (ROOT / path).read_bytes()
            waiting += [module for module in imports(found[path], name.partition(".")[0]) if module.startswith(("hooks.", f"{PACKAGE}."))]
    parser = Path(yaml.__file__).parent
    # cyaml.py only wraps the compiled part, which this interpreter has not; PyYAML goes on without it.
    return dict(sorted(found.items())) | {f"yaml/{path.name}": path.read_bytes() for path in sorted(parser.glob("*.py")) if path.name != "cyaml.py"}


def _file(name: str) -> str:
    """The file of a dotted name, if it is a module of ours and not a thing inside one."""
    path = name.replace(".", "/")
    return next((file for file in (f"{path}.py", f"{path}/__init__.py") if (ROOT / file).is_file()), "")


def build(pyodide: Path, engine_modules: dict[str, bytes], cache: Path, rest: Rest) -> bytes:
    """Give the archive, for an engine that is made of these modules."""
    sources = check_sources(engine_modules)
    with zipfile.ZipFile(library(pyodide, engine_modules, cache)) as base:
        there = set(base.namelist())
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as target:
        with zipfile.ZipFile(library(pyodide, engine_modules | sources, cache)) as more:
            for name in more.namelist():
                if name not in there:
                    _add(target, name, more.read(name))
        with zipfile.ZipFile(engine(pyodide, sources, cache)) as compiled:
            for name in compiled.namelist():
                _add(target, name, compiled.read(name))
        _add(target, f"schema/{SCHEMA.name}", SCHEMA.read_bytes())
        _add(target, "rest.json", json.dumps(rest.data(), ensure_ascii=False, separators=(",", ":")).encode())
    return whole.getvalue()


def _add(target: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    target.writestr(entry, data, compresslevel=9)
