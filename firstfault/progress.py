# SPDX-License-Identifier: MIT
"""A line on standard error while long input is read: only on a terminal, only after a second, gone at the end."""

import os
import stat
import sys
import time
from collections.abc import Sequence

_PATIENCE, _EVERY = 1.0, 0.2


class Progress:
    """Counts bytes as they are read; `with Progress(paths) as progress` clears its line at the end."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._on = sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._total = _known_size(paths) if self._on else 0
        self._started = time.monotonic()
        self._next = self._started + _PATIENCE
        self._done = 0
        self._drawn = False

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *_: object) -> None:
        if self._drawn:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def __call__(self, name: str, count: int) -> None:
        """`count` more bytes of `name` were read."""
        self._done += count
        now = time.monotonic()
        if self._on and now >= self._next:
            self._next = now + _EVERY
            self._drawn = True
            print(f"\r\x1b[K{self._line(name, now)}", end="", file=sys.stderr, flush=True)

    def _line(self, name: str, now: float) -> str:
        from .phrases import size
        from .terminal import visible

        rate = self._done / max(now - self._started, 0.001)
        of = f" of {size(self._total)} ({100 * min(1, self._done / self._total):.0f} %)" if self._total >= self._done else ""
        return f"{size(self._done)}{of}, {size(rate)}/s  {visible(name)[-40:]}"


def _known_size(paths: Sequence[str]) -> int:
    """Bytes of plain files; 0 where the end is not known (a pipe, an archive, a folder)."""
    total = 0
    for path in paths:
        try:
            found = os.stat(path)  # noqa: PTH116 - pathlib takes milliseconds to import
        except (OSError, ValueError):
            return 0
        if not stat.S_ISREG(found.st_mode) or path.endswith((".gz", ".zip", ".xz", ".bz2", ".zst", ".tgz")):
            return 0
        total += found.st_size
    return total
