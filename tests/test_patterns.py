# SPDX-License-Identifier: MIT
"""The template language: what it matches, what it refuses, and that it is linear."""
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firstfault.patterns import PatternError, compile_template


def fields(template: str, line: str) -> dict[str, str] | None:
    """The captured fields, or None where the template does not match."""
    found = re.search(compile_template(template).regex, line)
    return found.groupdict() if found else None


@pytest.mark.parametrize(
    ("template", "line", "expected"),
    [
        ("rank {rank:int} died", "rank 12 died", {"rank": "12"}),
        ("OpType={op}, NumelIn={n:int}", "SeqNum=3, OpType=ALLREDUCE, NumelIn=5", {"op": "ALLREDUCE", "n": "5"}),
        ("Xid (PCI:{pci:addr}): 79,", "NVRM: Xid (PCI:0000:91:00): 79, pid=1", {"pci": "0000:91:00"}),
        ("tried {size:float} {unit:GiB|MiB}", "tried 20.50 GiB", {"size": "20.50", "unit": "GiB"}),
        ("open {path:path}: denied", "open /a/b.c: denied", {"path": "/a/b.c"}),
        ("name {name:quoted} lost", "name 'a b' lost", {"name": "'a b'"}),
        ("failed: {why:rest}", "failed: no space left", {"why": "no space left"}),
        ("begin{...}end", "begin, then much, end", {}),
        ("a  blank   run", "a blank\t run", {}),
        ("dict {{'a': {n:int}}}", "dict {'a': 4}", {"n": "4"}),
        ("{^}Killed{$}", "Killed  ", {}),
    ],
)
def test_matches(template: str, line: str, expected: dict[str, str]) -> None:
    """Fields capture what they say."""
    assert fields(template, line) == expected


@pytest.mark.parametrize(
    ("template", "line"),
    [
        ("Xid (PCI:{pci:addr}): 79,", "NVRM: Xid (PCI:0000:91:00): 791, pid=1"),
        ("{^}Killed{$}", "Killed by somebody"),
        ("{^}Killed{$}", "was Killed"),
        ("begin{...}end", "begin" + "x" * 500 + "end"),
        ("Error: X", "error: x"),
    ],
)
def test_does_not_match(template: str, line: str) -> None:
    """Borders hold."""
    assert fields(template, line) is None


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("{x}{y} literal", "touch"), ("text {", "lone"), ("text {A}", "field name"), ("text {x:number}", "field type"), ("{x}", "no literal text"),
        ("a {x} b {x} c", "twice"), ("abc{...}", "gap at the end"), ("{...}abc", "gap at the start"), ("a {x:rest} b", "stand last"), ("a{^}b", "stand first"), ("x" * 601, "600"),
    ],
)
def test_refuses(template: str, words: str) -> None:
    """What cannot be linear, or means nothing, is refused with a sentence."""
    with pytest.raises(PatternError, match=words):
        compile_template(template)


@given(st.text(alphabet="ab{}|:.^$ int", max_size=60))
@settings(max_examples=400, deadline=None)
def test_any_text_compiles_or_is_refused(source: str) -> None:
    """No template makes an invalid regular expression."""
    try:
        template = compile_template(source)
    except PatternError:
        return
    re.compile(template.regex)


def test_hostile_line_costs_linear_time() -> None:
    """The shape that is cubic in a plain regular expression: doubling the line at most about doubles the time."""
    pattern = re.compile(compile_template("rank {a} and rank {b} had {...}timeout").regex)

    def seconds(length: int) -> float:
        line = "rank x and rank y had " * length
        best = 1e9
        for _ in range(5):
            begun = time.perf_counter()
            assert pattern.search(line) is None
            best = min(best, time.perf_counter() - begun)
        return best

    seconds(200)
    assert seconds(4000) / seconds(2000) < 3.0
