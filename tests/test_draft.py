# SPDX-License-Identifier: MIT
"""From an error line to a draft: what varies becomes a field, what is private is hidden, and only the blanks are missing."""
from __future__ import annotations

import json
import re
import shutil
import string
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from firstfault import draft, placement, yamltext
from firstfault.cli import main
from firstfault.database import Database
from firstfault.diagnose import Session
from firstfault.excerpt import Excerpt, of_text
from firstfault.patterns import compile_template
from firstfault.templating import NoTemplate, template_of
from hooks import checkbundle, livecheck
from hooks.bytecode import engine_sources, imports
from hooks.load import load_folder, parse
from hooks.rest import Rest, rest_of
from tests.site_server import ROOT

LOG = """\
[rank1]: step 41 loss 2.31
[rank3]: Traceback (most recent call last):
[rank3]:   File "/home/jdoe/train.py", line 10, in <module>
[rank3]:     main()
[rank3]: frobnicator.errors.FrobnicationError: the quuxifier on gpu-7.corp.example:29500 lost its widget 77
[rank1]: Connection closed by peer
"""
FILLED = {
    "title": "The quuxifier lost its widget",
    "summary": "A test's own program dropped a part that it had been given. It was told to.",
    "first_step": "Look at the test that prints the line.",
    "project": "example/frobnicator",
    "source": "https://example.org/frobnicator/1",
    "title ": "The program that prints it",
    "url": "https://example.org/frobnicator",
}


def fill(yaml: str) -> str:
    """Put something into every blank, in their order."""
    for name, words in FILLED.items():
        yaml, times = re.subn(rf"^(\s*(?:- )?{name.strip()}: )''$", lambda match, words=words: match[1] + yamltext.value(words), yaml, count=1, flags=re.MULTILINE)
        assert times == 1, name
    return yaml


@pytest.fixture(scope="module")
def rest() -> Rest:
    """All entries, as the checks of one see them."""
    return rest_of(load_folder(ROOT / "entries", ROOT)[0])


def result_of(log: str, database: Database) -> dict[str, Any]:
    session = Session(database)
    session.open("train.log")
    session.feed(log.encode())
    session.close()
    return session.result()


@pytest.mark.parametrize(
    ("message", "template"),
    [
        ("FrobnicationError: rank 3 of 8 lost its widget 77", "FrobnicationError: rank {rank:int} of {n:int} lost its widget {widget:int}"),
        ("cannot reach <host-1>:29500 after 300.5 s, pid 77", "cannot reach {address:addr} after {after:float} s, pid {pid:int}"),
        ("OSError: [Errno 28] No space left on device: '/data/x/step_1.pt'", "OSError: [Errno 28] No space left on device: {value:quoted}"),
        ("NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.", "NVRM: Xid (PCI:{address:addr}): 79, GPU has fallen off the bus."),
        ("AttributeError: 'NoneType' object has no attribute 'shape'", "AttributeError: 'NoneType' object has no attribute {attribute:quoted}"),
        ("KeyError: 'model.layers.3.weight'", "KeyError: 'model.layers.3.weight'"),
        ("unexpected tokens in {'a': 1} at loader.py:41", "unexpected tokens in {{{tokens:quoted}: {n:int}}} at loader.py:{line:int}"),
        ("ValueError: dtype float16 does not fit kernel sm_90 (0x7ffe00112233)", "ValueError: dtype float16 does not fit kernel sm_90 ({address:hex})"),
    ],
)
def test_what_varies_becomes_a_field(message: str, template: str) -> None:
    made = template_of(message)
    assert made.template == template
    assert re.search(compile_template(made.template).regex, message)


@pytest.mark.parametrize("message", ["", "assert 3 == 5", "KeyError: 7", "12:00:01 -> 12"])
def test_a_line_without_words_of_its_own_is_refused(message: str) -> None:
    with pytest.raises(NoTemplate, match="too few fixed words"):
        template_of(message)


