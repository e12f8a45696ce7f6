# SPDX-License-Identifier: MIT
"""Fuzz for a while: `python -m tests.fuzz.run --minutes 10 [TARGET...]`. Prints what was tried; exits 1 with the smallest input that fails.

What was found once is kept in .hypothesis and tried first the next time.
"""
import argparse
import sys
import time
import traceback

from hypothesis import HealthCheck, given, seed, settings

from .targets import TARGETS

_BATCH = 300


def fuzz(name: str, until: float, start: int) -> int:
    """Run one target in batches until the time is over; gives the number of inputs tried."""
    target, strategy = TARGETS[name]
    tried, batch = 0, start
    while time.monotonic() < until:
        def one(value: object) -> None:
            nonlocal tried
            tried += 1
            target(value)

        test = settings(max_examples=_BATCH, deadline=None, suppress_health_check=list(HealthCheck), print_blob=True)(given(strategy)(one))
        seed(batch)(test)()
        batch += 1
    return tried


def main() -> int:
    """All named targets in turn, each for an equal part of the time."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("targets", nargs="*", choices=[*TARGETS, []], help="what to fuzz (default: everything)")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=int(time.time()) % 100_000, help="first seed; batches count up from it")
    options = parser.parse_args()
    names = options.targets or list(TARGETS)
    failed = []
    for name in names:
        try:
            print(f"{name}: {fuzz(name, time.monotonic() + options.minutes * 60 / len(names), options.seed)} inputs, nothing found", flush=True)
        except Exception:  # whatever a target raises is the finding
            failed.append(name)
            print(f"{name}: FAILED (seeds from {options.seed})\n{traceback.format_exc()}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
