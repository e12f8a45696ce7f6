# SPDX-License-Identifier: MIT
"""Which lines can hold a signal at all, at a cost that hardly grows with the number of signals.

Works on bytes.  One ``translate`` per block deletes what varies between copies of a line (digits, a to f,
blanks, punctuation, and with ESC, `m` and `K` also colour codes), so repeated lines become equal and are seen
once.  Of each signal's literal a short window that begins with a rare byte is kept; one small regular
expression lists the windows of the new lines, and a dictionary tells which literal they may belong to.
"""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence

#: Bytes of a window.  Keys with fewer projected bytes, or only common ones, are searched one by one.
WINDOW = 6
#: Distinct projected lines remembered; beyond it, repeated lines are looked at again.
MOST_SEEN = 400_000
_DELETED = bytes(
    byte for byte in range(256)
    if byte not in (10, 13) and (byte >= 128 or byte < 32 or not chr(byte).isalpha() or chr(byte) in "abcdefmK")
)
#: What one more start byte costs beside its frequency: each makes the scan a little slower.
_COST = 3
#: A letter more frequent than this begins no window.
_TOO_COMMON = 170
_NOT_ENDS = bytes(byte for byte in range(256) if byte not in (10, 13))
_CR_TO_LF = bytes.maketrans(b"\r", b"\n")
#: How often each letter begins a window in projected log text, per ten thousand; letters not listed are rarer still.
_FREQUENCY = {
    ord(letter): share for letter, share in dict(
        n=1106, r=1091, s=1006, t=950, i=729, o=708, l=584, k=472, p=444, h=334, N=218, u=214, g=207, y=171, R=167, C=167, I=166, v=158, F=132, O=118, T=113, D=103,
        E=82, L=66, A=64, G=61, w=60, B=58, M=55, x=51, Z=28, U=25, W=25, S=16, P=13, z=9, q=8, j=5, V=4, H=4, X=2, Y=2, J=1, Q=1,
    ).items()
}


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
            if len(projected) < WINDOW or not starts.intersection(projected[:len(projected) - WINDOW + 1]):
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
        self._seen: set[bytes] = set()
        self._hits: dict[bytes, tuple[int, ...]] = {}

    def lines(self, data: bytes) -> dict[int, tuple[int, ...]]:
        """For each candidate line of a block (0 for the first), the keys whose literal it may hold."""
        rows = project(data).split(b"\n")
        distinct = set(rows)
        new = distinct - self._seen
        if new:
            if len(self._seen) + len(new) > MOST_SEEN:
                self._seen.clear()
            self._seen |= new
            self._scan(new)
        wanted = distinct & self._hits.keys()
        if not wanted:
            return {}
        found = _numbered(data, rows, wanted, self._hits)
        if self._left:
            self._count(rows, wanted)
        return found

    def _scan(self, rows: set[bytes]) -> None:
        """Note the keys of each new projected line that has any."""
        text = b"\n".join(rows)
        hits: dict[bytes, set[int]] = {}
        needles = self._needles
        for window in {start + rest for start, rest in needles.windows.findall(text)} & needles.long.keys():
            for projected, key in needles.long[window]:
                self._collect(text, projected, (key,), hits)
        for projected, numbers in needles.short.items():
            if projected:
                self._collect(text, projected, numbers, hits)
        for row, keys in hits.items():
            self._hits[row] = tuple(sorted(keys))
            if all(key in self._limits for key in keys):
                self._left[row] = max(self._limits[key] for key in keys)

    def _count(self, rows: list[bytes], wanted: set[bytes]) -> None:
        """Forget lines that were given often enough."""
        for row in wanted & self._left.keys():
            self._left[row] -= rows.count(row)
            if self._left[row] <= 0:
                del self._left[row], self._hits[row]

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


def _numbered(data: bytes, rows: list[bytes], wanted: set[bytes], hits: dict[bytes, tuple[int, ...]]) -> dict[int, tuple[int, ...]]:
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
        numbered[number] = hits[row] if known is None else tuple(sorted({*known, *hits[row]}))
    return numbered


def _greedy_starts(keys: list[bytes]) -> set[int]:
    """Start bytes, rare in log text, such that nearly every key has a window that begins with one; the rest is searched one by one."""
    uncovered = {key: {byte for byte in key[:len(key) - WINDOW + 1] if _FREQUENCY.get(byte, 1) <= _TOO_COMMON} for key in set(keys)}
    uncovered = {key: starts for key, starts in uncovered.items() if starts}
    chosen: set[int] = set()
    while uncovered:
        covers = Counter(byte for starts in uncovered.values() for byte in starts)
        best = max(covers, key=lambda byte: (covers[byte] / (_FREQUENCY.get(byte, 1) + _COST), byte))
        chosen.add(best)
        uncovered = {key: starts for key, starts in uncovered.items() if best not in starts}
    return chosen


def _window_at(key: bytes, starts: Container[int]) -> int:
    """Where the window of a key begins: at its rarest start byte."""
    places = [at for at in range(len(key) - WINDOW + 1) if key[at] in starts]
    return min(places, key=lambda at: _FREQUENCY.get(key[at], 1))