@given(st.text(alphabet=string.ascii_letters + string.digits + " :./'\"{}<>[]()=-_,", max_size=300))
@settings(max_examples=300, deadline=None)
@example("0" * 19)
@example("1." + "2" * 13)
def test_every_template_compiles_and_matches_its_own_line(words: str) -> None:
    message = f"the quuxifier mislaid a widget {words}"
    made = template_of(message)
    assert re.search(compile_template(made.template).regex, " ".join(message.split())), made.template


def test_a_template_matches_the_same_error_with_other_values(rest: Rest) -> None:
    """Every sample's decisive line in the encyclopedia, drafted anew, is found again when its numbers change."""
    entries = load_folder(ROOT / "entries", ROOT)[0]
    lines = [sample["root_line"] for entry in entries for sample in entry.data["samples"][:1]]
    found = refused = 0
    for line in lines:
        message = " ".join(line.split())
        try:
            made = template_of(message)
        except NoTemplate:
            refused += 1
            continue
        other = re.sub(r"(?<![\w.])\d{5,}(?![\w.])", lambda match: str(int(match[0][::-1]) + 1), message)
        found += bool(re.search(compile_template(made.template).regex, other))
    assert refused < 0.06 * len(lines)
    assert found >= 0.97 * (len(lines) - refused)


@given(st.text(max_size=200))
@settings(max_examples=300, deadline=None)
def test_text_comes_back_from_yaml(words: str) -> None:
    text = yamltext.clean(words)
    line = " ".join(text.split("\n"))
    log = "\n".join(part.rstrip() for part in text.split("\n")).rstrip("\n ") or "x"
    yaml = f"a: {yamltext.value(line)}\nb:\n  - log: {yamltext.block(log, 4)}\n    end: 1\n"
    entry, problems = parse(yaml.encode(), "x.yaml")
    assert problems == [], yaml
    assert entry and entry.data == {"a": line, "b": [{"log": log + "\n", "end": 1}]}


def test_candidates_are_the_lines_that_nothing_explains_and_are_masked(rest: Rest) -> None:
    found = draft.candidates(result_of(LOG, Database(rest.compiled)))
    assert found[0]["line"] == 5
    assert found[0]["rank"] == 3
    assert "FrobnicationError" in found[0]["text"]
    for private in ("jdoe", "corp.example"):
        assert private not in json.dumps(found)


def test_a_draft_lacks_its_blanks_and_nothing_else(rest: Rest) -> None:
    excerpt = Excerpt("train.log", 5)
    excerpt.open("train.log")
    excerpt.feed(LOG.encode())
    excerpt.close()
    made = draft.draft(excerpt, lambda _name: False, rank=3)
    assert made["file"] == f"entries/{made['family']}/{made['id']}.yaml"
    for private in ("jdoe", "gpu-7", "corp.example"):
        assert private not in json.dumps(made)
    assert made["hidden"] == [{"kind": "user", "values": 1, "times": 1}, {"kind": "host", "values": 1, "times": 2}]
    before = json.loads(livecheck.check(made["yaml"], rest))
    assert {problem["what"] for problem in before["problems"]} == {"nothing is written here yet"}
    assert len(before["problems"]) == len(FILLED)
    after = json.loads(livecheck.check(fill(made["yaml"]), rest))
    assert after["problems"] == []
    assert (after["file"], after["private"]) == (made["file"], [])


def test_what_was_typed_in_and_looks_private_is_told(rest: Rest) -> None:
    said = json.loads(livecheck.check("id: x\nsummary: ask jdoe@corp.example.com about it\n", rest))
    assert said["private"] == [{"line": 2, "kind": "email"}]


def test_a_sample_is_the_whole_traceback_and_not_the_whole_log() -> None:
    log = "".join(f"noise {number}\n" for number in range(500)) + LOG + "more\n" * 300
    excerpt = Excerpt(text="lost its  widget")
    excerpt.open("train.log")
    for start in range(0, len(log), 777):
        excerpt.feed(log[start:start + 777].encode())
    excerpt.close()
    texts = [text for _number, text in excerpt.lines()]
    assert excerpt.chosen == 505
    assert texts[0] == "[rank3]: Traceback (most recent call last):"
    assert len(texts) == 7


