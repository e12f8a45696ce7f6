# SPDX-License-Identifier: MIT
"""The compiled database: the one owner of its format, written by the site's build and read everywhere.

A database::

    {"format": 3, "version": "<12 hex digits of the content's hash>", "site": "https://.../",
     "entries": {ID: {"title", "kind", "family", "layer", "domain", "owner", "behaviour", "signature", "summary",
                      "first_step", "root_cause", "fix", "verify", "restart", "collect", "unhide",
                      "harmless_when", "harmful_when", "not_proof", "aliases", "url", "measured"}},
     "signals": [{"entry": ID, "id": NAME, "role": ROLE, "regex": [SOURCE, ...], "literals": [[TEXT, ...], ...],
                  "anchored": [BOOL, ...], "needs": {...}?, "unless": {...}?}],
     "edges": [[TYPE, A, B, TELL]],
     "wordings": [COUNT, ...],
     "needles": {"listing": REGEX, "windows": {LETTERS: [KEY, ...]}, "common": {LETTERS: [KEY, ...]}}}

The file is JSON Lines: first all that is small, with only the names of the entries and the number of the signals; then each
signal and each entry on a line of its own, so that a diagnosis reads the few that it meets.
Keys of an entry that has no value are left out.  ``edges`` are normalised to four types, read from A to B:
``causes`` (A can bring about B), ``wraps`` (A can hide B), ``confused`` (A < B) and ``supersedes``.  ``needles`` is the
plan of the prefilter and ``wordings`` how many wordings each signal has; a key is the place of a wording in the list of all signals' wordings, then come the words.
"""
from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from .needles import plan
from .prefilter import Needles
from .records import field, record
from .words import WORDS

FORMAT = 3
FILE = os.path.join(os.path.dirname(__file__), "data", "database.jsonl")  # noqa: PTH118, PTH120 - pathlib takes milliseconds to import
ENTRY_FIELDS = (
    "title", "kind", "family", "layer", "domain", "owner", "behaviour", "signature", "summary", "first_step", "root_cause",
    "fix", "verify", "restart", "collect", "unhide", "harmless_when", "harmful_when", "not_proof", "aliases", "url", "measured",
)
ROLES = ("root", "either", "consequence", "wrapper", "teardown", "advice", "benign", "clue")


class DatabaseError(ValueError):
    """The compiled database is missing, damaged or of another format; the message says what to do."""


@record(slots=True)
class Signal:
    """One recognisable line of an entry, ready to match."""

    index: int
    entry: str
    id: str
    role: str
    regex: list[str]
    literals: list[list[str]]
    anchored: list[bool]
    needs: dict[str, Any] | None = None
    unless: dict[str, Any] | None = None
    _compiled: list[re.Pattern[str] | None] = field(default_factory=list)

    @property
    def name(self) -> str:
        """``entry/signal``, as `needs` and `unless` write it."""
        return f"{self.entry}/{self.id}"

    def pattern(self, number: int) -> re.Pattern[str]:
        """The compiled expression of wording ``number``; compiled when first asked for."""
        if not self._compiled:
            self._compiled = [None] * len(self.regex)
        found = self._compiled[number]
        if found is None:
            found = self._compiled[number] = re.compile(self.regex[number])
        return found


