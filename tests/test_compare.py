# SPDX-License-Identifier: MIT
"""A failed run beside a good one: the first line whose words the good one never says."""
from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from firstfault import compare
from tests.site_server import ROOT

GOOD = """\
2024-10-02 10:00:00 INFO loading /home/ada/runs/one/config.yaml
2024-10-02 10:00:01 INFO rank 0 of 8 on gpu-01
step 1 loss 4.12
step 2 loss 4.05
saved checkpoint to /data/one/ckpt-2
training finished
"""
BAD = """\
2024-11-30 22:10:07 INFO loading /home/bob/other/config.yaml
2024-11-30 22:10:08 INFO rank 3 of 16 on gpu-77
step 1 loss 4.31
node health: ECC page retirement pending
RuntimeError: NCCL communicator was aborted on rank 3
"""


def outcome(good: str, bad: str) -> dict:
    sides = (left := compare.Good(), right := compare.Bad(left))
    for side, text in zip(sides, (good, bad), strict=True):
        side.open("train.log")
        side.feed(text.encode())
        side.close()
    return compare.outcome(left, right)


def test_first_new_line_is_the_first_with_new_words() -> None:
    said = outcome(GOOD, BAD)
    assert (said["first"]["line"], said["first"]["text"]) == (4, "node health: ECC page retirement pending")
    assert said["first_error"]["line"] == 5
    assert said["new_kinds"] == 2


def test_lines_of_the_good_run_that_are_missing_are_listed() -> None:
    assert [row["text"] for row in outcome(GOOD, BAD)["missing"]] == ["saved checkpoint to /data/one/ckpt-2", "training finished"]


def test_numbers_times_paths_and_hosts_do_not_count() -> None:
    said = outcome(GOOD, GOOD.replace("10-02", "11-17").replace("/home/ada", "/home/zoe").replace("gpu-01", "gpu-44").replace("4.1", "9.9"))
    assert said["first"] is None
    assert said["missing"] == []


@pytest.mark.parametrize("text", ["", "\n\n\n", "\x00\x01", "123 456\n"])
def test_nothing_to_say_is_no_error(text: str) -> None:
    assert outcome(GOOD, text)["first"] is None


@pytest.mark.parametrize("piece", ["a" * 4000, "ab1" * 1300, "/" * 4000, "a.b" * 1300, "é" * 2000])
def test_time_is_linear_in_a_line(piece: str) -> None:
    def seconds(times: int) -> float:
        started = time.perf_counter()
        compare.words((piece * times).encode())
        compare.loosely((piece * times).encode())
        return time.perf_counter() - started

    small = min(seconds(50) for _ in range(3))
    assert min(seconds(200) for _ in range(3)) < 12 * small + 0.05


def test_memory_is_bounded_by_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare, "MOST_KINDS", 100)
    letters = "abcdefghijklmnopqrstuvwxyz"
    many = "".join(f"{a}{b} word\n" for a in letters for b in letters)
    good = compare.Good()
    good.open("good.log")
    good.feed(many.encode())
    good.close()
    bad = compare.Bad(good)
    bad.open("bad.log")
    bad.feed(many.encode())
    bad.close()
    assert len(good.kinds) == len(bad.kinds) == 100
    assert any("kinds of lines" in note for note in compare.outcome(good, bad)["notes"])


def test_command_line_says_the_line_and_masks(tmp_path: Path) -> None:
    (tmp_path / "good.log").write_text(GOOD)
    (tmp_path / "bad.log").write_text(BAD.replace("pending", "pending for HF_TOKEN=hf_" + "Ab1" * 12))
    command = [sys.executable, "-m", "firstfault", "compare", str(tmp_path / "good.log"), str(tmp_path / "bad.log")]
    text = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "bad.log:4" in text
    assert "hf_Ab1" not in text
    said = json.loads(subprocess.run([*command, "--format", "json"], cwd=ROOT, capture_output=True, text=True, check=True).stdout)
    assert said["first"]["line"] == 4
