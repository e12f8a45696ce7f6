# SPDX-License-Identifier: MIT
"""Databases of a given number of signals, for the speed measurements: the real ones, and more made of the same words."""
from __future__ import annotations

import random
import shutil
import sys
from pathlib import Path
from typing import Any

from firstfault import database
from firstfault.patterns import compile_template
from firstfault.prefilter import project
from hooks.compiling import compile_database, usable
from hooks.load import ENTRIES, load_folder

ROOT = Path(__file__).resolve().parent.parent.parent
#: What the generated logs hold must be known to every database.
PLANTED = ("cuda-out-of-memory", "nccl-watchdog-timeout", "torchrun-childfailederror", "torchrun-exitcode-6-sigabrt")

#: Letters that the prefilter sees of a derived signal at least: shorter ones would be refused in an entry, for they stand in healthy logs.
SHORTEST = 10


def compiled() -> dict[str, Any]:
    """The database of the checkout."""
    entries, _problems = usable(load_folder(ENTRIES, ROOT)[0])
    return compile_database(entries)


def sized(count: int) -> dict[str, Any]:
    """A database of so many signals."""
    data = compiled()
    real = sorted(data["signals"], key=lambda signal: signal["entry"] not in PLANTED)
    chosen = real[:count]
    chosen += derived(real, count - len(chosen))
    return database.make(data["entries"], chosen, data["edges"])


def derived(real: list[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    """Signals that occur in no log: each has as many words as a real one, drawn from the words of all."""
    rng = random.Random("signals")  # noqa: S311 - not cryptography
    lengths = [len(max(runs, key=len).split()) for signal in real for runs in signal["literals"]]
    words = [word for signal in real for runs in signal["literals"] for run in runs for word in run.split() if word.isascii()]
    made = []
    while len(made) < count:
        text = " ".join(rng.choice(words) for _ in range(max(3, rng.choice(lengths))))
        if len(project(text.encode())) < SHORTEST:
            continue
        template = compile_template(text.replace("{", "{{").replace("}", "}}"))
        entry = rng.choice(real)["entry"]
        made.append({"entry": entry, "id": f"derived-{len(made)}", "role": "clue", "regex": [template.regex], "literals": [list(template.literals)], "anchored": [False]})
    return made


def literals(data: dict[str, Any]) -> list[str]:
    """The longest literal of every wording: what ripgrep is given."""
    return sorted({max(runs, key=len) for signal in data["signals"] for runs in signal["literals"]})


def package(count: int, folder: Path) -> None:
    """A copy of the package with a database of so many signals, and the literals in a file beside it."""
    data = sized(count)
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "firstfault", folder / "firstfault", ignore=shutil.ignore_patterns("data", "__pycache__"))
    (folder / "firstfault" / "data").mkdir()
    (folder / "firstfault" / "data" / "database.jsonl").write_text(database.dumps(data), encoding="utf-8")
    (folder / "literals.txt").write_text("".join(f"{text}\n" for text in literals(data)), encoding="utf-8")


if __name__ == "__main__":
    package(int(sys.argv[1]), Path(sys.argv[2]))
