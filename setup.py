# SPDX-License-Identifier: MIT
"""Puts the compiled database into the wheel; everything else stands in pyproject.toml.

The entries are YAML for people, the engine reads JSON. Compiling happens here, when a wheel is built, so that an installed
``firstfault`` needs neither YAML nor the site's tools.
"""
from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent

# The same sources give the same bytes, whenever and wherever they are built (a zip cannot date anything before 1980).
os.environ.setdefault("SOURCE_DATE_EPOCH", "315532800")

# A folder of its own per build: a module deleted from the checkout must not live on in a left-over build/lib.
SCRATCH = Path(tempfile.mkdtemp(prefix="firstfault-build-"))
atexit.register(shutil.rmtree, SCRATCH, ignore_errors=True)


class BuildWithDatabase(build_py):
    """Copies the modules, then compiles entries/ next to them."""

    def run(self) -> None:
        """An editable install reads the checkout, where make keeps the database fresh; only a wheel gets a copy."""
        super().run()
        if not self.editable_mode:
            compile_database(Path(self.build_lib) / "firstfault" / "data")


def compile_database(folder: Path) -> None:
    """Writes database.jsonl, entries.json and search.json, or says which part of the source tree is missing."""
    for part in ("entries", "schema", "hooks", "overrides"):
        if not (ROOT / part).is_dir():
            raise SystemExit(f"setup.py: {ROOT / part} is missing: build from a whole checkout or from the sdist")
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, "-m", "hooks.bundle", str(folder.resolve())], cwd=ROOT, check=True)
    missing = [name for name in ("database.jsonl", "entries.json", "search.json", "report.html") if not (folder / name).is_file()]
    if missing:
        raise SystemExit(f"setup.py: hooks.bundle wrote no {' and no '.join(missing)} into {folder}")


setup(
    cmdclass={"build_py": BuildWithDatabase},
    options={"build": {"build_base": str(SCRATCH)}},
)