class _Entries(Mapping[str, dict[str, Any]]):
    """Entries by id; the text of one is read when it is asked for, since a log concerns few."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self._raw = raw

    def __getitem__(self, name: str) -> dict[str, Any]:
        value = self._raw[name]
        if isinstance(value, str):
            value = self._raw[name] = json.loads(value)
        return value

    def __contains__(self, name: object) -> bool:
        return name in self._raw

    def __iter__(self) -> Iterator[str]:
        return iter(self._raw)

    def __len__(self) -> int:
        return len(self._raw)


class _Signals(Sequence[Signal]):
    """Signals in order, each made when it is first asked for."""

    def __init__(self, raw: list[Any]) -> None:
        self._raw = raw

    def __getitem__(self, index: Any) -> Any:
        value = self._raw[index]
        if not isinstance(value, Signal):
            raw = json.loads(value) if isinstance(value, str) else value
            value = Signal(index, raw["entry"], raw["id"], raw["role"], raw["regex"], raw["literals"], raw["anchored"], raw.get("needs"), raw.get("unless"))
            self._raw[index] = value
        return value

    def __len__(self) -> int:
        return len(self._raw)


class _Keys(Sequence[tuple[Signal, int]]):
    """Every wording of every signal; its place is its key."""

    def __init__(self, signals: Sequence[Signal], wordings: list[int]) -> None:
        self._signals = signals
        self._places = [(index, number) for index, count in enumerate(wordings) for number in range(count)]

    def __getitem__(self, key: Any) -> Any:
        index, number = self._places[key]
        return self._signals[index], number

    def __len__(self) -> int:
        return len(self._places)


class Database:
    """Entries, signals and typed edges, as the engine uses them."""

    def __init__(self, data: dict[str, Any]) -> None:
        data = {**_readable(data), "entries": dict(data["entries"]), "signals": list(data["signals"])}
        self.data = data
        self.version: str = data["version"]
        self.site: str = data.get("site", "")
        self.entries: Mapping[str, dict[str, Any]] = _Entries(data["entries"])
        self.signals: Sequence[Signal] = _Signals(data["signals"])
        self.keys = _Keys(self.signals, data["wordings"])
        self.wordings = len(self.keys)

    @property
    def words(self) -> range:
        """The keys of the words."""
        return range(self.wordings, self.wordings + len(WORDS))

    @cached_property
    def needles(self) -> Needles:
        """What the prefilter looks for: the wordings of all signals, and the words."""
        words = tuple(WORDS)

        def runs(key: int) -> Sequence[str]:
            if key >= self.wordings:
                return (words[key - self.wordings],)
            signal, number = self.keys[key]
            return signal.literals[number]

        return Needles(self.data["needles"], runs)

    @cached_property
    def causes(self) -> dict[str, set[str]]:
        """For each entry, the entries it can bring about."""
        return self._edges("causes")

    @cached_property
    def wraps(self) -> dict[str, set[str]]:
        """For each entry, the entries it can hide."""
        return self._edges("wraps")

    @cached_property
    def supersedes(self) -> dict[str, set[str]]:
        """For each entry, the entries that it names better when both match."""
        return self._edges("supersedes")

    def _edges(self, wanted: str) -> dict[str, set[str]]:
        edges: dict[str, set[str]] = {}
        for kind, source, target, _tell in self.data["edges"]:
            if kind == wanted:
                edges.setdefault(source, set()).add(target)
        return edges


def make(entries: dict[str, dict[str, Any]], signals: list[dict[str, Any]], edges: list[list[str]], site: str = "") -> dict[str, Any]:
    """Assemble a database; its version is the hash of its content, so equal content has an equal version."""
    content = {"format": FORMAT, "site": site, "entries": entries, "signals": signals, "edges": edges}
    literals = [runs for signal in signals for runs in signal["literals"]] + [[word] for word in WORDS]
    content["wordings"] = [len(signal["literals"]) for signal in signals]
    content["needles"] = plan(enumerate(literals))
    from hashlib import sha256  # only a build needs it

    digest = sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
    return {"format": FORMAT, "version": digest[:12], **{key: content[key] for key in ("site", "entries", "signals", "edges", "wordings", "needles")}}


def changed(data: dict[str, Any], entries: dict[str, dict[str, Any]], signals: list[dict[str, Any]], edges: list[list[str]]) -> dict[str, Any]:
    """A database with some entries in place of their former selves, with all edges given afresh: for trying out an entry that is being written."""
    kept = [json.loads(raw) if isinstance(raw, str) else raw for raw in data["signals"]]
    kept = [*(raw for raw in kept if raw["entry"] not in entries), *signals]
    literals = [runs for signal in kept for runs in signal["literals"]] + [[word] for word in WORDS]
    counts = [len(signal["literals"]) for signal in kept]
    return {**data, "entries": {**data["entries"], **entries}, "signals": kept, "edges": edges, "wordings": counts, "needles": plan(enumerate(literals))}


def dumps(data: dict[str, Any]) -> str:
    """The database as text: stable bytes for equal content."""
    head = {**data, "entries": list(data["entries"]), "signals": len(data["signals"])}
    return "".join(f"{_dumps(value)}\n" for value in (head, *data["signals"], *data["entries"].values()))


def _dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _readable(data: dict[str, Any]) -> dict[str, Any]:
    """The same, if it is of the format that is read here."""
    if data["format"] != FORMAT:
        raise DatabaseError(f"database format {data['format']!r}, this program reads {FORMAT}; rebuild it with `make`, or update firstfault")
    return data


def loads(text: str) -> Database:
    """Read a database from text."""
    first, _, rest = text.partition("\n")
    lines = rest.removesuffix("\n").split("\n")
    try:
        head = _readable(json.loads(first))
        names, signals = head["entries"], lines[:head["signals"]]
        return Database({**head, "signals": signals, "entries": dict(zip(names, lines[len(signals):], strict=True))})
    except DatabaseError:
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise DatabaseError(f"the database is damaged ({error}); rebuild it with `make`, or install firstfault again") from error


def load() -> Database:
    """Read the database that this package carries."""
    try:
        # The loader reads from a folder as well as from a zip; importlib.resources would be half of the time until the first line is read.
        text = __spec__.loader.get_data(str(FILE)).decode()  # type: ignore[union-attr]
    except OSError:
        raise DatabaseError("this copy of firstfault has no compiled database; in a checkout run `make`, else install it again") from None
    return loads(text)
