# SPDX-License-Identifier: MIT
"""Reports: everything a reader needs is there, each verdict says what it is, and nothing in a log can act on who reads it."""

import copy
import json
import re
import time
from typing import Any

import pytest

from firstfault import phrases, report
from firstfault.report_markdown import code, fence, quiet
from firstfault.terminal import Style, visible

LINE = "[rank2]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 336.00 MiB."
RESULT: dict[str, Any] = {
    "verdict": "diagnosed",
    "root": {
        "entry": "cuda-out-of-memory", "kind": "failure", "title": "CUDA out of memory", "family": "cuda-memory", "layer": "process", "rank": 2,
        "local_rank": 0, "host": "train-0-w-0", "time": "2026-11-30 12:00:00", "label": None, "count": 1, "ranks": [2], "explains": 14,
        "summary": "A rank asked for more memory than the GPU had left.", "first_step": "Read which **rank** ran out.",
        "root_cause": "One step's peak exceeded the card.",
        "evidence": [{"file": "/home/alice/run/train.log", "line": 26, "text": LINE, "rank": 2}],
        "context": [{"line": 25, "text": "[rank2]:     ret = input.softmax()"}, {"line": 26, "text": LINE},
                    {"line": 27, "text": "train-0-w-0:21842:22716 [2] NCCL INFO Connection closed by localRank 2"}],
        "fix": [{"do": "Lower the batch size.", "command": None, "cost": "Throughput"},
                {"do": "Reset the card.", "command": "nvidia-smi --gpu-reset -i 0", "root": True, "destructive": True}],
        "verify": {"command": "nvidia-smi -l 5", "expected": "it stays under the card's size", "otherwise": "a neighbour holds memory"},
        "restart": {"helps": "no", "resume_from": "the last checkpoint"}, "url": "cuda-out-of-memory/",
    },
    "alternatives": [{"entry": "nccl-watchdog-timeout", "title": "NCCL watchdog timeout", "for": ["five ranks report it"],
                      "against": ["rank 2 failed before"]}],
    "consequences": [
        {"entry": "nccl-watchdog-timeout", "title": "NCCL watchdog timeout", "role": "consequence", "count": 1023, "ranks": [*range(2), *range(3, 1024)],
         "hosts": [], "evidence": [{"file": "/home/alice/run/train.log", "line": 31, "text": "[rank5]: Watchdog", "rank": 5}]},
        {"entry": "torchrun-exitcode-6-sigabrt", "title": "torchrun: exit code -6", "role": "wrapper", "count": 1, "ranks": [], "hosts": ["train-0-w-0"],
         "evidence": [{"file": "/home/alice/run/train.log", "line": 80, "text": "ChildFailedError:", "rank": None}]},
    ],
    "benign": [{"entry": "libaio", "title": "libaio is missing", "count": 8, "evidence": [], "why": "async_io is not used"}],
    "recovered": [{"entry": "tcp", "title": "Connection refused", "count": 2, "evidence": []}],
    "others": [{"entry": "disk", "title": "No space left on device", "rank": 7, "evidence": [{"file": "/home/alice/run/b.log", "line": 9, "text": "x"}]}],
    "collect": [{"what": "Who holds the card", "command": "nvidia-smi", "separates": "a neighbour from your own step",
                 "rerun": True, "root": False, "slows": False}],
    "events": [{"line": 26, "file": "/home/alice/run/train.log", "role": "root", "time": 1000.0, "rank": 2, "text": LINE},
               {"line": 31, "file": "/home/alice/run/train.log", "role": "consequence", "time": 2800.0, "rank": 5, "text": "[rank5]: Watchdog"}],
    "ranks": {"seen": [0, 1, 2, 3], "world_size": 16, "missing": [4, 5, 6, 9]}, "attempts": 2,
    "why": ["Rank 2 reports first."], "counterfactual": "Without line 26 the verdict would be nccl-watchdog-timeout.",
    "unexplained": [{"file": "/home/alice/run/train.log", "line": 50, "text": "odd thing", "rank": 0}], "notes": ["b.log: 3 bytes were not UTF-8"],
    "stats": {"files": 2, "lines": 104, "bytes": 21_000, "seconds": 0.02}, "database": {"entries": 47, "version": "abc123abc123"},
}


