# SPDX-License-Identifier: MIT
"""Which lines can hold a signal at all, at a cost that hardly grows with the number of signals.

Works on bytes.  One ``translate`` per block deletes what varies between copies of a line (digits, a to f,
blanks, punctuation, and with ESC, `m` and `K` also colour codes), so repeated lines become equal and are seen
once.  Of each signal's literal a short window that begins with a rare byte is kept; one small regular
expression lists the windows of the new lines, and a dictionary tells which literal they may belong to.
"""
from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence

#: Bytes of a window.  Keys with fewer projected bytes are searched one by one.
WINDOW = 6
#: Distinct projected lines remembered; beyond it, repeated lines are looked at again.
MOST_SEEN = 400_000
_DELETED = bytes(
    byte for byte in range(256)
    if byte not in (10, 13) and (byte >= 128 or byte < 32 or not chr(byte).isalpha() or chr(byte) in "abcdefmK")
)
_NOT_ENDS = bytes(byte for byte in range(256) if byte not in (10, 13))
_CR_TO_LF = bytes.maketrans(b"\r", b"\n")
#: Letters of English and log text from rare to common: where a window should begin.
_RARE = b"QXZJqjzVYxWBGkHUvwUPFMDLNCOASRIETygphulnsorit"


def project(data: bytes) -> bytes:
    """The part of the bytes by which lines are compared; line ends stay (CR counts as one)."""
    return data.translate(_CR_TO_LF, _DELETED)


class Needles:
    """What is looked for: the literal runs of every key, prepared once and shared by any number of prefilters.

    ``literals`` maps a key to the runs that a line must hold, in any order; the rarest of them is looked for, the
    others are checked once per distinct line.
    """

    def __init__(self, literals: Iterable[tuple[int, Sequence[str]]]) -> None:
        self.others: dict[int, tuple[bytes, ...]] = {}
        self.long: dict[bytes, list[tuple[bytes, int]]] = {}
        self.short: dict[bytes, list[int]] = {}
        keys = []
        for key, runs in literals:
            projected = sorted((project(run.encode()) for run in runs), key=len, reverse=True)
            keys.append((projected[0], key))
            self.others[key] = tuple(piece for piece in projected[1:] if piece)
        starts = _greedy_starts([projected for projected, _ in keys if len(projected) >= WINDOW])
        for projected, key in keys:
            if len(projected) < WINDOW:
                self.short.setdefault(projected, []).append(key)
                continue
            at = _window_at(projected, starts)
            self.long.setdefault(projected[at:at + WINDOW], []).append((projected, key))
        byte_class = b"".join(re.escape(bytes((byte,))) for byte in sorted(starts)) or b"\x00"
        self.windows = re.compile(b"([" + byte_class + b"])(?=([A-Za-z]{%d}))" % (WINDOW - 1))


class Prefilter:
    """Finds candidate lines, and remembers the lines it has seen.

    ``limits`` says of some keys how often equal projected lines are given at all; a line stays unlimited while it
    holds any key without a limit.
    """

    def __init__(self, needles: Needles, limits: Mapping[int, int] | None = None) -> None:
        self._needles = needles
        self._limits = limits or {}
        self._left: dict[bytes, int] = {}
        self._seen: dict[bytes, tuple[int, ...]] = {}

    def lines(self, data: bytes) -> dict[int, tuple[int, ...]]:
        """For each candidate line of a block (0 for the first), the keys whose literal it may hold."""
        rows = project(data).split(b"\n")
        seen = self._seen
        new = [row for row in dict.fromkeys(rows) if row not in seen]
        if new:
            if len(seen) + len(new) > MOST_SEEN:
                self._seen = seen = {row: keys for row, keys in seen.items() if keys}
            hits = self._scan(new)
            for row in new:
                keys = seen[row] = hits.get(row, ())
                if keys and all(key in self._limits for key in keys):
                    self._left[row] = max(self._limits[key] for key in keys)
        wanted = {row for row in set(rows) if seen[row]}
        if not wanted:
            return {}
        found = _numbered(data, rows, wanted, seen)
        if self._left:
            self._count(rows)
        return found

    def _collect(self, text: bytes, projected: bytes, keys: Iterable[int], hits: dict[bytes, set[int]]) -> None:
        """Note every line of ``text`` that holds ``projected`` and the other runs of a key."""
        at = text.find(projected)
        while at >= 0:
            start = text.rfind(b"\n", 0, at) + 1
            end = text.find(b"\n", at)
            end = len(text) if end < 0 else end
            row = text[start:end]
            for key in keys:
                if all(piece in row for piece in self._needles.others[key]):
                    hits.setdefault(row, set()).add(key)
            at = text.find(projected, end)

    def _count(self, rows: list[bytes]) -> None:
        """Forget lines that were given often enough."""
        for row in rows:
            left = self._left.get(row)
            if left is not None:
                if left <= 1:
                    del self._left[row]
                    self._seen[row] = ()
                else:
                    self._left[row] = left - 1

    def _scan(self, rows: list[bytes]) -> dict[bytes, tuple[int, ...]]:
        """The keys of each new projected line that has any."""
        text = b"\n".join(rows)
        hits: dict[bytes, set[int]] = {}
        found = {start + rest for start, rest in self._needles.windows.findall(text)} & self._needles.long.keys()
        for window in found:
            for projected, key in self._needles.long[window]:
                self._collect(text, projected, (key,), hits)
        for projected, numbers in self._needles.short.items():
            if projected:
                self._collect(text, projected, numbers, hits)
        return {row: tuple(sorted(keys)) for row, keys in hits.items()}


def _numbered(data: bytes, rows: list[bytes], wanted: set[bytes], seen: dict[bytes, tuple[int, ...]]) -> dict[int, tuple[int, ...]]:
    """Candidate lines by their number in the block.  CR splits rows further than lines, so line feeds are counted."""
    places: list[tuple[int, bytes]] = []
    for row in wanted:
        at = -1
        for _ in range(rows.count(row)):
            at = rows.index(row, at + 1)
            places.append((at, row))
    places.sort()
    ends = data.translate(None, _NOT_ENDS) if b"\r" in data else b""
    numbered: dict[int, tuple[int, ...]] = {}
    number = counted = 0
    for at, row in places:
        number = number + ends.count(b"\n", counted, at) if ends else at
        counted = at
        known = numbered.get(number)
        numbered[number] = seen[row] if known is None else tuple(sorted({*known, *seen[row]}))
    return numbered


def _greedy_starts(keys: list[bytes]) -> list[int]:
    """Few, rare start bytes such that every key has a window that begins with one of them."""
    uncovered = {key: set(key[:len(key) - WINDOW + 1]) for key in keys}
    chosen: list[int] = []
    for byte in _RARE + bytes(range(65, 91)) + bytes(range(97, 123)):
        covered = [key for key, starts in uncovered.items() if byte in starts]
        if covered:
            chosen.append(byte)
            for key in covered:
                del uncovered[key]
        if not uncovered:
            break
    return chosen


def _window_at(key: bytes, starts: Container[int]) -> int:
    """Where the window of a key begins: at its rarest start byte."""
    rarity = {byte: rank for rank, byte in enumerate(_RARE)}
    places = [at for at in range(len(key) - WINDOW + 1) if key[at] in starts]
    return min(places, key=lambda at: rarity.get(key[at], len(rarity)))
