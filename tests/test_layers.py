# SPDX-License-Identifier: MIT
"""Imports point one way: the engine knows neither YAML nor MkDocs, and each of its rooms knows only those before it."""
from __future__ import annotations

import ast
import graphlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.site_server import ROOT

# From the ground up. A module that is not listed is a detail of a room: it may stand anywhere as long as no circle arises.
ROOMS = (
    "patterns", "prefilter", "database", "reading", "prefixes", "tracebacks", "flightrecorder", "events", "episodes",
    "collectives", "causes", "verdict", "masking", "report", "diagnose", "explain", "search", "bench", "browser", "cli",
)
ENGINE = sorted((ROOT / "firstfault").glob("**/*.py"))
HOOKS = sorted((ROOT / "hooks").glob("*.py"))


def imports(path: Path, package: str) -> Iterator[str]:
    """Full names of the modules that a file imports, wherever in the file it does; relative ones are resolved."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package if node.level else ""
            origin = ".".join(part for part in (base, node.module or "") if part)
            # `from package import module` names modules, `from package.module import thing` does not.
            yield from (f"{origin}.{alias.name}" for alias in node.names) if origin == package else (origin,)


def graph(files: list[Path], package: str) -> dict[str, set[str]]:
    """For each module the modules of its own package that it imports."""
    names = {path.stem for path in files}
    return {
        path.stem: {name.split(".")[1] for name in imports(path, package) if name.startswith(f"{package}.")} & names - {path.stem}
        for path in files
    }


@pytest.mark.parametrize("path", ENGINE, ids=lambda path: path.name)
def test_engine_needs_only_the_standard_library(path: Path) -> None:
    foreign = {name for name in imports(path, "firstfault") if name.split(".")[0] not in {*sys.stdlib_module_names, "firstfault"}}
    assert foreign == set()


@pytest.mark.parametrize("package", ["firstfault", "hooks"])
def test_imports_make_no_circle(package: str) -> None:
    files = sorted((ROOT / package).glob("*.py"))
    assert files
    try:
        list(graphlib.TopologicalSorter(graph(files, package)).static_order())
    except graphlib.CycleError as error:
        pytest.fail(f"{package} imports in a circle: {' <- '.join(error.args[1])}")


def test_each_room_imports_only_earlier_rooms() -> None:
    wrong = [
        f"{module} imports {other}"
        for module, others in graph(ENGINE, "firstfault").items()
        for other in sorted(others)
        if module in ROOMS and other in ROOMS and ROOMS.index(other) > ROOMS.index(module)
    ]
    assert wrong == []


def test_only_one_file_knows_mkdocs() -> None:
    knowing = {path.name for path in HOOKS if any(name.split(".")[0] == "mkdocs" for name in imports(path, "hooks"))}
    assert knowing <= {"encyclopedia.py"}


def test_the_walk_sees_imports_of_every_form(tmp_path: Path) -> None:
    sample = tmp_path / "sample.py"
    sample.write_text("import yaml.nodes\nfrom . import causes\nfrom .events import Event\ndef f():\n    from firstfault.verdict import judge\n")
    found = set(imports(sample, "firstfault"))
    assert found == {"yaml.nodes", "firstfault.causes", "firstfault.events", "firstfault.verdict"}
