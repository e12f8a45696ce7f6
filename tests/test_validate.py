# SPDX-License-Identifier: MIT
"""What is wrong with an entry is said in one sentence with its line; hostile files end in a sentence, never in a traceback."""
from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hooks.load import LARGEST, load_file, load_folder, parse
from hooks.problems import Problem, listing
from hooks.rest import from_data, rest_of
from hooks.schema import schema_problems
from hooks.validate import validate, validate_one

REJECTS = Path(__file__).parent / "rejects"
ROOT = Path(__file__).parent.parent
EXPECT = "# expect: "
THROUGH_ENGINE = {"near-miss-is-taken", "sample-of-another", "wrong-rank"}

WHOLE = """id: a-whole-entry
kind: failure
status: draft
title: A failure that only tests know
signature: Frobnicator stalled on purpose
family: launcher
layer: process
summary: The frobnicator of this test stopped because it was told to.
first_step: Read the line before it.
signals:
  - id: stalled
    role: root
    match: ['Frobnicator stalled on purpose at step {step:int}']
references:
  - {kind: source, title: The program that prints it, url: "https://example.org/frobnicator"}
samples:
  - log: |
      [rank3]: Frobnicator stalled on purpose at step 3
    root_line: stalled on purpose
    rank: 3
    provenance: re-enacted
    source: https://example.org/frobnicator
"""


def problems_of(raw: bytes, file: str, diagnose: bool = False) -> list[Problem]:
    """All problems of one entry by itself."""
    entry, problems = parse(raw, file)
    return validate([entry] if entry else [], problems, diagnose)


@pytest.mark.parametrize("path", sorted(REJECTS.glob("*.yaml")), ids=lambda path: path.stem)
def test_rejects(path: Path) -> None:
    """Each file is refused with the sentence that its first line expects."""
    raw = path.read_bytes()
    expected = raw.split(b"\n", 1)[0].decode()
    assert expected.startswith(EXPECT)
    found = [str(problem) for problem in problems_of(raw, path.name, path.stem in THROUGH_ENGINE)]
    assert any(expected.removeprefix(EXPECT) in line for line in found), "\n".join(found)
    assert all("\n" not in line for line in found)


def test_a_small_whole_entry_is_accepted() -> None:
    """A useful draft needs little, and passes every check, the engine's included."""
    assert problems_of(WHOLE.encode(), "a-whole-entry.yaml", diagnose=True) == []


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"", "x.yaml:1  (file)  the file is empty"),
        (b"\n\n\n", "the file is empty"),
        (b"\xff", "byte 0xff in column 1 is not UTF-8"),
        (b"\xef\xbb\xbfid: x\n", "the file starts with a byte order mark"),
        ("id: x\n".encode("utf-16"), "the file starts with a byte order mark"),
        (b"id: a\x00b\n", "U+0000 (control character) in column 6"),
        (b"a: " + b"x" * LARGEST, f"the file has {LARGEST + 3:,} bytes: an entry has at most {LARGEST:,}"),
        (b"&a [*a]", "`&a` is an anchor"),
        (b"[" * 100_000, "the YAML cannot be read"),
        (b"{" * 100_000, "the YAML cannot be read"),
        (b"- " * 50_000, "nested deeper than 30 levels"),
        (b"? [a]\n: b\n", "a key is not a word"),
        (b"%YAML 9.9\n---\na: b\n", "the YAML cannot be read"),
    ],
)
def test_files_that_are_no_entry(raw: bytes, expected: str) -> None:
    """Files that are no entry at all."""
    found = problems_of(raw, "x.yaml")
    assert any(expected in str(problem) for problem in found), found


def test_five_megabytes_are_not_even_read(tmp_path: Path) -> None:
    """A large file is refused by its size."""
    path = tmp_path / "large.yaml"
    path.write_bytes(b"#" * 5_000_000)
    entry, problems = load_file(path)
    assert entry is None
    assert "5,000,000 bytes" in str(problems[0])


def test_the_bomb_of_merge_keys_is_cheap() -> None:
    """Merge keys that would double per level in PyYAML are refused where they stand."""
    raw = b"a0: &a0 {k: v}\n" + b"".join(b"a%d: &a%d {<<: [*a%d, *a%d]}\n" % (n, n, n - 1, n - 1) for n in range(1, 30))
    assert any("is a merge key" in str(problem) for problem in problems_of(raw, "bomb.yaml"))


def test_no_file_ends_in_a_traceback() -> None:
    """Every prefix and every single damaged byte of a good file gives an entry or a sentence."""
    raw = WHOLE.encode()
    for end in range(0, len(raw), 7):
        entry, problems = parse(raw[:end], "cut.yaml")
        assert entry is not None or problems
    for at in range(0, len(raw), 11):
        for byte in (0, 9, 34, 38, 42, 45, 58, 91, 123, 255):
            entry, problems = parse(raw[:at] + bytes([byte]) + raw[at + 1:], "damaged.yaml")
            assert entry is not None or problems
            if entry:
                list(schema_problems(entry))


