# SPDX-License-Identifier: MIT
"""What must not change a verdict: healthy lines before it, a known prefix on every line, one file per rank, another interleaving, masked names."""
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firstfault.database import Database
from firstfault.diagnose import Session
from firstfault.masking import Masker

ROOT = Path(__file__).resolve().parent.parent
CASES = sorted(path for path in (ROOT / "tests/cases").glob("*/*.log") if path.stat().st_size < 200_000)
RANK = re.compile(rb"^(?:\[default\d+\]:)?\[rank(\d+)\]:")
HEALTHY = b"".join(b"step %d/9000 loss 2.%d\n" % (step, step) for step in range(400))


def diagnose(database: Database, **parts: bytes) -> dict[str, Any]:
    """The result for named inputs."""
    session = Session(database)
    for name, data in parts.items():
        session.open(name)
        session.feed(data)
        session.close()
    return session.result()


def told(result: dict[str, Any]) -> tuple[object, ...]:
    """Verdict, entry, rank, and the line number of the decisive line."""
    root = result["root"] or {}
    return result["verdict"], root.get("entry"), root.get("rank"), root["evidence"][0]["line"] if root else None


def each_line(wrap: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
    """Apply a change to every line of a log."""
    return lambda data: b"\n".join(wrap(row) for row in data.split(b"\n"))


PREFIXES = {
    "kubectl": each_line(lambda row: b"[pod/train-0/pytorch] " + row),
    "cri": each_line(lambda row: b"2026-03-01T10:00:00.123Z stderr F " + row),
    "quoted": each_line(lambda row: b"> " + row),
    "docker": each_line(lambda row: json.dumps({"log": row.decode("utf-8", "replace") + "\n", "stream": "stderr", "time": "2026-03-01T10:00:00.1Z"}, separators=(",", ":")).encode()),
}


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_healthy_head(database: Database, path: Path) -> None:
    """Four hundred healthy steps before the log: the same line, four hundred lines later."""
    data = path.read_bytes()
    verdict, entry, rank, line = told(diagnose(database, log=data))

    assert told(diagnose(database, log=HEALTHY + data)) == (verdict, entry, rank, line and line + 400)


@pytest.mark.parametrize("prefix", PREFIXES)
def test_known_prefix_on_every_line(database: Database, prefix: str) -> None:
    """Wrapped by a collector, nearly every log has the same verdict, entry, rank and line; what differs is listed."""
    differing = [path.stem for path in CASES if told(diagnose(database, log=PREFIXES[prefix](path.read_bytes()))) != told(diagnose(database, log=path.read_bytes()))]

    assert len(differing) <= len(CASES) * ALLOWED, differing


#: A collector's prefix brings a time and a host of its own, so a log in which they decide can change.
ALLOWED = 0.02


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_masked_log_reads_like_its_original(database: Database, path: Path) -> None:
    """What people share was masked first: pseudonyms of hosts and addresses stand where the names stood, in prefixes too; masking it again changes nothing."""
    text = path.read_bytes().decode("utf-8", "replace")
    masker = Masker()
    masker.learn(text)
    masked = masker.mask(text).text

    assert told(diagnose(database, log=masked.encode())) == told(diagnose(database, log=text.encode()))
    assert Masker().mask(masked).text == masked


def by_rank(data: bytes) -> tuple[dict[int, list[bytes]], list[bytes]]:
    """The lines of each rank, and those of none."""
    ranks: dict[int, list[bytes]] = {}
    others: list[bytes] = []
    for row in data.split(b"\n"):
        found = RANK.match(row)
        (ranks.setdefault(int(found[1]), []) if found else others).append(row)
    return ranks, others


MANY = [path for path in CASES if len(by_rank(path.read_bytes())[0]) > 1]


@pytest.mark.parametrize("path", MANY, ids=lambda path: path.stem)
def test_one_file_per_rank(database: Database, path: Path) -> None:
    """Split by rank, the same entry is named; which of several ranks with one and the same error spoke first is then unknown."""
    whole = diagnose(database, log=path.read_bytes())
    ranks, others = by_rank(path.read_bytes())
    split = diagnose(database, **{"run/console.log": b"\n".join(others)}, **{f"run/rank{rank}.log": b"\n".join(rows) for rank, rows in sorted(ranks.items())})

    assert told(split)[:2] == told(whole)[:2]
    if whole["root"] and len(whole["root"]["ranks"]) == 1:
        assert split["root"]["rank"] == whole["root"]["rank"]


@pytest.mark.parametrize("path", MANY, ids=lambda path: path.stem)
def test_another_interleaving(database: Database, path: Path) -> None:
    """The lines of the ranks mixed anew, each rank's own order kept: the same entry."""
    data = path.read_bytes()
    lines = data.split(b"\n")
    queues = {rank: list(rows) for rank, rows in by_rank(data)[0].items()}
    dice = random.Random(3)  # noqa: S311 - not cryptography
    for place in [place for place, row in enumerate(lines) if RANK.match(row)]:
        rank = dice.choice([rank for rank, rows in queues.items() if rows])
        lines[place] = queues[rank].pop(0)

    assert told(diagnose(database, log=b"\n".join(lines)))[:2] == told(diagnose(database, log=data))[:2]
