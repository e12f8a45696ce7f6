# SPDX-License-Identifier: MIT
"""Released packages by name and version, through their registries' own clients; kept in build/prove and never committed.

A package is named `name==version` (a Python wheel) or `Debian name version`; several are joined by a comma.
"""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from . import texts

ROOT = Path(__file__).resolve().parent.parent.parent
CACHE = ROOT / "build" / "prove"
PYTHON = re.compile(r"(?P<name>[A-Za-z0-9][\w.-]*)==(?P<version>[\w.+!-]+)")
DEBIAN = re.compile(r"Debian (?P<name>[a-z0-9][a-z0-9+.-]+) (?P<version>\S+)")
PLATFORMS = (*(f"manylinux_2_{glibc}_x86_64" for glibc in (34, 31, 28, 27, 24, 17)), "manylinux2014_x86_64", "any")
#: bytes that one run may download; the CUDA build of torch alone is most of one of these
BUDGET = 6_000_000_000


class Unavailable(Exception):
    """A package that cannot be had here; the message says why."""


def names(package: str) -> list[str]:
    """Split a field that names several packages."""
    return [part.strip() for part in package.split(",") if part.strip()]


def wheel(spec: str, folder: Path) -> None:
    """Download one wheel without its dependencies, from the index alone: a build kept on a machine can be another one."""
    command = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:", "--python-version", "3.12"]
    for platform in PLATFORMS:
        command += ["--platform", platform]
    clean = {**os.environ, "PIP_FIND_LINKS": "", "PIP_EXTRA_INDEX_URL": "", "PIP_CONFIG_FILE": os.devnull}
    done = subprocess.run([*command, "-d", str(folder), spec], env=clean, capture_output=True, text=True)
    if done.returncode:
        raise Unavailable(f"{spec}: {(done.stderr.strip().splitlines() or ['pip failed'])[-1][:200]}")


def debian(name: str, version: str, folder: Path) -> None:
    """Download one Debian package and see that it is of the version named."""
    if not shutil.which("apt-get"):
        raise Unavailable(f"Debian {name}: there is no apt-get here")
    done = subprocess.run(["apt-get", "download", "-qq", name], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise Unavailable(f"Debian {name}: {(done.stderr.strip().splitlines() or ['apt-get failed'])[-1][:200]}")
    held = [path.name.split("_")[1].replace("%3a", ":") for path in folder.glob("*.deb")]
    if not any(re.sub(r"^\d+:", "", found).startswith(version) for found in held):
        raise Unavailable(f"Debian {name}: this release has {', '.join(held)}, not {version}")


class Store:
    """Texts of packages, downloaded when first asked for."""

    def __init__(self, cache: Path = CACHE, offline: bool = False) -> None:
        """Use a cache folder; offline, only what is there."""
        self.cache, self.offline = cache, offline
        self.spent = 0
        self.held: tuple[str, dict[str, str]] = ("", {})

    def texts(self, spec: str) -> dict[str, str]:
        """Give the texts of a package by file name; the last one asked for stays in memory."""
        if self.held[0] != spec:
            path = self.cache / "texts" / f"{spec.replace(' ', '_')}.zip"
            if not path.exists():
                self.fetch(spec, path)
            self.held = (spec, texts.load(path))
        return self.held[1]

    def fetch(self, spec: str, target: Path) -> None:
        """Download a package and keep its texts; the archive itself is thrown away."""
        if self.offline:
            raise Unavailable(f"{spec}: not in the cache, and this run is offline")
        if self.spent > BUDGET:
            raise Unavailable(f"{spec}: this run has downloaded {self.spent:,} bytes already; run it again")
        folder = self.cache / "downloads" / spec.replace(" ", "_")
        folder.mkdir(parents=True, exist_ok=True)
        if not any(folder.iterdir()):
            if found := PYTHON.fullmatch(spec):
                wheel(spec, folder)
            elif found := DEBIAN.fullmatch(spec):
                debian(found["name"], found["version"], folder)
            else:
                raise Unavailable(f"{spec}: write name==version, or Debian name version")
        archives = sorted(folder.iterdir())
        self.spent += sum(path.stat().st_size for path in archives)
        print(f"reading {spec} ({sum(path.stat().st_size for path in archives):,} bytes)", file=sys.stderr, flush=True)
        texts.extract(archives, target)
        shutil.rmtree(folder)
