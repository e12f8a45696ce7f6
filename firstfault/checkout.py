# SPDX-License-Identifier: MIT
"""The checkout of the encyclopedia that a command works in, and `firstfault check`, which hands entry files to its checks.

The checks need YAML, which a diagnosis does not; so they live in the checkout, not in this package, and run in an interpreter
of their own with the checkout's code.
"""

import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from .inputs import InputError, name_of


def find_root(start: Path) -> Path | None:
    """The checkout that a folder lies in."""
    for folder in (start, *start.parents):
        if (folder / "schema" / "entry.schema.json").is_file() and (folder / "hooks" / "validate.py").is_file():
            return folder
    return None


def checkout_here(command: str, *, elsewhere: bool = False) -> Path:
    """The checkout that the current folder, or else this environment, lies in; or a sentence that says what to do."""
    # An environment inside a checkout brings its checks along: `.venv` run from elsewhere, and pre-commit's copy of the repository.
    root = find_root(Path.cwd()) or (find_root(Path(sys.prefix)) if elsewhere else None)
    if root is None:
        raise InputError(f"no checkout of the encyclopedia here or above (no schema/entry.schema.json); clone it and run `{command}` inside")
    return root


def check(files: Sequence[str], options: Sequence[str] = ()) -> int:
    """Run the checks; the exit code is theirs: 0 no problem, 1 problems."""
    paths = [Path(file).absolute() for file in files]
    for path, file in zip(paths, files, strict=True):
        if not path.is_file():
            raise InputError(f"{name_of(file)}: {'is a folder; name its files, or none to check all' if path.is_dir() else 'no such file'}")
    root = checkout_here("firstfault check", elsewhere=True)
    if find_spec("yaml") is None:
        raise InputError("the checks need pyyaml; in the checkout run `make check`, or `pip install pyyaml`")
    if sys.stdout is not None:
        sys.stdout.flush()
    return subprocess.run([sys.executable, "-m", "hooks.check", *options, "--", *map(str, paths)], cwd=root, check=False).returncode
