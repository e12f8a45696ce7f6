# SPDX-License-Identifier: MIT
"""Draws entries at random for a reader's review, the same ones for the same seed: `python -m tests.draw --seed 7`."""
from __future__ import annotations

import argparse
import random
from pathlib import Path

ENTRIES = Path(__file__).resolve().parent.parent / "entries"


def draw(ids: list[str], seed: int, count: int) -> list[str]:
    """Give `count` ids; the order of the files on disk plays no part."""
    return random.Random(seed).sample(sorted(ids), min(count, len(ids)))  # noqa: S311 - a draw, not a secret


def main() -> None:
    """Print the drawn ids, one a line."""
    parser = argparse.ArgumentParser(prog="python -m tests.draw", description="Draw entries at random for review.")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--count", type=int, default=20)
    options = parser.parse_args()
    print("\n".join(draw([path.stem for path in ENTRIES.rglob("*.yaml")], options.seed, options.count)))


if __name__ == "__main__":
    main()
