# SPDX-License-Identifier: MIT
"""Builds the wheel from the checkout without a network: ``python -m tools.wheel OUT_DIR`` prints its path.

The site serves this very wheel to the browser and the tests install it, so both ask here.
"""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BACKEND = "import sys; from setuptools import build_meta; print(build_meta.build_wheel(sys.argv[1]))"


def build(folder: Path) -> Path:
    """Builds into the folder and returns the wheel; a failure shows what the build backend printed."""
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([sys.executable, "-c", BACKEND, str(folder.resolve())], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"building the wheel failed:\n{done.stdout}{done.stderr}")
    return folder / done.stdout.strip().splitlines()[-1]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python -m tools.wheel OUT_DIR")
    print(build(Path(sys.argv[1])))
