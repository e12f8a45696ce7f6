# SPDX-License-Identifier: MIT
"""The command line as people use it: every mistake gets one line that says what to do, and no traceback is ever seen."""

import gzip
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from firstfault import cli
from tests.site_server import ROOT

OOM = ("[rank0]: step 10 loss 2.31\n[rank3]: Traceback (most recent call last):\n[rank3]:   File \"/home/alice/train.py\", line 3, in <module>\n"
       "[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 3 has a total capacity of 79.15 GiB of which 1.00 GiB is free.\n")
HEALTHY = "step 1 loss 2.5\nstep 2 loss 2.4\ntraining finished\n"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log with one fault."""
    path = tmp_path / "train.log"
    path.write_text(OOM)
    return path


def run(*arguments: str, cwd: Path = ROOT, stdin: bytes | None = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The real program in a process of its own."""
    return subprocess.run([sys.executable, "-m", "firstfault", *arguments], input=stdin, capture_output=True, cwd=cwd, timeout=60, check=False,
                          env={**os.environ, "PYTHONPATH": str(ROOT), **environment})


def fails(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Bad use: exit 2, nothing on standard output, one line on standard error."""
    assert cli.main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("firstfault: ") and err.count("\n") == 1
    return err


def test_help_teaches_each_command(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ([], ["diagnose"], ["explain"], ["search"], ["check"], ["bench"]):
        with pytest.raises(SystemExit) as ended:
            cli.main([*arguments, "--help"])
        assert ended.value.code == 0
        told = capsys.readouterr().out
        assert "examples:" in told and "firstfault " + " ".join(arguments) in told


def test_without_a_command_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 2
    assert "firstfault diagnose train.log" in capsys.readouterr().err


def test_a_log_in_the_place_of_a_command_is_told_its_command(log: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert f"`firstfault diagnose {log}`" in fails(capsys, str(log))
    monkeypatch.chdir(log.parent)
    for name in cli.COMMANDS:  # a folder of that name does not take the command away
        (log.parent / name).mkdir()
        with pytest.raises(SystemExit) as ended:
            cli.main([name, "--help"])
        assert ended.value.code == 0
    capsys.readouterr()


def test_files_of_a_folder_that_are_not_read_are_said(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("model.pt", "model.safetensors"):
        (log.parent / name).write_bytes(b"x")
    assert cli.main(["diagnose", str(log.parent)]) == 0
    assert "2 files were not read: by their names they are no logs (.pt, .safetensors)" in " ".join(capsys.readouterr().out.split())


def test_help_imports_nothing_heavy() -> None:
    loaded = subprocess.run([sys.executable, "-X", "importtime", "-m", "firstfault", "--help"], capture_output=True, text=True, cwd=ROOT, check=True).stderr
    ours = set(re.findall(r"firstfault\.(\w+)", loaded))
    assert ours == {"cli"}
    assert not re.search(r"\| +(?:json|pathlib|subprocess|tempfile|asyncio)$", loaded.split("firstfault.cli")[0].split("runpy")[-1], re.MULTILINE)


def test_diagnose_prints_the_contract(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["diagnose", str(log), "--format", "json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["verdict"] == "diagnosed"
    assert result["root"]["entry"] == "cuda-out-of-memory" and result["root"]["rank"] == 3
    assert result["root"]["evidence"][0]["text"] == OOM.split("\n")[3]
    assert result["root"]["evidence"][0]["line"] == 4
    assert result["stats"]["files"] == 1 and result["database"]["entries"] > 0


def test_diagnose_masks_text_by_default(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["diagnose", str(log)])
    assert "/home/<user-1>/train.py" in capsys.readouterr().out
    cli.main(["diagnose", str(log), "--no-mask"])
    assert "/home/alice/train.py" in capsys.readouterr().out
    cli.main(["diagnose", str(log), "--format", "json", "--mask"])
    assert "alice" not in capsys.readouterr().out
    assert "always masked" in fails(capsys, "diagnose", str(log), "--no-mask", "--format", "markdown")


def test_exit_code_is_asked_for(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fine = tmp_path / "fine.log"
    fine.write_text(HEALTHY)
    assert cli.main(["diagnose", str(log)]) == 0
    assert cli.main(["diagnose", str(log), "--exit-code"]) == 1
    assert cli.main(["diagnose", str(fine), "--exit-code"]) == 0
    capsys.readouterr()


def test_standard_input_is_read_with_and_without_a_dash() -> None:
    for arguments in (["diagnose", "-"], ["diagnose"], ["diagnose", "/dev/stdin"]):
        done = run(*arguments, "--format", "json", stdin=OOM.encode())
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["root"]["rank"] == 3


def test_a_folder_and_gzip_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "rank3.log.gz").write_bytes(gzip.compress(OOM.encode()))
    (tmp_path / "run" / "rank0.log").write_text(HEALTHY)
    assert cli.main(["diagnose", str(tmp_path / "run"), "--format", "json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["stats"]["files"] == 2 and result["root"]["entry"] == "cuda-out-of-memory"


def test_a_missing_file_offers_its_neighbours(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    err = fails(capsys, "diagnose", str(log.with_name("trian.log")))
    assert "no such file" in err and "train.log" in err
    assert "does not exist either" in fails(capsys, "diagnose", str(log.parent / "no" / "where.log"))


def test_what_is_no_log_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    noise = tmp_path / "noise"
    noise.write_bytes(random.Random(1).randbytes(100_000))  # noqa: S311
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert "binary data" in fails(capsys, "diagnose", str(noise))
    assert "no file that could be a log" in fails(capsys, "diagnose", str(tmp_path / "empty"))
    assert "program" in fails(capsys, "diagnose", sys.executable)
    assert "symbolic links" in fails(capsys, "diagnose", str(loop))
    assert "device" in fails(capsys, "diagnose", "/dev/zero")
    assert "once" in fails(capsys, "diagnose", "-", "-")
    assert "cannot be opened" in fails(capsys, "diagnose", "a\0b")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_refused(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log.chmod(0)
    assert "may not be read" in fails(capsys, "diagnose", str(log))


def test_rights_are_looked_at_before_reading(log: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert "chmod u+r" in fails(capsys, "diagnose", str(log))


@pytest.mark.parametrize("content", [b"", b"\n\n\n", b"\xff"])
def test_an_empty_log_is_said_to_be_empty(content: bytes, log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log.write_bytes(content)
    assert cli.main(["diagnose", str(log)]) == 0
    assert "NOTHING TO DIAGNOSE" in capsys.readouterr().out


def test_noise_around_a_fault_is_no_reason_to_refuse(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log.write_bytes(b"\0" * 20_000 + bytes(range(256)) * 4 + b"\n" + OOM.encode())
    assert cli.main(["diagnose", str(log), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["root"]["entry"] == "cuda-out-of-memory"


def test_names_with_odd_bytes_are_printed_safely(tmp_path: Path) -> None:
    name = os.fsdecode(b"a\x1b[31m\xff\n.log")
    done = run("diagnose", name, cwd=tmp_path)
    assert done.returncode == 2 and b"\x1b" not in done.stderr and done.stderr.count(b"\n") == 1
    (tmp_path / name).write_text(OOM)
    for form in ("text", "markdown", "json"):
        done = run("diagnose", name, "--format", form, cwd=tmp_path)
        assert done.returncode == 0 and b"\x1b" not in done.stdout and b"Traceback (most recent call last):\n  File" not in done.stderr


def test_a_file_whose_name_begins_with_a_dash(tmp_path: Path) -> None:
    (tmp_path / "-x.log").write_text(OOM)
    assert run("diagnose", "--", "-x.log", cwd=tmp_path).returncode == 0


def test_escape_sequences_of_the_log_never_reach_the_terminal(log: Path) -> None:
    log.write_text(OOM.replace("CUDA out", "\x1b]52;c;aGk=\x07\x1b[2J\x9bCUDA\u202e out"))
    done = run("diagnose", str(log), FORCE_COLOR="1", NO_COLOR="")
    bare = re.sub(rb"\x1b\[[0-9;]{1,5}m", b"", done.stdout)
    assert done.returncode == 0 and b"\x1b[" in done.stdout
    assert not re.search(rb"[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80\xae", bare)


def test_colour_follows_the_conventions(log: Path) -> None:
    assert b"\x1b" not in run("diagnose", str(log)).stdout
    assert b"\x1b[" in run("diagnose", str(log), FORCE_COLOR="1", NO_COLOR="").stdout
    assert b"\x1b" not in run("diagnose", str(log), FORCE_COLOR="1", NO_COLOR="1").stdout
    assert b"\x1b" not in run("diagnose", str(log), "--no-color", FORCE_COLOR="1", NO_COLOR="").stdout


def test_on_a_terminal_there_is_colour_and_the_width_is_kept(log: Path) -> None:
    import pty

    main, side = pty.openpty()
    environment = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR", "TERM")}
    environment |= {"TERM": "xterm", "COLUMNS": "60", "PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, "-m", "firstfault", "diagnose", str(log)], stdout=side, stderr=subprocess.PIPE, env=environment) as process:
        os.close(side)
        shown = b""
        try:
            while piece := os.read(main, 4096):
                shown += piece
        except OSError:  # Linux says so when the other side is closed
            pass
        os.close(main)
    assert process.returncode == 0 and b"\x1b[1;31m" in shown
    rows = re.sub(rb"\x1b\[[0-9;]+m", b"", shown).decode().split("\r\n")
    quoted = [row for row in rows if " | " in row]
    assert quoted and max(map(len, quoted)) <= 60


@pytest.mark.parametrize("environment", [{"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}, {"TERM": "dumb", "COLUMNS": "1"}, {"HOME": "/nonexistent"}])
def test_poor_surroundings_change_no_verdict(log: Path, environment: dict[str, str]) -> None:
    log.write_text(OOM.replace("train.py", "träin\u202e.py"))
    done = run("diagnose", str(log), **environment)
    assert done.returncode == 0 and done.stdout.startswith(b"FIRST FAULT FOUND")


def test_an_early_end_of_the_reader_is_quiet() -> None:
    command = [sys.executable, "-m", "firstfault", "explain", "cuda-out-of-memory"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as process:
        process.stdout.close()
        err = process.stderr.read()
    assert err == b"" and process.returncode == 141


def test_a_full_disk_is_said(log: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([sys.executable, "-m", "firstfault", "diagnose", str(log)], stdout=full, stderr=subprocess.PIPE, cwd=ROOT, check=False)
    assert done.returncode == 2 and done.stderr == b"firstfault: the report could not be written: No space left on device\n"


@pytest.mark.parametrize(("closed", "words"), [("<&-", b"standard input is closed"), (">&-", b"standard output is closed")])
def test_closed_streams_are_said(closed: str, words: bytes) -> None:
    done = subprocess.run(["sh", "-c", f'echo x | "$0" -m firstfault diagnose - {closed}', sys.executable], capture_output=True, cwd=ROOT, check=False)
    assert done.returncode == 2 and words in done.stderr and b"Traceback" not in done.stderr


def unread(pipe: int) -> int:
    """Bytes that wait in a pipe."""
    import fcntl
    import termios

    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)


def test_an_interrupt_ends_at_once_without_a_traceback(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = os.open(tmp_path / "pipe", os.O_RDWR)
    command = [sys.executable, "-m", "firstfault", "diagnose", str(tmp_path / "pipe")]
    # A shell starts what it runs in the background with SIGINT ignored, and a child inherits that.
    listening = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, preexec_fn=listening) as process:
        os.write(writer, OOM.encode())
        # The signal is sent once the program has read what was written: before, the interpreter itself may still be starting.
        deadline = time.monotonic() + 30
        while unread(writer) and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    os.close(writer)
    assert (process.returncode, out, err) == (130, b"", b"")


def test_code_beside_a_log_is_never_imported(tmp_path: Path) -> None:
    for name in ("re", "json", "argparse", "shutil", "firstfault", "pathlib", "difflib"):
        (tmp_path / f"{name}.py").write_text("print('EVIL'); raise SystemExit(66)\n")
    (tmp_path / "train.log").write_text(OOM)
    entry = f"import sys; sys.path[:0] = [{str(ROOT)!r}]; from firstfault.cli import main; sys.exit(main())"
    script = tmp_path.parent / "firstfault-entry"
    script.write_text(entry)
    done = subprocess.run([sys.executable, str(script), "diagnose", "train.log"], capture_output=True, cwd=tmp_path, check=False)
    assert done.returncode == 0 and b"EVIL" not in done.stdout
    (tmp_path / "firstfault.py").unlink()
    done = run("diagnose", "train.log", cwd=tmp_path)
    assert done.returncode == 0 and b"EVIL" not in done.stdout, done.stdout + done.stderr


def test_progress_is_drawn_only_on_a_terminal_and_after_a_while(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from firstfault.progress import Progress

    clock = iter([0.0, 0.5, 1.5, 1.6, 5.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    with Progress(["-"]) as progress:
        progress("a", 1_000_000)
        assert capsys.readouterr().err == ""
        progress("b\x1b", 2_000_000)
        assert capsys.readouterr().err == "\r\x1b[K3.0 MB, 2.0 MB/s  b\\x1b"
        progress("c", 1)
        assert capsys.readouterr().err == ""
    assert capsys.readouterr().err == "\r\x1b[K"


def test_check_needs_a_checkout(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))  # an environment inside a checkout brings its checks along
    assert "no checkout of the encyclopedia" in fails(capsys, "check")
    assert "no such file" in fails(capsys, "check", "nope.yaml")


def test_check_reports_what_is_wrong_from_anywhere_inside(tmp_path: Path) -> None:
    bad = tmp_path / "some-entry.yaml"
    bad.write_text("id: some-entry\ntitel: x\n")
    done = run("check", str(bad), cwd=ROOT / "entries")
    assert done.returncode == 1
    assert re.search(rb"some-entry\.yaml:\d+  ", done.stdout), done.stdout + done.stderr


def test_explain_answers_by_alias_number_and_title(capsys: pytest.CaptureFixture[str]) -> None:
    for name in (["xid-79"], ["79"], ["Xid", "79"], ["xid-79-gpu-fell-off-bus/"]):
        assert cli.main(["explain", *name]) == 0
        assert "xid-79-gpu-fell-off-bus" in capsys.readouterr().out
    assert "close: cuda-out-of-memory" in fails(capsys, "explain", "cuda-out-memory")
    assert "firstfault search" in fails(capsys, "explain", "qqqqqq")


def test_search_takes_a_whole_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["search", OOM.split("\n")[3]]) == 0
    assert "firstfault explain cuda-out-of-memory" in capsys.readouterr().out.split("\n\n")[0]
    assert "give the words" in fails(capsys, "search", " ")


def test_a_damaged_database_is_said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, log: Path) -> None:
    from firstfault import database

    monkeypatch.setattr(database, "FILE", log.parent / "data" / "database.jsonl")
    assert "no compiled database" in fails(capsys, "diagnose", str(log))
