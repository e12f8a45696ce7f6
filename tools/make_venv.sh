#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the virtual environment with the first Python that is new enough, and says what to do when there is none.
set -eu
venv=$1

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

python=
for candidate in ${PYTHON:-python3 python python3.11 python3.12 python3.13 python3.14}; do
    if new_enough "$candidate"; then python=$candidate; break; fi
done
if [ -z "$python" ]; then
    echo "set-up: no Python 3.11 or newer found on PATH; install one, or name it: make PYTHON=/path/to/python3" >&2
    exit 1
fi

# Debian splits venv from Python; as root we may fetch it, otherwise the person has to.
if ! "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then
    package=$("$python" -c 'import sys; print(f"python{sys.version_info[0]}.{sys.version_info[1]}-venv")')
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "set-up: $python has no venv module: installing Debian's $package"
        apt-get update -qq </dev/null
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package" </dev/null >/dev/null
    else
        echo "set-up: $python cannot make virtual environments; install its venv module (Debian: apt-get install $package)" >&2
        exit 1
    fi
fi

"$python" -m venv --clear "$venv"
