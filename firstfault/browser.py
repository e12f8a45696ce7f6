# SPDX-License-Identifier: MIT
"""The face that the browser's worker calls: bytes in, JSON out, one diagnosis at a time.

JavaScript holds no Python text: it imports this module and calls these functions. Everything crosses as strings and
bytes, so no object of one language has to be looked after by the other.
"""

from __future__ import annotations

import json
from typing import Any, Protocol

from firstfault import database, report
from firstfault.diagnose import Session


class Buffer(Protocol):
    """What Pyodide hands over for a Uint8Array."""

    def to_bytes(self) -> bytes:
        """Copy the JavaScript memory."""


_database: database.Database | None = None
_session: Session | None = None
_result: dict[str, Any] | None = None


def start() -> str:
    """Load the database; say what it holds."""
    global _database
    _database = database.load()
    return json.dumps({"entries": len(_database.entries), "version": _database.version})


def begin() -> None:
    """Forget the last diagnosis and begin a new one."""
    global _session, _result
    _result = None
    _session = Session(_database or database.load())


def open(name: str) -> None:  # noqa: A001 - the session's own word
    """Begin a file."""
    _running().open(name)


def feed(piece: bytes | Buffer) -> None:
    """Read the next piece of the file."""
    _running().feed(piece if isinstance(piece, bytes) else piece.to_bytes())


def close() -> None:
    """End the file."""
    _running().close()


def result() -> str:
    """Give the verdict, in the form that `firstfault diagnose --format json` prints."""
    global _session, _result
    _result = _running().result()
    _session = None  # a large log leaves its memory before the next one comes
    return json.dumps(_result, ensure_ascii=False)


def markdown() -> str:
    """Give the last verdict as masked Markdown, ready to leave the machine."""
    if _result is None:
        raise RuntimeError("there is no verdict yet: call result() first")
    return report.markdown(_result)


def _running() -> Session:
    if _session is None:
        raise RuntimeError("no diagnosis is running: call begin() first")
    return _session
