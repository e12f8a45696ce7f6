#!/bin/sh
# SPDX-License-Identifier: MIT
# Compiles the lock files: exact versions for every Python and platform, with hashes, and without the address of any registry.
# Hashes of all files of a release are listed, so one lock serves x86_64 and aarch64.
set -eu
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install -q uv
for group in site test node; do
    # No machine's own configuration (extra indexes, constraints) may leak into what everybody installs.
    UV_NO_CONFIG=1 "$scratch/venv/bin/uv" pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
        --no-emit-index-url --no-emit-find-links --no-header --no-annotate "requirements/$group.in" --output-file "requirements/$group.txt"
done
npm install --package-lock-only --silent