def test_one_line_is_a_log_too() -> None:
    excerpt = of_text("  RuntimeError: the quuxifier lost its widget 77 \n\n")
    assert [text for _number, text in excerpt.lines()] == ["  RuntimeError: the quuxifier lost its widget 77 "]


@pytest.mark.parametrize(
    ("line", "family", "layer", "role"),
    [
        ("torch.OutOfMemoryError: CUDA out of memory of some new kind", "cuda-memory", "process", "root"),
        ("node-1:12:34 [0] NCCL WARN Something nobody saw", "collectives", "communication", "either"),
        ("slurmstepd: error: something nobody saw", "slurm", "process", "root"),
        ("NVRM: Xid (PCI:0000:3b:00): 999, something nobody saw", "gpu-hardware", "hardware", "root"),
    ],
)
def test_the_guess_of_the_shelf(line: str, family: str, layer: str, role: str) -> None:
    assert placement.family_of(line, line) == family
    assert placement.layer_and_role(line) == (layer, role)


def test_a_name_is_made_of_what_people_search_for() -> None:
    assert placement.id_of("RuntimeError: the quuxifier lost its widget <n>", lambda _name: False) == "quuxifier-lost-widget"
    assert placement.id_of("RuntimeError: the quuxifier lost its widget <n>", {"quuxifier-lost-widget"}.__contains__) == "quuxifier-lost-widget-2"


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that looks like a checkout, to be written into."""
    for name in ("schema", "hooks"):
        (tmp_path / name).mkdir()
    shutil.copy(ROOT / "schema" / "entry.schema.json", tmp_path / "schema")
    (tmp_path / "hooks" / "validate.py").touch()
    (tmp_path / "train.log").write_text(LOG)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_new_writes_a_file_once(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "--log", "train.log", "--family", "data-loading"]) == 0
    (path,) = (checkout / "entries").rglob("*.yaml")
    said = capsys.readouterr().out
    assert f"wrote entries/data-loading/{path.name}" in said
    assert "masked in it: 1 user, 1 host" in said
    assert f"then: firstfault check entries/data-loading/{path.name}" in said
    path.write_text("mine")
    assert main(["new", "lost its widget", "--log", "train.log", "--family", "data-loading"]) == 0
    assert path.read_text() == "mine"
    assert len([*(checkout / "entries").rglob("*.yaml")]) == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["new"], "give the error line"),
        (["new", "no such words", "--log", "train.log"], "no line of train.log holds that text"),
        (["new", "lost its widget", "--family", "nowhere"], "no family 'nowhere'"),
        (["new", "RuntimeError: CUDA error: device-side assert triggered"], "explains this line already"),
        (["new", "assert 3"], "too few fixed words"),
        (["new", "x", "--log", "none.log"], "none.log"),
    ],
)
def test_new_says_what_is_wrong(arguments: list[str], said: str, checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert said in capsys.readouterr().err
    assert not (checkout / "entries").exists()


def test_new_needs_a_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "RuntimeError: the quuxifier lost its widget 77"]) == 2
    assert "clone it and run `firstfault new` inside" in capsys.readouterr().err


def test_an_assumed_rank_is_not_written_down(rest: Rest) -> None:
    """A log of one process tells no rank; the diagnosis takes it for rank 0, an entry must not."""
    found = draft.candidates(result_of("frobnicator.errors.FrobnicationError: the quuxifier lost its widget 77\n", Database(rest.compiled)))
    assert [one["rank"] for one in found] == [None]


def test_the_checks_bring_only_what_they_need_into_a_browser() -> None:
    """No command line, no search, no file that is only written: each is weight for whoever drafts an entry on a phone."""
    sources = checkbundle.check_sources(engine_sources(ROOT / "firstfault"))
    assert {"hooks/livecheck.py", "hooks/validate.py", "hooks/schema.py"} <= sources.keys()
    assert not [path for path in sources if path.startswith("firstfault/") or any(word in path for word in ("search", "bundle", "report", "fixes", "annotate"))]
    assert "argparse" not in {name for source in sources.values() for name in imports(source)}
