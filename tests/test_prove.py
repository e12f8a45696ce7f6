# SPDX-License-Identifier: MIT
"""The mechanical proof: the committed result covers every signal, and the search itself finds and refuses what it should."""
from __future__ import annotations

import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from hooks.compiling import usable
from hooks.entry import Entry
from hooks.load import load_folder
from hooks.proofs import found, printed_by
from tools import reproduced
from tools.prove import __main__ as prove
from tools.prove import literals, texts
from tools.prove.judge import judge, key, xid_numbers
from tools.prove.packages import Store
from tools.prove.sources import Clones


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    """All entries."""
    return usable(load_folder(prove.ROOT / "entries", prove.ROOT)[0])[0]


def test_nine_of_ten_signals_are_grounded_and_none_is_without_evidence(entries: list[Entry]) -> None:
    """A signal that is new, or whose words or emitter changed since the last `make prove`, counts as not grounded yet.

    So a pull request of one entry passes, and a whole wave of them asks for `make prove`.
    """
    results = prove.read()
    wanted = prove.signals_of(entries)
    current = {name: results[name]["status"] for name, (signal, _) in wanted.items() if results.get(name, {}).get("key") == key(signal)}
    counts = Counter(current.values())
    assert counts["missing"] == counts["drifted"] == 0
    assert (counts["proven"] + counts["cited"]) / len(wanted) >= 0.9, f"{counts} of {len(wanted)}: run make prove"


def test_the_result_is_written_stably() -> None:
    """The same verdicts give the same bytes."""
    assert prove.RESULTS.read_text("utf-8") == prove.dumps(prove.read())


def test_captured_logs_name_their_scripts(entries: list[Entry]) -> None:
    """A reproduced sample can be made again; at least fifty entries have one."""
    assert reproduced.lost(entries) == []
    assert len(reproduced.captured(entries)) >= 50


@pytest.mark.parametrize(("template", "runs"), [
    ("srun: error: {host}: task {task:int}: Exited with exit code {exitcode:int}", [": Exited with exit code"]),
    ("RuntimeError: CUDA_HOME environment variable is not set", ["CUDA_HOME environment variable is not set"]),
    ("OOMKilled", ["OOMKilled"]),
    ("Errno 24] Too many open files", ["Too many open files"]),
])
def test_what_is_searched(template: str, runs: list[str]) -> None:
    """Prefixes of the interpreter and the log layer, and values, are not part of the message's literal."""
    assert literals.runs_of(template) == runs


SOURCE = '''raise RuntimeError(
    f"The worker {name} died "
    f"with code {code}; see the log of rank " "zero"
)'''


@pytest.mark.parametrize(("template", "proven"), [
    ("The worker {name} died with code {code:int}; see the log of rank zero", True),
    ("The worker loader died with code -9; see the log", True),
    ("The workers have all been killed by the kernel", False),
    ("zero", True),
])
def test_a_message_cut_by_source_code_is_found(template: str, proven: bool) -> None:
    """Adjacent literals and format fields do not hide a message; another message is not found."""
    runs = literals.runs_of(template)
    assert literals.search(runs, literals.normal(SOURCE), 5).proves(runs) is proven


def package(cache: Path, files: dict[str, str]) -> Store:
    """Put a made-up release `thing==1` into the cache."""
    (cache / "texts").mkdir()
    with zipfile.ZipFile(cache / "texts" / "thing==1.zip", "w") as out:
        for name, text in files.items():
            out.writestr(name, text)
    return Store(cache, offline=True)


def test_verdicts(tmp_path: Path) -> None:
    """Found, not found, not searched, and nothing to stand on are four different things."""
    store = package(tmp_path, {"thing/run.py": literals.normal(SOURCE), "thing/lib.so": "cannot allocate the ring\n%s of the ring"})
    clones = Clones(None)

    def verdict(text: str, references: list[dict[str, Any]] | None = None, **emitter: str) -> str:
        signal = {"match": [text], "emitter": {"project": "a/b", **emitter}}
        return judge(signal, references or [], store, clones).status

    named = {"evidence": "package", "package": "thing==1"}
    assert verdict("died with code {code}; see the log of rank", file="run.py", **named) == "proven"
    assert verdict("cannot allocate the ring", **named) == "proven"
    assert verdict("no such words are in there", **named) == "drifted"
    assert verdict("cannot allocate the ring", evidence="package", package="other==1") == "missing"
    assert verdict("cannot allocate the ring", [{"kind": "issue"}], evidence="report") == "reported"
    assert verdict("cannot allocate the ring", evidence="source", commit="abc", file="x.c") == "cited"


def test_an_xid_is_proven_by_the_number_that_the_driver_defines() -> None:
    """The words before the number are the same for all."""
    match = ["NVRM: Xid (PCI:{pci:addr}): 119,", "NVRM: Xid (PCI:{pci:addr}): 7,"]
    assert xid_numbers(match, [literals.runs_of(template) for template in match], "#define GSP_RPC_TIMEOUT (119)") == [0]


def test_strings_of_a_binary() -> None:
    """Words are kept once, symbols and noise are not."""
    assert texts.strings(b"\x00cannot open\x00\x01_ZN3foo\x00@8H;p\x00cannot open\x00") == "cannot open"


def test_what_the_page_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """Project, file, versions and where it was found, without markup of its own."""
    results = {"a/b": {"status": "proven", "where": "torch==2.13.0", "wordings": "2/3"}, "a/c": {"status": "reported"}}
    monkeypatch.setattr("hooks.proofs.results", lambda: results)
    assert printed_by({"project": "p<q", "file": "x.cpp", "since": "torch 2.3", "until": "torch 2.13"}) == "p&lt;q, <code>x.cpp</code>, torch 2.3 to torch 2.13"
    assert found("a/b") == "found in torch 2.13.0 (2 of 3 wordings)"
    assert (found("a/c"), found("a/d")) == ("seen in public reports", "")