def with_line(text: str, **root: Any) -> dict[str, Any]:
    """The result with another decisive line."""
    result = copy.deepcopy(RESULT)
    result["root"]["evidence"][0]["text"] = text
    result["root"].update(root)
    return result


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_everything_a_reader_needs_is_there(form: str) -> None:
    told = report.render(RESULT, form)
    for words in (
        "CUDA out of memory", "rank 2 (local rank 0) on", "2026-11-30 12:00:00", "train.log:26", "Tried to allocate 336.00 MiB", "ret = input.softmax()",
        "Rank 2 reports first.", "Without line 26", "14 lines", "x1,023", "1,023 ranks (0-1,3-1023)", "wrapper", "harmless", "async_io is not used",
        "recovered", "No space left on device", "rank 7", "b.log:9", "five ranks report it", "Lower the batch size.", "nvidia-smi --gpu-reset -i 0",
        "needs administrator rights", "Throughput", "nvidia-smi -l 5", "a neighbour holds memory", "No, it would fail again", "the last checkpoint",
        "Who holds the card", "needs another run", "odd thing", "3 bytes were not UTF-8", "2 attempts", "4 ranks seen of 16", "ranks 4-6,9",
        "firstfault explain cuda-out-of-memory", "8.0 GPU-hours", "2 files, 104 lines, 21 kB",
    ):
        assert words in " ".join(told.split()), words


@pytest.mark.parametrize(("verdict", "words"), [
    ("needs-evidence", "does not hold its cause"), ("unrecognised", "no entry describes"),
    ("no-failure", "No failure found"), ("diagnosed", "First fault found")])
@pytest.mark.parametrize("form", ["text", "markdown"])
def test_each_verdict_says_what_it_is(verdict: str, words: str, form: str) -> None:
    result = {**RESULT, "verdict": verdict, "root": RESULT["root"] if verdict == "diagnosed" else None}
    told = report.render(result, form)
    assert words.lower() in told.lower()
    assert ("FIRST FAULT  " in told or "**First fault:**" in told) == (verdict == "diagnosed")


def test_an_unrecognised_failure_is_called_by_its_own_words() -> None:
    words = "ValueError: odd @team #12"
    result = with_line(words, entry=None, title=words, label=words, fix=[], verify=None, restart=None)
    result["verdict"] = "unrecognised"
    assert "ValueError: odd" in report.render(result, "text")
    assert "### A failure that no entry describes yet: `ValueError: odd @team #12`" in report.render(result, "markdown")


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_without_a_first_fault_the_lines_that_are_there_are_shown(form: str) -> None:
    suspects = [{"entry": "torchrun-exitcode-9-sigkill", "title": "A rank was killed by SIGKILL", "url": "x/"}]
    told = report.render({**RESULT, "verdict": "needs-evidence", "root": None, "suspects": suspects}, form)
    assert "ChildFailedError:" in told and "train.log:80" in told
    assert "A rank was killed by SIGKILL" in told and "firstfault explain torchrun-exitcode-9-sigkill" in told


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_closest_entries_are_told_with_what_keeps_them_from_fitting(form: str) -> None:
    closest = [{"entry": "nfs-stale", "title": "A stale NFS handle", "url": "x/", "shares": ["ESTALE"], "why": "this error does not say “Stale file handle”"}]
    told = report.render({**RESULT, "verdict": "unrecognised", "closest": closest}, form)
    assert "A stale NFS handle" in told and "firstfault explain nfs-stale" in told and "does not say “Stale file handle”" in told


def test_a_result_of_the_barest_kind_is_rendered() -> None:
    bare = {"verdict": "no-failure", "root": None}
    assert report.render(bare, "text").startswith("NO FAILURE FOUND")
    assert report.render(bare, "markdown").startswith("### No failure found")


