# SPDX-License-Identifier: MIT
"""Runs inside Pyodide in Node: packs Python sources as bytecode that this very interpreter made.

Compiling the standard library's source is most of a browser's cold start, and nine tenths of the library is never
imported here. Bytecode only fits the interpreter that wrote it, so the packing happens in the same Pyodide that the
site serves.
"""
import sys

BOOT = frozenset(sys.modules)  # what Pyodide itself needs to start: taken before anything else is imported

import importlib  # noqa: E402
import importlib.util  # noqa: E402
import json  # noqa: E402
import marshal  # noqa: E402
import zipfile  # noqa: E402
from pathlib import Path  # noqa: E402

LIBRARY = "/lib/python314.zip"
EPOCH = (1980, 1, 1, 0, 0, 0)  # no clock in the archive: the same input gives the same bytes
UNCHECKED_HASH = 0b01  # the source is not beside the bytecode, so nothing may try to compare with it


def library(job: str) -> None:
    """Write /job/stdlib.zip with the modules that boot and `roots` need, and /job/stdlib.json that says which."""
    wanted = json.loads(Path(job, "roots.json").read_text())
    missing = [name for name in wanted if not _imports(name)]
    with zipfile.ZipFile(LIBRARY) as source:
        paths = sorted({path for name in BOOT | set(sys.modules) if (path := _inside(name))})
        files = {path: _bytecode(source.read(path), path) for path in paths}
    _write(Path(job, "stdlib.zip"), files)
    Path(job, "stdlib.json").write_text(json.dumps({"modules": paths, "missing": missing}))


def package(job: str) -> None:
    """Write /job/engine.zip with every .py below /job/source as bytecode."""
    base = Path(job, "source")
    found = sorted(base.rglob("*.py"))
    _write(Path(job, "engine.zip"), {p.relative_to(base).as_posix(): _bytecode(p.read_bytes(), p.name) for p in found})


def _imports(name: str) -> bool:
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True


def _inside(name: str) -> str | None:
    """The path of a module's source inside the library archive, or None for built-in and foreign modules."""
    origin = getattr(getattr(sys.modules.get(name), "__spec__", None), "origin", None) or ""
    return origin.removeprefix(LIBRARY + "/") if origin.startswith(LIBRARY + "/") and origin.endswith(".py") else None


def _bytecode(source: bytes, name: str) -> bytes:
    code = compile(source, name, "exec", dont_inherit=True, optimize=2)  # 2: no docstrings
    head = importlib.util.MAGIC_NUMBER + UNCHECKED_HASH.to_bytes(4, "little") + bytes(8)
    return head + marshal.dumps(code)


def _write(target: Path, files: dict[str, bytes]) -> None:
    with zipfile.ZipFile(target, "w") as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path.removesuffix(".py") + ".pyc", EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data, compresslevel=9)
