# SPDX-License-Identifier: MIT
"""What of a template can be searched for in source or in a binary, and how well a text holds it.

A printed line is seldom one literal in the source: format fields, concatenated strings and the log layer's own prefix cut
it. So the literal runs of a template are searched in pieces, and the proof is the share of their letters that was found.
"""
from __future__ import annotations

import re
from typing import NamedTuple

from firstfault.patterns import compile_template

SHORTEST = 8
#: letters that must be found, and how long the longest piece must be when a run was found in pieces
ENOUGH = 0.65
TELLING = 12
#: printed by the interpreter or by the log layer, so never part of the message's own literal
PREFIX = re.compile(
    r"^(?:(?:[A-Za-z_][\w.]*\.)?[A-Za-z]\w*(?:Error|Exception|Warning|Exit|Invalid)(?::|$)"
    r"|(?:srun|slurmstepd|sbatch|slurmd): (?:error: )?(?:\*\*\* )?|error: |UCX ERROR |NCCL WARN |DPC: |AER: |NVRM: (?:Xid \(PCI:)?)\s*"
)
#: words that something else puts in: what the system says of an errno, quoted text, and the source location of the log layer
VALUE = re.compile(
    r"\[?Errno -?\d+\] |: Resource temporarily unavailable| \(core dumped\)|No such file or directory: '"
    r"|: (?:Connection reset by peer|Broken pipe|Connection refused|Cannot allocate memory|No space left on device|Connection timed out)"
    r"|(?<=')[A-Za-z][^'{}]{9,}(?='(?:\W|$))|^\[?[\w/.-]+\.(?:cc|cpp|cu|hpp):|CUDA error: |Triton Error \[CUDA\]: "
)
TOKEN = re.compile(r"\w+|\W")
JOINS = (
    # adjacent literals of Python and C, also joined by + or <<, or passed one after the other
    (re.compile(r"""(?<!\\)(["'])(?:\s*(?:\\|\+|<<|,)|(?=\s))\s*(?:(?:/\*.{0,80}?\*/|//[^\n]{0,120}\n|\#[^\n]{0,80}\n)\s*)?[fFrRbBuL]{0,2}(?<!\\)\1"""), ""),
    (re.compile(r"\\n\\?|\\t|\\r"), " "),
    (re.compile(r"""\\(["'])"""), r"\1"),
    (re.compile(r"\{\{"), "{"),
    (re.compile(r"\}\}"), "}"),
    (re.compile(r"[ \t\r\n\xa0]+"), " "),
)


class Found(NamedTuple):
    """How well a text holds a template: the share of letters, and the longest piece."""

    share: float
    longest: int

    def proves(self, runs: list[str]) -> bool:
        """Whether this is proof: most letters, and one piece that is telling."""
        return self.share >= ENOUGH and self.longest >= min(TELLING, 0.6 * max(map(letters, runs)))


def letters(text: str) -> int:
    """Count letters: digits are values that a program puts in."""
    return sum(character.isalpha() for character in text)


def runs_of(template: str) -> list[str]:
    """Give the literal runs worth searching; when all are short, the longest."""
    literals = [re.sub(r"[ \t\xa0]+", " ", literal).strip() for literal in compile_template(template).literals]
    for cut in (VALUE, None):
        parts = [piece.strip() for literal in literals for piece in (cut.split(PREFIX.sub("", literal)) if cut else [PREFIX.sub("", literal)])]
        runs = [part for part in parts if len(part) >= SHORTEST and letters(part) >= 4]
        if runs:
            return runs
    return [max(literals, key=letters)]


def normal(text: str) -> str:
    """Join what source code cuts, so that a message stands as it is printed."""
    for pattern, to in JOINS:
        text = pattern.sub(to, text)
    return text


def pieces(run: str, text: str, least: int) -> list[str]:
    """Cover a run from the left with the longest pieces that the text holds."""
    if run in text:
        return [run]
    tokens = TOKEN.findall(run)
    found = []
    start = 0
    while start < len(tokens):
        end, best = start + 1, 0
        piece = tokens[start]
        while piece in text:
            best = end
            if end == len(tokens):
                break
            piece += tokens[end]
            end += 1
        whole = "".join(tokens[start:best]).strip()
        if len(whole) >= least:
            found.append(whole)
            start = best
        else:
            start += 1
    return found


def search(runs: list[str], text: str, least: int = SHORTEST) -> Found:
    """Say how well a text holds all runs."""
    found = [piece for run in runs for piece in pieces(run, text, least)]
    total = sum(map(letters, runs)) or 1
    return Found(sum(map(letters, found)) / total, max(map(letters, found), default=0))
