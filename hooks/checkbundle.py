# SPDX-License-Identifier: MIT
"""The checks as the browser loads them when somebody drafts an entry: one archive, beside the engine and of the same build.

It holds this package's modules that the checks reach, PyYAML without its compiled part, the schema, the standard library's
modules that the engine itself has no use for, and an outline of all entries.
"""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import yaml

from .bytecode import RuntimeBuildError, engine, imports, library
from .rest import Rest
from .schema import SCHEMA

NAME = "check.zip"
FACE = "livecheck"
HOOKS = Path(__file__).resolve().parent
EPOCH = (1980, 1, 1, 0, 0, 0)


def check_sources() -> dict[str, bytes]:
    """Give the modules that the checks reach, by path in the archive."""
    waiting, found = ["__init__", FACE], {}
    while waiting:
        name = waiting.pop()
        path = HOOKS / f"{name}.py"
        if name not in found and path.is_file():
            found[name] = path.read_bytes()
            waiting += [module.removeprefix("hooks.") for module in imports(found[name], "hooks") if module.startswith("hooks.")]
    own = {f"hooks/{name}.py": source for name, source in sorted(found.items())}
    parser = Path(yaml.__file__).parent
    # cyaml.py only wraps the compiled part, which this interpreter has not; PyYAML goes on without it.
    return own | {f"yaml/{path.name}": path.read_bytes() for path in sorted(parser.glob("*.py")) if path.name != "cyaml.py"}


def build(pyodide: Path, engine_modules: dict[str, bytes], cache: Path, rest: Rest) -> bytes:
    """Give the archive, for an engine that is made of these modules."""
    sources = check_sources()
    missing = {name for source in sources.values() for name in imports(source, "hooks") if name.startswith("firstfault.") and not _held(name, engine_modules)}
    if missing:
        raise RuntimeBuildError(f"the checks import {', '.join(sorted(missing))}, which the browser's engine does not reach")
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


def _held(name: str, modules: dict[str, bytes]) -> bool:
    """Whether a dotted name is a module of the engine, or a thing inside one."""
    parts = name.split(".")
    return any(f"{'/'.join(parts[:length])}.py" in modules for length in range(2, len(parts) + 1)) or not (HOOKS.parent / f"{'/'.join(parts)}.py").is_file()


def _add(target: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    target.writestr(entry, data, compresslevel=9)
