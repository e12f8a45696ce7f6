# SPDX-License-Identifier: MIT
"""A large log is read at the speed of bytes, not of lines: measured against what no reader of it can do without."""
import subprocess
import sys
from pathlib import Path
from time import process_time

import pytest

from firstfault.database import Database
from firstfault.diagnose import diagnose_paths
from hooks.compiling import compile_database, usable
from hooks.load import ENTRIES, ROOT, load_folder

sys.path.insert(0, str(ROOT / "tests" / "speed"))
import logs

#: Times that one pass of the primitives may be taken: about 5 are measured on log A and 9 on log U of 10 MB.
MOST = {"A": 15, "U": 30}

#: Modules that take long to import and that a first verdict does without; each was there once.
LATE = {
    "argparse", "asyncio", "bz2", "dataclasses", "difflib", "firstfault.archives", "firstfault.draft", "firstfault.masking", "inspect", "ipaddress", "lzma", "pathlib",
    "shutil", "tarfile", "tempfile", "threading", "traceback", "zipfile",
}


@pytest.fixture(scope="module")
def database() -> Database:
    return Database(compile_database(usable(load_folder(ENTRIES, ROOT)[0])[0]))


def primitive(data: bytes) -> float:
    """Processor seconds of deleting some bytes, splitting into lines and telling the distinct ones."""
    started = process_time()
    len(set(data.translate(None, b"0123456789abcdef").split(b"\n")))
    return process_time() - started


@pytest.mark.parametrize("kind", ["A", "U"])
def test_speed_of_bytes(kind: str, database: Database, tmp_path: Path) -> None:
    log = tmp_path / f"{kind}10.log"
    logs.write(kind, 10, log)
    data = log.read_bytes()
    ratios = []
    for _ in range(3):
        reference = primitive(data)
        started = process_time()
        result = diagnose_paths([log], database)
        ratios.append((process_time() - started) / reference)

    assert result["verdict"] == "diagnosed" and result["root"]["entry"] == "cuda-out-of-memory"
    assert result["stats"]["bytes"] == len(data) and result["stats"]["lines"] == data.count(b"\n")
    assert min(ratios) < MOST[kind]


def test_what_is_imported_before_the_first_verdict_in_a_browser() -> None:
    code = "import firstfault.browser as b; b.start(); b.begin(); b.open('a.log'); b.feed(b'hello\\n'); b.close(); b.result(); import sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-S", "-E", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) & LATE == set()
