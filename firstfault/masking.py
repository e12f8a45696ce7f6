# SPDX-License-Identifier: MIT
"""Secrets and personal data leave a report as stable numbered pseudonyms: `<host-1>` is everywhere the same host.

Two log lines about one host are often the whole diagnosis, so names are numbered, not blacked out. Facts that a diagnosis
needs stay: GPU UUIDs, addresses, PCI and Xid numbers, hashes, communicator ids, ranks, ports.

    masker = Masker(hosts=["node-7"])
    masker.learn(text)                # optional: values found here are hidden in every later text
    masker.mask(text).text
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from . import identities, secrets_known, secrets_named

KINDS = ("token", "key", "url", "email", "user", "ip", "host")
_Claim = tuple[int, int, str]
#: Texts whose findings are remembered.
_MOST_READ = 4000


class Span(NamedTuple):
    """One hidden piece: where it stood in the original text, its kind, and what is shown instead."""

    start: int
    end: int
    kind: str
    shown: str


class Masked(NamedTuple):
    """A text without its secrets, and what was hidden."""

    text: str
    spans: list[Span]


class Masker:
    """Hides secrets and personal data, with one numbering over all texts it sees."""

    def __init__(self, hosts: Iterable[str] = ()) -> None:
        self._numbers: dict[tuple[str, str], int] = {}
        self._counts: dict[str, int] = {}
        self._learnt: dict[str, str] = {}
        self._read: dict[str, list[_Claim]] = {}
        self._finder: re.Pattern[str] | None = None
        for host in hosts:
            self.learn_host(host)

    def learn(self, text: str) -> None:
        """Remember hosts, users and secrets of a text, to hide them wherever they stand later."""
        self._claims(text)

    def mask(self, text: str) -> Masked:
        """The text with everything private replaced."""
        return self._apply(text, [*self._claims(text), *self._known(text)])

    def mask_known(self, text: str) -> Masked:
        """Hide only values that were learnt: for texts that are not a log, where patterns would only find examples."""
        return self._apply(text, list(self._known(text)))

    def mask_lines(self, lines: list[str]) -> list[str]:
        """Mask neighbouring lines together, since a private key runs over many; their number stays the same."""
        if not lines:
            return []
        return self.mask("\n".join(line.replace("\n", " ") for line in lines)).text.split("\n")

    def legend(self) -> dict[str, int]:
        """How many different values of each kind were hidden."""
        return {kind: self._counts[kind] for kind in KINDS if self._counts.get(kind)}

    def hidden(self) -> list[tuple[str, str, str]]:
        """Every value that was hidden, as (kind, what is shown instead, the value): for the eyes of the log's owner only."""
        shown = [(kind, f"<{kind}-{number}>", value) for (kind, value), number in self._numbers.items()]
        return sorted(shown, key=lambda row: (KINDS.index(row[0]), len(row[1]), row[1]))

    def mask_host(self, host: str) -> str:
        """A field that is known to be a host name or address, masked as such."""
        masked = self.mask(host)
        if masked.spans or not identities.is_private_host(host):
            return masked.text
        return f"<host-{self._number('host', host)}>"

    def learn_host(self, host: str) -> None:
        """Hide this machine name from now on, its short form too."""
        if not identities.is_private_host(host):
            return
        self._remember("host", host)
        short = host.split(".")[0]
        if short != host and not identities.is_address(host) and identities.is_private_host(short):
            self._numbers.setdefault(("host", short), self._number("host", host))
            self._remember("host", short)

    def _claims(self, text: str) -> list[_Claim]:
        """What a text gives away by itself; a report holds the same lines in many places, so each is read once."""
        claims = self._read.get(text)
        if claims is None:
            if len(self._read) >= _MOST_READ:
                self._read.clear()
            claims = self._read[text] = _claims(text)
            self._learn(text, claims)
        return claims

    def _learn(self, text: str, claims: list[_Claim]) -> None:
        for host in identities.find_hosts(text):
            self.learn_host(host)
        for start, end, kind in claims:
            self._remember(kind, text[start:end])

    def _remember(self, kind: str, value: str) -> None:
        long_enough = len(value) >= (8 if kind == "token" else 3)
        if kind in ("token", "host", "user", "ip") and long_enough and "\n" not in value and value not in self._learnt:
            self._learnt[value] = kind
            self._finder = None

    def _known(self, text: str) -> Iterator[_Claim]:
        if not self._learnt:
            return
        if self._finder is None:
            self._finder = re.compile("|".join(map(re.escape, sorted(self._learnt, key=len, reverse=True))))
        for found in self._finder.finditer(text):
            kind = self._learnt[found[0]]
            if kind == "token" or identities.stands_alone(text, found.start(), found.end(), kind):
                yield found.start(), found.end(), kind

    def _number(self, kind: str, value: str) -> int:
        if (kind, value) not in self._numbers:
            self._counts[kind] = self._counts.get(kind, 0) + 1
            self._numbers[kind, value] = self._counts[kind]
        return self._numbers[kind, value]

    def _apply(self, text: str, claims: list[_Claim]) -> Masked:
        # Where claims overlap, the one that begins first wins, then the longer one, then the graver kind.
        claims.sort(key=lambda claim: (claim[0], -claim[1], KINDS.index(claim[2])))
        parts: list[str] = []
        spans: list[Span] = []
        position = 0
        for start, end, kind in claims:
            if end <= position:
                continue
            start = max(start, position)
            shown = f"<{kind}-{self._number(kind, text[start:end])}>"
            parts += [text[position:start], shown]
            spans.append(Span(start, end, kind, shown))
            position = end
        return Masked("".join([*parts, text[position:]]), spans)


