# SPDX-License-Identifier: MIT
"""The checks on files, for a terminal and for pull requests: which files, beside which others, told in which form.

`python -m hooks.check [FILES]`, `firstfault check`, `make check` and pre-commit are this.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .annotate import as_json, github
from .fixes import fixed
from .load import ENTRIES, ROOT, load_file, load_folder
from .problems import Problem, listing
from .rest import rest_of
from .validate import validate, validate_one


def check_files(files: list[Path], folder: Path = ENTRIES, diagnose: bool = True) -> tuple[list[Problem], int]:
    """Give the problems of these files beside all entries (of all entries, when none is named), and how many files there are."""
    entries, problems = load_folder(folder, ROOT)
    if not files:
        return validate(entries, problems, diagnose), len(entries) + len({problem.file for problem in problems} - {entry.file for entry in entries})
    loaded = [load_file(path.resolve() if path.resolve().is_relative_to(ROOT) else path, ROOT) for path in files]
    named = {entry.file: entry for entry, _ in loaded if entry}
    broken = {problem.file for problem in problems} - named.keys()
    rest = rest_of([*(entry for entry in entries if entry.file not in named), *named.values()], broken)
    found = {problem for entry, loading in loaded for problem in validate_one(entry, loading, rest, diagnose)}
    return sorted(found), len({file.resolve() for file in files})


def fix_files(files: list[Path]) -> list[Path]:
    """Put right what is mechanical in these files (in all, when none is named); give the files that changed."""
    changed = []
    for path in files or sorted(ENTRIES.rglob("*.yaml")):
        before = path.read_bytes().decode("utf-8", "surrogateescape")
        after = fixed(before, path.name)
        if after != before:
            path.write_bytes(after.encode("utf-8", "surrogateescape"))
            changed.append(path)
    return changed


def main(arguments: list[str] | None = None) -> int:
    """Print every problem and the count; exit 1 when there is one."""
    parser = argparse.ArgumentParser(prog="python -m hooks.check", description="Check entries: file, line, field, what is wrong, why, what to do.")
    parser.add_argument("files", nargs="*", type=Path, help="entry files (default: all of entries/)")
    parser.add_argument("--no-diagnosis", action="store_true", help="leave out the checks that run the engine")
    parser.add_argument("--fix", action="store_true", help="first put right what is mechanical: quotes, dates, the order of the fields")
    parser.add_argument("--format", choices=("text", "json", "github"), default="text", help="github: annotations for the lines of a pull request")
    options = parser.parse_args(arguments)
    for path in fix_files(options.files) if options.fix else ():
        print(f"put right: {path.relative_to(ROOT) if path.is_relative_to(ROOT) else path}", file=sys.stderr)
    problems, count = check_files(options.files, diagnose=not options.no_diagnosis)
    write = {"text": lambda found: f"{listing(found, count)}\n", "json": as_json, "github": github}[options.format]
    sys.stdout.write(write(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
