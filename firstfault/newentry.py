# SPDX-License-Identifier: MIT
"""`firstfault new`: an error line, with its log where there is one, becomes a file under entries/ with blanks to fill."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from . import draft
from .checkout import checkout_here
from .database import Database
from .diagnose import Session, diagnose_paths, read_paths
from .excerpt import Excerpt, of_text
from .inputs import InputError
from .terminal import visible


class Written(NamedTuple):
    """What was drafted: the file below the checkout, its text, what was hidden, and the other lines that could have been meant."""

    file: str
    yaml: str
    hidden: list[dict[str, Any]]
    others: list[dict[str, Any]]


def create(error: str, logs: Sequence[str], family: str, database: Database, anyway: bool = False) -> Written:
    """Write the draft into the checkout; an existing file is never touched."""
    root = checkout_here("firstfault new")
    _known_family(family, root)
    excerpt, rank, others = _excerpt(error, logs, database)
    if not anyway:
        _refuse_known(excerpt, database)
    names = {path.stem for path in (root / "entries").rglob("*.yaml")} | set(database.entries)
    made = draft.draft(excerpt, names.__contains__, rank, family)
    path = root / made["file"]
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(made["yaml"])
    except FileExistsError:
        raise InputError(f"{made['file']} exists and was left as it is; rename it, or give another line") from None
    return Written(made["file"], made["yaml"], made["hidden"], others)


def said(made: Written) -> str:
    """What to do next, for a person in a terminal."""
    blanks = [line.split(":")[0].strip(" -") for line in made.yaml.splitlines() if line.endswith(": ''")]
    lines = [f"wrote {made.file}"]
    if made.hidden:
        lines.append("masked in it: " + ", ".join(f"{one['values']} {one['kind']}{'s' if one['values'] > 1 else ''}" for one in made.hidden))
    lines += [
        f"fill {len(blanks)} blanks: {', '.join(blanks)}; correct what was guessed (id, family, layer, role), and read the sample for anything private",
        f"then: firstfault check {made.file}",
    ]
    if made.others:
        lines.append("other lines that no entry explains:")
        lines += [f"  {one['file']}:{one['line']}  {visible(one['text'][:140])}" for one in made.others]
    return "\n".join(lines) + "\n"


def _known_family(family: str, root: Path) -> None:
    known = json.loads((root / "schema" / "entry.schema.json").read_text("utf-8"))["properties"]["family"]["enum"]
    if family and family not in known:
        raise InputError(f"no family {family!r}; one of {', '.join(known)}")


def _excerpt(error: str, logs: Sequence[str], database: Database) -> tuple[Excerpt, int | None, list[dict[str, Any]]]:
    """The chosen line with its surroundings, its rank where the diagnosis knows it, and other candidates."""
    if not logs:
        return of_text(error), None, []
    others = draft.candidates(diagnose_paths(logs, database))
    if error:
        excerpt = Excerpt(text=error)
    elif others:
        chosen = others.pop(0)
        excerpt = Excerpt(chosen["file"], chosen["line"])
    else:
        raise InputError(f"{logs[0]}: no line stands out that an entry could be made of; give the line: `firstfault new \"error line\" --log {logs[0]}`")
    read_paths(excerpt, logs)
    if not excerpt.found:
        raise InputError(f"no line of {', '.join(logs)} holds that text; copy a part of one line, without what differs")
    place = (excerpt.file, excerpt.chosen)
    rank = next((one["rank"] for one in (*others, *([chosen] if not error else [])) if (one["file"], one["line"]) == place), None)
    return excerpt, rank, [one for one in others if (one["file"], one["line"]) != place]


def _refuse_known(excerpt: Excerpt, database: Database) -> None:
    session = Session(database)
    session.open("excerpt")
    session.feed("\n".join(text for _number, text in excerpt.lines()).encode() + b"\n")
    session.close()
    known = (session.result().get("root") or {}).get("entry")
    if known:
        raise InputError(f"`{known}` explains this line already (`firstfault explain {known}`); if it is another failure, add --anyway")
