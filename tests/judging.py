# SPDX-License-Identifier: MIT
"""How tests ask for a verdict: logs in, the result out, and the line that it names."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from firstfault.database import Database
from firstfault.diagnose import Session


def diagnose_files(database: Database, logs: Mapping[str, str | bytes]) -> dict[str, Any]:
    """The result for inputs of these names."""
    session = Session(database)
    for name, log in logs.items():
        session.open(name)
        session.feed(log if isinstance(log, bytes) else log.encode())
        session.close()
    return session.result()


def diagnose(database: Database, *logs: str | bytes) -> dict[str, Any]:
    """The result for one or more inputs whose names tell nothing."""
    return diagnose_files(database, {f"part-{number}.log": log for number, log in enumerate(logs)})


def decisive(result: Mapping[str, Any]) -> str:
    """The line that a verdict names, or nothing."""
    return result["root"]["evidence"][0]["text"] if result["root"] else ""
