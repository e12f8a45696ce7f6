# SPDX-License-Identifier: MIT
"""Make real failures on a CPU and keep what they print: `python run.py [NAME...]` with a Python that has torch and numpy.

Each case writes `logs/NAME.log` (console output, nothing added, links to packages taken out) and `logs/NAME.json` (command, versions, exit status).
The scripts are copied to a work directory first, so that the paths in the logs are the same on every machine.
Cases that mount a file system do so in a mount namespace of their own, which needs root.
"""
import argparse
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import time
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from cases import CASES, Case

HERE = Path(__file__).resolve().parent
LOGS = HERE / "logs"
FIRST_PORT = 29700
PACKAGES = [name for name in ("torch", "numpy", "ray", "deepspeed", "transformers", "huggingface_hub") if find_spec(name)]
#: Where to get a package, which some libraries advertise behind its name: it dates, and is no part of a failure.
INDEX_LINK = re.compile(r"\(https://[^)\s/]+/project/[^)\s]*\)")


def environment(case: Case) -> dict[str, str]:
    """The surroundings of a case: the interpreter's folder first on the path, plain messages, no colours."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    kept = {name: value for name, value in os.environ.items() if name in ("HOME", "LANG", "TMPDIR")}
    return {**kept, "PATH": path, "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1", **case.env}


def console(command: str, case: Case, work: Path) -> tuple[str, int | None]:
    """Run a command in its own process group; its output and exit status, None when it ran past its limit."""
    shell = f"{case.setup} && exec {command}" if case.setup else f"exec {command}"
    apart = ["unshare", "--mount"] if case.setup else []
    process = subprocess.Popen([*apart, "bash", "-c", shell], cwd=work, env=environment(case), stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, start_new_session=True)
    try:
        output, _ = process.communicate(timeout=case.limit)
        status: int | None = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        status = None
    return output.decode("utf-8", "replace"), status


def keep_files(case: Case, work: Path) -> list[str]:
    """Copy the files that a case leaves besides its console output."""
    kept = []
    for pattern in case.keeps:
        for source in sorted(path for path in work.glob(pattern) if path.is_file()):
            target = LOGS / case.name / source.relative_to(work)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
            kept.append(str(target.relative_to(LOGS)))
    return kept


def run(case: Case, number: int, work: Path) -> list[str]:
    """Run one case and write its log; the expected words that it did not print."""
    shutil.rmtree(work, ignore_errors=True)
    shutil.rmtree(LOGS / case.name, ignore_errors=True)
    shutil.copytree(HERE / "scripts", work, ignore=shutil.ignore_patterns("__pycache__"))
    (work / "fr").mkdir()
    command = case.command.replace("{port}", str(FIRST_PORT + number))
    begun = time.monotonic()
    text, status = console(command, case, work)
    (LOGS / f"{case.name}.log").write_text(INDEX_LINK.sub("", text), encoding="utf-8")
    about = {"command": command, "env": case.env, "setup": case.setup, "exit": status, "seconds": round(time.monotonic() - begun, 1),
             "versions": {"python": platform.python_version(), **{name: version(name) for name in PACKAGES}},
             "files": keep_files(case, work)}
    (LOGS / f"{case.name}.json").write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")
    missing = [words for words in case.expects if words not in text]
    return missing + (["an end before the limit"] if status is None else [])


def main() -> int:
    """Run the named cases, or all; 1 when a signature changed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="cases to run (all when none is named)")
    parser.add_argument("--list", action="store_true", help="print the names and end")
    parser.add_argument("--work", type=Path, default=Path("/opt/train"), help="work directory, emptied first (%(default)s)")
    options = parser.parse_args()
    unknown = set(options.names) - {case.name for case in CASES}
    if unknown:
        parser.error(f"no such case: {', '.join(sorted(unknown))}; --list prints them all")
    LOGS.mkdir(exist_ok=True)
    changed = 0
    for number, case in enumerate(CASES):
        if options.list:
            print(case.name)
        elif not options.names or case.name in options.names:
            missing = run(case, number, options.work)
            changed += bool(missing)
            print(f"{case.name}: " + (f"CHANGED, not seen: {missing}" if missing else "as expected"), flush=True)
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
