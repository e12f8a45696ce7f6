# SPDX-License-Identifier: MIT
"""The full texts of the entries, and how a name that somebody typed leads to one: id, alias, Xid number, title."""

import json
import re
from functools import cache
from importlib import resources
from typing import Any

Entry = dict[str, Any]


class EntriesError(ValueError):
    """The texts are missing or damaged, or no entry has this name; the message says what to do."""


@cache
def load() -> dict[str, Entry]:
    """All entries by id, as this package carries them."""
    path = resources.files("firstfault") / "data" / "entries.json"
    try:
        return json.loads(path.read_text(encoding="utf-8"))["entries"]
    except FileNotFoundError:
        raise EntriesError("this copy of firstfault has no entry texts; in a checkout run `make`, else install it again") from None
    except (json.JSONDecodeError, KeyError, UnicodeDecodeError) as error:
        raise EntriesError(f"the entry texts are damaged ({error}); in a checkout run `make`, else install it again") from error


def resolve(name: str, entries: dict[str, Entry]) -> str:
    """The id that a typed name stands for; an unknown one is an error that offers the closest."""
    wanted = re.sub(r"[^a-z0-9]+", "-", name.lower().removesuffix("/").rsplit("/", 1)[-1]).strip("-")
    if wanted in entries:
        return wanted
    names = _names(entries)
    if wanted in names:
        return names[wanted]
    # `xid 94` or plain `94`: an entry may stand for several numbers, as xid-94-95-contained-ecc does.
    number = re.fullmatch(r"(?:xid-)?(\d{1,4})", wanted)
    if number:
        found = [id_ for id_ in entries if id_.startswith("xid-") and number[1] in _leading_numbers(id_)]
        if found:
            return found[0]
    close = closest(wanted, entries)
    hint = f"; close: {', '.join(close)}" if close else ""
    raise EntriesError(f"no entry is called {name!r}{hint}. `firstfault search \"words of the error\"` finds entries by what the log says")


def closest(wanted: str, entries: dict[str, Entry], most: int = 4) -> list[str]:
    """Ids that a reader may have meant, best first."""
    from difflib import SequenceMatcher

    words = {word for word in wanted.split("-") if len(word) > 1}
    scores: dict[str, float] = {}
    for name, id_ in [*((id_, id_) for id_ in entries), *_names(entries).items()]:
        parts = set(name.split("-"))
        score = SequenceMatcher(None, wanted[:80], name).ratio() + len(words & parts) / max(len(words), 1)
        scores[id_] = max(score, scores.get(id_, 0))
    return [id_ for id_ in sorted(scores, key=lambda id_: (-scores[id_], id_)) if scores[id_] > 0.75][:most]


def _names(entries: dict[str, Entry]) -> dict[str, str]:
    names = {}
    for id_, entry in entries.items():
        for alias in [*(entry.get("aliases") or []), re.sub(r"[^a-z0-9]+", "-", entry.get("title", "").lower()).strip("-")]:
            names.setdefault(alias, id_)
    return names


def _leading_numbers(id_: str) -> list[str]:
    numbers = []
    for part in id_.split("-")[1:]:
        if not part.isdigit():
            break
        numbers.append(part)
    return numbers