@pytest.mark.parametrize("width", [40, 80, 100])
def test_text_fits_the_width(width: int) -> None:
    long = with_line(LINE * 9)
    rows = [row for row in report.render(long, "text", width=width).split("\n") if "nvidia-smi" not in row]
    assert max(map(len, rows)) <= width


def test_the_decisive_line_is_marked_and_whole() -> None:
    told = report.render(with_line("x" * 300 + " end"), "text", width=80)
    assert re.search(r"^  > 26 \| x+$", told, re.MULTILINE)
    assert "".join(re.findall(r"\| (.*)", told)).count("x") >= 300
    assert "x ...(cut)" in report.render(with_line("x" * 5000), "markdown")


def test_a_result_full_of_huge_lines_is_rendered_in_no_time() -> None:
    result = with_line("key: value " * 90_000)
    result["unexplained"] = [{"file": "a.log", "line": n, "text": "token=x /home/a " * 60_000, "rank": None} for n in range(50)]
    started = time.process_time()
    for form in ("text", "markdown"):
        assert len(report.render(result, form)) < 40_000
    assert time.process_time() - started < 8


def test_text_is_masked_unless_told_otherwise() -> None:
    hidden, shown = report.render(RESULT, "text"), report.render(RESULT, "text", masked=False)
    assert "train-0-w-0" not in hidden and "<host-1>:21842:22716 [2] NCCL" in hidden
    assert "Masked: 1 host name. --no-mask shows them." in hidden
    assert "train-0-w-0:21842" in shown and "Masked" not in shown


def test_json_is_the_contract_unless_masked() -> None:
    assert json.loads(report.render(RESULT, "json")) == RESULT
    masked = json.loads(report.render(RESULT, "json", masked=True))
    assert "train-0-w-0" not in json.dumps(masked) and "alice" not in json.dumps(masked)
    assert masked["root"]["host"] == "<host-1>" and masked["consequences"][1]["hosts"] == ["<host-1>"]
    assert masked["root"]["evidence"][0]["file"] == "/home/<user-1>/run/train.log"
    assert masked["verdict"] == "diagnosed" and masked["stats"] == RESULT["stats"]


def test_masking_reaches_every_field_of_the_log_and_spares_the_encyclopedia() -> None:
    canary = "robot" + "7f3" + "@corp.example.net"
    result = copy.deepcopy(RESULT)
    result["root"]["fix"][0]["do"] = "Write to help@project.example.org"

    encyclopedia = ("fix verify restart collect title summary first_step root_cause entry family layer kind role url verdict database").split()

    def plant(value: Any, name: str = "") -> Any:
        if name in encyclopedia:
            return value
        if isinstance(value, dict):
            return {key: plant(item, key) for key, item in value.items()}
        if isinstance(value, list):
            return [plant(item, name) for item in value]
        return f"{value} {canary}" if isinstance(value, str) else value

    for form in report.FORMATS:
        told = report.render(plant(result), form, masked=True)
        assert canary not in told
        assert "help@project.example.org" in told


def test_a_title_that_is_log_text_is_masked() -> None:
    result = with_line("x", entry=None, title="ValueError: no route to 10.1.2.3", label="ValueError: no route to 10.1.2.3")
    for form in report.FORMATS:
        assert "10.1.2.3" not in report.render(result, form, masked=True)


def test_markdown_has_no_unmasked_form() -> None:
    assert "train-0-w-0" not in report.render(RESULT, "markdown", masked=False)


def test_no_escape_sequence_of_a_log_is_printed() -> None:
    hostile = "\x1b]0;title\x07\x1b[2J\x9b31m\u202egnp.exe\u200b\udc80\u2028" + "e" + "\u0301" * 50
    for form in report.FORMATS:
        for style in (Style(False), Style(True)):
            told = report.render(with_line(hostile), form, masked=False, style=style)
            bare = re.sub("\x1b\\[[0-9;]{1,5}m", "", told)
            assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2028\ud800-\udfff]", bare)
            assert "\u0301" * 4 not in bare
    assert visible("a\x1b[31m\u202e") == "a\\x1b[31m\\u202e"