def test_all_problems_of_all_files_come_sorted_and_counted(tmp_path: Path) -> None:
    """Nothing stops at the first problem."""
    (tmp_path / "b-second.yaml").write_text("id: wrong-name\nkind: x\n")
    (tmp_path / "a-first.yaml").write_text("id: [\n")
    (tmp_path / "README.md").write_text("would become the index page")
    entries, problems = load_folder(tmp_path, tmp_path)
    found = validate(entries, problems, diagnose=False)
    files = [problem.file for problem in found]
    assert files == sorted(files)
    assert set(files) == {"a-first.yaml", "b-second.yaml", "README.md"}
    assert listing(found, 2).endswith(f"{len(found)} problems in 2 entries")


def test_one_relation_on_two_sides_is_refused() -> None:
    """The other side of a relation is derived, and a contradiction names both files."""
    one = WHOLE.replace("a-whole-entry", "one-entry") + "related: [{type: causes, id: two-entry}]\n"
    same = WHOLE.replace("a-whole-entry", "two-entry") + "related: [{type: caused_by, id: one-entry}]\n"
    against = WHOLE.replace("a-whole-entry", "two-entry") + "related: [{type: causes, id: one-entry}]\n"
    for other, sentence in ((same, "stands twice: one-entry.yaml:"), (against, "contradicts another relation: one-entry.yaml:")):
        entries = [parse(text.encode(), f"{name}.yaml")[0] for text, name in ((one, "one-entry"), (other, "two-entry"))]
        found = [str(problem) for problem in validate([entry for entry in entries if entry], [], diagnose=False)]
        assert any(sentence in line for line in found), found


def test_an_alias_belongs_to_one_entry() -> None:
    """Two entries cannot be found under one short name."""
    texts = [(WHOLE.replace("a-whole-entry", name) + "aliases: [short-name]\n", name) for name in ("one-entry", "two-entry")]
    entries = [parse(text.encode(), f"{name}.yaml")[0] for text, name in texts]
    found = [str(problem) for problem in validate([entry for entry in entries if entry], [], diagnose=False)]
    assert any("two-entry.yaml" in line and "`short-name` is taken: one-entry.yaml has it" in line for line in found)


def test_the_command_exits_1_and_names_the_line() -> None:
    """`python -m hooks.check FILE` prints the same sentence and fails."""
    done = subprocess.run(
        [sys.executable, "-m", "hooks.check", "--no-diagnosis", "tests/rejects/unknown-field.yaml"], cwd=ROOT, capture_output=True, text=True, check=False,
    )
    assert done.returncode == 1
    assert "tests/rejects/unknown-field.yaml:25  symptom  unknown field `symptom`" in done.stdout
    assert done.stdout.rstrip().endswith("1 problem in 1 entry")
    assert "Traceback" not in done.stderr


def test_one_entry_beside_the_others_is_judged_as_among_them() -> None:
    """The quick check of a draft knows the names, sentences, signals and lines of all other entries."""
    others = [entry for name in ("one-entry", "two-entry") if (entry := parse(WHOLE.replace("a-whole-entry", name).encode(), f"{name}.yaml")[0])]
    whole = rest_of(others)
    rest = from_data(json.loads(json.dumps(whole.data())), whole.compiled)
    own_text = WHOLE.replace("a-whole-entry", "three-entry").replace("Frobnicator stalled", "Widget press jammed").replace("root_line: stalled", "root_line: jammed")
    own_text = own_text.replace("The frobnicator of this test stopped because it was told to.", "The press of this test was jammed by hand.")
    assert validate_one(*parse(own_text.encode(), "three-entry.yaml"), rest) == []
    for text, sentence in (
        (own_text + "related: [{type: causes, id: four-entry}]\n", "there is no entry `four-entry`"),
        (own_text + "aliases: [two-entry]\n", "`two-entry` is taken: two-entry.yaml has it"),
        (own_text.replace("The press of this test was jammed by hand.", "The frobnicator of this test stopped because it was told to."), "stands twice: one-entry.yaml:8 summary"),
        (own_text.replace("[rank3]: Widget press jammed", "[rank1]: Widget press jammed"), "the diagnosis names rank 1"),
    ):
        found = [str(problem) for problem in validate_one(*parse(text.encode(), "three-entry.yaml"), rest)]
        assert any(sentence in line for line in found), (sentence, found)


def test_a_changed_entry_is_not_its_own_neighbour() -> None:
    """Its former self holds its name, its sentences and its signals."""
    entry, problems = parse(WHOLE.encode(), "a-whole-entry.yaml")
    assert entry
    assert validate_one(entry, problems, rest_of([entry])) == []
