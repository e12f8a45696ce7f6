# SPDX-License-Identifier: MIT
"""Source files at a commit or tag, from clones that lie in a folder; without the clone a source line is cited, not proven."""
from __future__ import annotations

import re
import subprocess
from functools import lru_cache
from pathlib import Path

from .literals import normal


class Clones:
    """Git clones in one folder: `owner+name`, `owner/name` or `name`, each the clone itself or a folder `repo` in it."""

    def __init__(self, folder: Path | None) -> None:
        """Use the clones below a folder, if any."""
        self.folder = folder
        self.text = lru_cache(maxsize=None)(self._text)

    def find(self, project: str) -> Path | None:
        """Give the clone of a project."""
        if not self.folder or not re.fullmatch(r"[\w.-]+/[\w.-]+", project):
            return None
        owner, name = project.split("/")
        places = [self.folder / f"{owner}+{name}" / "repo", self.folder / f"{owner}+{name}", self.folder / owner / name, self.folder / name]
        return next((place for place in places if (place / "HEAD").exists() or (place / ".git").exists()), None)

    def _git(self, clone: Path, *arguments: str) -> str | None:
        done = subprocess.run(["git", "-C", str(clone), *arguments], capture_output=True)
        return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None

    def _text(self, project: str, commit: str, file: str) -> str | None:
        """Give one file as it was; a bare name is looked for in the whole tree. None when the clone does not have it."""
        clone = self.find(project)
        if not clone or not re.fullmatch(r"[\w./+-]+", commit):
            return None
        exact = self._git(clone, "show", f"{commit}:{file}")
        if exact is None and "/" not in file:
            listed = (self._git(clone, "ls-tree", "-r", "--name-only", commit) or "").splitlines()
            found = [path for path in listed if path.rpartition("/")[2] == file]
            exact = "\n".join(filter(None, (self._git(clone, "show", f"{commit}:{path}") for path in found))) or None
        return None if exact is None else normal(exact)
