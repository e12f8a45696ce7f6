# SPDX-License-Identifier: MIT
"""What safetensors says to a cut file, a Git LFS pointer, an error page and an empty file: python3 safetensors_header.py CASE"""
import pathlib
import sys
import tempfile

import numpy
from safetensors import safe_open
from safetensors.numpy import save_file

CASES = {
    "cut": lambda data: data[:5_000],
    "cut-in-header": lambda data: data[:20],
    "pointer": lambda data: b"version https://git-lfs.github.com/spec/v1\noid sha256:9c1e\nsize 4976698672\n",
    "page": lambda data: b"<!DOCTYPE html><html><head><title>504 Gateway Time-out</title></head></html>",
    "empty": lambda data: b"",
    "zeros": lambda data: bytes(len(data)),
}

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        path = pathlib.Path(scratch) / "model-00002-of-00004.safetensors"
        save_file({"weight": numpy.zeros((64, 64), dtype="float32")}, path)
        path.write_bytes(CASES[sys.argv[1]](path.read_bytes()))
        with safe_open(path, framework="np") as file:
            print(file.keys())
