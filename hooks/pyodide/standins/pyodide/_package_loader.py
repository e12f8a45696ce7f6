# SPDX-License-Identifier: MIT
"""Stands for the installer of packages, which imports the archive readers: nothing is ever installed here."""
from pyodide_js import loadedPackages

__all__ = ["loadedPackages"]


class _Place:
    """A path, as an object: Pyodide asks for its `__str__`."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __str__(self) -> str:
        return self._path


SITE_PACKAGES, DSO_DIR = _Place("/lib/site-packages"), _Place("/usr/lib")


def init_loaded_packages() -> None:
    """There are none."""
