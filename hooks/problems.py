# SPDX-License-Identifier: MIT
"""One shape for everything that can be wrong with an entry, so that every door (terminal, build, pre-commit) says the same."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Problem:
    """Where, what, why and what to do about it."""

    file: str
    line: int
    field: str
    what: str
    why: str
    todo: str

    def __str__(self) -> str:
        """Give the one line that people see."""
        return f"{self.file}:{self.line}  {self.field or '(file)'}  {self.what}: {self.why}; {self.todo}"


def listing(problems: list[Problem], files: int) -> str:
    """Give all problems sorted by file and line, with the count at the end."""
    lines = [str(problem) for problem in sorted(set(problems))]
    noun = "problem" if len(lines) == 1 else "problems"
    what = f"{files} {'entry' if files == 1 else 'entries'}"
    lines.append(f"{len(lines)} {noun} in {what}" if lines else f"{what}, no problem")
    return "\n".join(lines)
