# SPDX-License-Identifier: MIT
"""Logs whose lines are records of a container or a log collector: what the program printed is a field of each.

Three kinds: JSON of Docker (``log``), JSON of collectors and structured loggers (``message``, ``msg``, ``textPayload``...),
and the container runtime's own files.  A record can hold many lines (a whole traceback), and one line can be cut into many
records (at 16 KiB): both are undone here.
"""
from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from .lazy import Pattern
from .stamps import DATE, TIME

#: Where the text stands, and what else is worth knowing, best first.
_TEXT = ("log", "message", "msg", "textPayload", "MESSAGE", "text")
_TRACE = ("exc_info", "exception", "stack_trace", "stack", "traceback")
_TIME = ("time", "ts", "timestamp", "@timestamp", "asctime")
_HOST = ("host", "hostname", "_HOSTNAME", "node", "pod", "pod_name")
_LEVEL = ("level", "severity", "levelname")
#: A record longer than this is no line worth taking apart.
LONGEST = 64_000
#: What the container runtime writes before each piece of a line: P for one that goes on, F for the last.
RUNTIME = Pattern(rf"{DATE}T{TIME}(?:Z|[+-]\d\d:\d\d) (?P<stream>stdout|stderr) (?P<tag>[PF])(?::\S{{0,80}})? ")


def is_record(text: str) -> bool:
    """Whether a line looks like a JSON record."""
    return text.startswith('{"') and len(text) <= LONGEST and text.rstrip().endswith("}")


def unwrap(text: str) -> tuple[str | None, dict[str, Any]] | None:
    """What the program printed, possibly many lines, and the record's other facts (``rank``, ``local_rank``, ``host``, ``level``, ``time``).

    None for text that is no record; the text of a record that only holds fields of its own, as one of metrics does, is None.
    """
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(record, dict) and isinstance(record.get("jsonPayload"), dict):
        record = {**record, **record["jsonPayload"]}
    if not isinstance(record, dict):
        return None
    said = _first(record, _TEXT, str)
    trace = _first(record, _TRACE, str)
    if trace and trace not in (said or ""):
        said = f"{said}\n{trace}" if said else trace
    facts = {
        "rank": _number(record, "rank", "global_rank"), "local_rank": _number(record, "local_rank"), "host": _first(record, _HOST, str),
        "level": _first(record, _LEVEL, str), "time": _first(record, _TIME, (str, int, float))
    }
    return said and said.rstrip("\n"), facts


def _first(record: dict[str, Any], keys: tuple[str, ...], kind: type | tuple[type, ...]) -> Any:
    return next((record[key] for key in keys if isinstance(record.get(key), kind)), None)


def _number(record: dict[str, Any], *keys: str) -> int | None:
    for key in keys:
        value = record.get(key)
        if isinstance(value, str) and value.isdecimal():
            value = int(value[:9])
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10_000_000:
            return value
    return None


def may_be_cut(text: str) -> bool:
    """Whether a block of lines can hold lines that a container's runtime cut into pieces: a cheap look before the real one."""
    return (" P " in text and (" stdout P " in text or " stderr P " in text)) or (text.startswith('{"log":"') and '","stream":' in text)


def joined(rows: list[str]) -> Iterator[tuple[int, str]]:
    """The lines with their places; pieces of one line stand together at the place of the first."""
    open_pieces: dict[str, int] = {}
    whole: dict[int, str] = {}
    for place, row in enumerate(rows):
        stream, complete, text = _piece(row)
        first = open_pieces.get(stream) if stream else None
        if first is not None:
            whole[first] = _appended(whole[first], text, row)
        else:
            first = place
            whole[place] = row
        if stream and not complete:
            open_pieces[stream] = first
        elif stream:
            open_pieces.pop(stream, None)
    yield from whole.items()


def _piece(row: str) -> tuple[str, bool, str]:
    """The stream of a runtime's record, whether its line ends here, and its text; an empty stream for any other line."""
    if row.startswith('{"log":"'):
        found = re.search(r'","stream":"(\w{1,8})"', row[-200:])
        return ("json " + found[1] if found else ""), not found or row[: len(row) - 200 + found.start() if len(row) > 200 else found.start()].endswith("\\n"), row
    cut = RUNTIME.match(row[:200])
    return (cut["stream"], cut["tag"] == "F", row[cut.end():]) if cut else ("", True, row)


def _appended(first: str, text: str, row: str) -> str:
    """The first record with the text of a later one behind its own."""
    if not first.startswith("{"):
        return first + text
    try:
        record, more = json.loads(first), json.loads(row)
        record["log"] += more["log"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return first
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))