def test_colour_is_only_ours_and_only_when_asked() -> None:
    assert "\x1b" not in report.render(RESULT, "text")
    painted = report.render(RESULT, "text", style=Style(True))
    assert re.sub("\x1b\\[[0-9;]{1,5}m", "", painted) == report.render(RESULT, "text")
    assert "\x1b[" in painted


@pytest.mark.parametrize("attack", [
    "```\n@everyone", "````` @team", "fixes #12", "closes https://github.com/o/r/issues/7", "![x](https://evil.example/p.png)", "[x](javascript:alert(1))",
    "</details><img src=x onerror=alert(1)>", "<!-- ", "a | b | c", "GH-12 o/r#9", "`` ` ```", "- [ ] task", "# head", "&lt;b&gt;"])
def test_markdown_keeps_log_text_inside_code(attack: str) -> None:
    result = with_line(attack, label=attack, title=attack, entry=None, host=attack)
    result["why"] = [attack]
    result["notes"] = [attack]
    result["consequences"][0] |= {"entry": None, "title": attack, "hosts": [attack]}
    markdown = report.render(result, "markdown")
    outside = strip_code(markdown)
    assert not re.search(r"@(?:everyone|team)|#\d|GH-\d|github\.com/o/r/issues|<img|</details|<!--|!\[|javascript:", outside), outside


def strip_code(markdown: str) -> str:
    """Markdown without its fences and code spans, found as CommonMark finds them."""
    kept: list[str] = []
    closing = ""
    for line in markdown.split("\n"):
        mark = re.match(r"\s*(`{3,})", line)
        if closing:
            if mark and len(mark[1]) >= len(closing) and not line.strip().strip("`"):
                closing = ""
            continue
        if mark and "`" not in line.strip().lstrip("`"):
            closing = mark[1]
            continue
        kept.append(line)
    assert not closing, "a fence is left open"
    return re.sub(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", "", "\n".join(kept), flags=re.DOTALL)


def test_markdown_renders_as_code_in_a_real_renderer() -> None:
    import markdown as renderer

    html = renderer.markdown(report.render(with_line("</code></pre><script>alert(1)</script> ``` @team"), "markdown"), extensions=["fenced_code"])
    assert "<script" not in html and "&lt;script&gt;" in html


def test_code_and_fence_hold_any_run_of_backticks() -> None:
    assert code("a `b` c") == "``a `b` c``"
    assert code("`") == "`` ` ``"
    assert fence(["````", "x"]).split("\n")[0] == "`````text"
    assert quiet("see `#1` and #2") == "see `#1` and `#2`"


@pytest.mark.parametrize(("numbers", "expected"), [
    ([3], "3"), ([0, 1, 2, 3, 7], "0-3,7"), ([7, 0, 1, 1], "0-1,7"), (range(0, 60, 2), "0,2,4,6,8,10,12,14,16,18,20,22 and 18 more"), ([], "")])
def test_ranks_are_compressed(numbers: list[int], expected: str) -> None:
    assert phrases.ranges(numbers) == expected


def test_files_lose_the_folder_they_share() -> None:
    short = phrases.short_names(RESULT)
    assert short["root"]["evidence"][0]["file"] == "train.log"
    assert short["others"][0]["evidence"][0]["file"] == "b.log"
    assert RESULT["root"]["evidence"][0]["file"] == "/home/alice/run/train.log"
    told = phrases.short_names({**RESULT, "why": ["Line 26 of /home/alice/run/train.log is first."]})
    assert told["why"] == ["Line 26 of train.log is first."]
    both = phrases.short_names({"a": {"file": "run/0/err.log"}, "b": {"file": "run/1/err.log"}})
    assert [both["a"]["file"], both["b"]["file"]] == ["0/err.log", "1/err.log"]


def test_lost_hours_need_times_and_ranks() -> None:
    assert phrases.lost_time(RESULT).startswith("30 minutes passed")
    assert phrases.lost_time({**RESULT, "events": []}) == ""
    assert phrases.lost_time({**RESULT, "ranks": {"seen": [], "world_size": None}}) == ""
