# SPDX-License-Identifier: MIT
"""Rank 2 raises a Python exception; the others lose their connection to it."""
from loop import start, step


def read_batch(rank: int, index: int) -> list[int]:
    """Give a batch; rank 2 finds a broken record at step 3."""
    if rank == 2 and index == 3:
        raise ValueError(f"record 4711 of shard 2 has 3 fields, expected 4 (step {index})")
    return [index]


def main() -> None:
    """Train until the broken record."""
    rank = start()
    for index in range(20):
        read_batch(rank, index)
        step(index)


if __name__ == "__main__":
    main()
