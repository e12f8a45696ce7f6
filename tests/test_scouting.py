# SPDX-License-Identifier: MIT
"""A second process looks ahead into a large file: it changes how long the diagnosis takes, and nothing else."""
from __future__ import annotations

import os
import random
import threading
from pathlib import Path
from typing import Any

import pytest

from firstfault import scouting
from firstfault.database import Database
from firstfault.diagnose import diagnose_paths

OOM = "[rank3]: torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 3 has a total capacity of 79.15 GiB of which 1.2 GiB is free.\n"


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log just over the size from which a scout is sent: most lines unlike any other, errors all over it, more often than equal ones are looked at, the failure at its end."""
    chance = random.Random(7)  # noqa: S311 - the same log each time
    names = ["".join(chance.choices("ghijklnopqrstuvwxyz", k=12)) for _ in range(380_000)]
    rows = [
        f"2026-03-01 10:{minute // 60 % 60:02d}:{minute % 60:02d},000 INFO step {minute} loss 2.{minute % 97} lr 3.0e-04 tokens/s {chance.randrange(9000, 11000)} shard {name}\n"
        for minute, name in enumerate(names)
    ]
    for place in range(500, len(rows), 3_000):
        rows[place] = f"ValueError: record {place} is {('torn', 'short', 'twisted', 'worn')[place // 70_000 % 4]}\n"
    path = tmp_path_factory.mktemp("large") / "run.log"
    path.write_text("".join([*rows, OOM]))
    assert path.stat().st_size > scouting.LARGE
    return path


def told(path: Path, database: Database) -> dict[str, Any]:
    result = diagnose_paths([path], database)
    result["stats"].pop("seconds")
    return result


def test_the_result_is_the_same_with_and_without_a_scout(large: Path, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every field of it: counts, lines, what was recovered."""
    sent = []
    send = scouting.send
    monkeypatch.setattr(scouting, "send", lambda *given: sent.append(send(*given)) or sent[-1])
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    with_scout = told(large, database)
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    alone = told(large, database)

    assert [scout is not None for scout in sent] == [threading.active_count() == 1, False]
    assert with_scout == alone
    assert (alone["root"]["entry"], alone["root"]["rank"]) == ("cuda-out-of-memory", 3)


def test_a_scout_that_dies_costs_time_only(large: Path, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its marks are not used."""
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    alone = told(large, database)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(scouting, "_look", lambda *_given: os._exit(9))

    assert told(large, database) == alone


def test_small_files_pipes_and_packed_ones_are_read_alone(tmp_path: Path) -> None:
    """Where a scout would not pay or can't seek, none is sent."""
    small = tmp_path / "small.log"
    small.write_text(OOM)
    with small.open("rb") as data:
        assert scouting.split(data, OOM.encode()) is None
    packed = tmp_path / "packed.gz"
    with packed.open("wb") as data:
        data.truncate(scouting.LARGE + 1)
    with packed.open("rb") as data:
        assert scouting.split(data, b"\x1f\x8b\x08") is None
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as data, os.fdopen(writing, "wb"):
        assert scouting.split(data, OOM.encode()) is None
