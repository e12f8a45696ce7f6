# SPDX-License-Identifier: MIT
"""Problems in the forms that other programs read: workflow commands that annotate lines of a pull request, and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict

from .problems import Problem


def github(problems: Iterable[Problem]) -> str:
    """Give one workflow command per problem; the code host shows each beside its line, also for forks."""
    return "".join(
        f"::error file={_property(problem.file)},line={problem.line},title={_property(problem.field or 'entry')}::{_data(f'{problem.what}: {problem.why}; {problem.todo}')}\n"
        for problem in problems
    )


def as_json(problems: Iterable[Problem]) -> str:
    """Give the problems as a JSON list."""
    return json.dumps([asdict(problem) for problem in problems], indent=1, ensure_ascii=False) + "\n"


def _data(text: str) -> str:
    """What the runner's own tools escape: a stranger's text must not begin a command of its own."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
