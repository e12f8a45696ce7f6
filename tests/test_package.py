# SPDX-License-Identifier: MIT
"""The wheel: pure Python, the database inside, the same bytes every time, and nothing else needed to run it."""
from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

from firstfault.database import loads
from tests.site_server import ROOT
from tools import wheel as builder

SDIST = "import sys; from setuptools import build_meta; print(build_meta.build_sdist(sys.argv[1]))"


def run_from_wheel(wheel: Path, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """The command, from the wheel alone: isolated, without site-packages, in a folder that holds no checkout."""
    code = f"import sys; sys.path.insert(0, {str(wheel)!r}); from firstfault.cli import main; sys.exit(main())"
    command = [sys.executable, "-I", "-S", "-c", code, *arguments]
    return subprocess.run(command, cwd=wheel.parent, input=stdin, capture_output=True, text=True, check=False)


def test_wheel_is_pure_and_carries_database_command_and_licences(wheel: Path) -> None:
    assert wheel.name.startswith("firstfault-") and wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        database = loads(archive.read("firstfault/data/database.jsonl").decode())
        entry_points = archive.read(next(name for name in names if name.endswith("entry_points.txt"))).decode()
    assert database.entries
    assert "firstfault/data/entries.json" in names
    assert "firstfault = firstfault.cli:run" in entry_points
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert any(name.endswith("licenses/LICENSE-entries") for name in names)
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"firstfault"}


def test_building_twice_gives_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    assert builder.build(tmp_path).read_bytes() == wheel.read_bytes()


def test_sdist_builds_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", SDIST, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=True)
    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        # The filter came with 3.11.4, and Debian 12 has 3.11.2.
        safely = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        archive.extractall(tmp_path / "tree", **safely)  # noqa: S202 - our own archive
    (tree,) = (tmp_path / "tree").iterdir()
    environment = {**os.environ, "PYTHONPATH": ""}
    done = subprocess.run(
        [sys.executable, "-c", builder.BACKEND, str(tmp_path)], cwd=tree, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    with zipfile.ZipFile(wheel) as ours, zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as theirs:
        assert {name: ours.read(name) for name in ours.namelist()} == {name: theirs.read(name) for name in theirs.namelist()}


def test_wheel_diagnoses_without_anything_else(wheel: Path) -> None:
    helped = run_from_wheel(wheel, "--help")
    assert helped.returncode == 0, helped.stderr
    log = "step 10 loss 2.31\n[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n"
    done = run_from_wheel(wheel, "diagnose", "--format", "json", "-", stdin=log)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["stats"]["lines"] == 2
    assert result["database"]["entries"] > 0