def mask(text: str, hosts: Iterable[str] = ()) -> Masked:
    """Mask one text; `hosts` are names known from elsewhere, such as the result of a diagnosis."""
    return Masker(hosts).mask(text)


def _claims(text: str) -> list[_Claim]:
    """Everything that its own shape gives away."""
    claims: list[_Claim] = [(start, end, "key") for start, end in _private_keys(text)]
    for gate, pattern in secrets_known.PATTERNS:
        if gate in text:
            for found in pattern.finditer(text):
                start, end = found.span(1) if pattern.groups else found.span()
                if not secrets_named.is_placeholder(text[start:end]):
                    claims.append((start, end, "token"))
    claims += [(start, end, "token") for start, end in secrets_named.find_named(text)]
    claims += identities.find(text)
    return claims


_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_ENDING = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_TAIL = re.compile(r"(?:[A-Za-z0-9+/=:,\- \t\r\n]|\\n|\\r){0,20000}")
# A whole line of 64 mixed base64 characters, as PEM wraps them: the middle of a key whose head was cut off.
_KEY_LINE = re.compile(r"^[ \t>|]{0,8}(?=[^\n]{0,70}[a-z])(?=[^\n]{0,70}[A-Z])(?=[^\n]{0,70}[0-9])([A-Za-z0-9+/]{64})\r?$", re.MULTILINE)


def _private_keys(text: str) -> Iterator[tuple[int, int]]:
    """Private keys, one piece per line so that line numbers stay; a key cut at the end of the text counts too."""
    if "PRIVATE KEY" in text:
        position = 0
        while found := _BEGIN.search(text, position):
            ending = _ENDING.search(text, found.end())
            position = ending.end() if ending else _KEY_TAIL.match(text, found.end()).end()
            yield from _pieces(text, found.start(), position)
    if len(text) >= 64:
        yield from (found.span(1) for found in _KEY_LINE.finditer(text))


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end:
        newline = text.find("\n", start, end)
        stop = newline if newline >= 0 else end
        if text[start:stop].strip():
            yield start, stop
        start = stop + 1
