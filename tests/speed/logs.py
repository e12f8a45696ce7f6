# SPDX-License-Identifier: MIT
"""Synthetic logs for the speed measurements, equal on every machine: `python logs.py A 100 FILE [SIGNALS]`.

A: 64 interleaved ranks with NCCL lines, progress bars, colours, warnings, benign tracebacks, JSON, hashes and text
samples, strongly repetitive.  U: the same with a quarter of source-text lines, weakly repetitive.  Forty lines of
known signatures stand at the end.  The size is in MB (10**6 bytes).
"""
from __future__ import annotations

import io
import random
import sys
from collections.abc import Iterator
from pathlib import Path

WORDS = (
    "the model reads tokens from every shard and keeps a buffer of recent samples while workers prefetch batches into pinned memory for the next step of training "
    "gradient norm clipped value scale optimizer state partition layer attention head query projection embedding vocabulary padding sequence length mask causal rotary"
).split()
SOURCE = tuple(line for path in sorted(Path(random.__file__).parent.glob("*.py"))[:120] for line in path.read_text(encoding="utf-8", errors="replace").splitlines() if len(line) > 12)
PLANTED = 40


def bar(rng: random.Random, rank: int) -> str:
    """A progress bar, rewritten a few times."""
    done = rng.randrange(100)
    return "\r".join(f"Rank {rank}: {percent:3d}%|{'█' * (percent // 10):<10}| {percent * 12}/1200 [{percent // 60:02d}:{percent % 60:02d}<11:{percent % 60:02d}, 1.{percent % 10}7it/s]" for percent in range(done, done + 3))


def line(rng: random.Random, step: int, kind: str) -> str:
    """One line of a healthy run."""
    rank = rng.randrange(64)
    choice = rng.random()
    if kind == "U" and choice < 0.25:
        return f"[rank{rank}]: {rng.choice(SOURCE)} # {rng.randrange(10**6)}{rng.choice(WORDS)}"
    choice = rng.random()
    if choice < 0.22:
        return f"node-{rank // 8}:{4000 + rank}:{5000 + rank} [{rank % 8}] NCCL INFO Channel {rng.randrange(32):02d}/0 : {rank}[{rank % 8}] -> {(rank + 1) % 64}[{(rank + 1) % 8}] via NET/IB/{rank % 8}/GDRDMA"
    if choice < 0.36:
        return bar(rng, rank)
    if choice < 0.58:
        return f"[rank{rank}]: \x1b[32m2026-03-01 10:{step // 60 % 60:02d}:{step % 60:02d},{rng.randrange(1000):03d}\x1b[0m INFO step {step} loss {rng.random() * 3:.4f} lr 3.0e-04 grad_norm {rng.random():.3f} tokens/s {rng.randrange(9000, 12000)}"
    if choice < 0.70:
        return f'{{"time": "2026-03-01T10:{step // 60 % 60:02d}:{step % 60:02d}Z", "rank": {rank}, "span": "{rng.getrandbits(64):016x}", "name": "forward", "ms": {rng.random() * 100:.3f}}}'
    if choice < 0.80:
        return f"[default{rank % 8}]:sha256:{rng.getrandbits(256):064x} shard-{rng.randrange(1000):05d}.tar verified"
    if choice < 0.90:
        return f"[rank{rank}]: sample {rng.randrange(10**6)}: {' '.join(rng.choice(WORDS) for _ in range(6))}" if rng.random() < 0.1 else f"[rank{rank}]: sample {rng.randrange(10**6)}: {' '.join(WORDS[:9])}"
    if choice < 0.97:
        return f"[rank{rank}]:/opt/venv/lib/python3.11/site-packages/torch/utils/checkpoint.py:{rng.randrange(10, 90)}: UserWarning: the use_reentrant parameter should be passed explicitly"
    return f"[rank{rank}]: retrying the read of shard {rng.randrange(1000)}\n" + "\n".join(f"[rank{rank}]: {text}" for text in ("Traceback (most recent call last):", '  File "/opt/data/reader.py", line 88, in fetch', "    return self.get(key)", "TransientReadError: shard busy, trying again"))


def planted(number: int) -> str:
    """One of the lines that a diagnosis must find."""
    rank = number % 64
    return (
        f"[rank{rank}]: torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate {number}.00 MiB. GPU 0 has a total capacity of 79.15 GiB of which 141.25 MiB is free.",
        f"[rank{rank}]:[E814 07:25:18.110000000 ProcessGroupNCCL.cpp:607] [Rank {rank}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=15734, OpType=ALLREDUCE, NumelIn=2, NumelOut=2, Timeout(ms)=600000) ran for 600037 milliseconds before timing out.",
        f"E0814 07:25:25.902000 1398 torch/distributed/elastic/multiprocessing/api.py:826] failed (exitcode: -6) local_rank: {rank % 8} (pid: {2000 + rank}) of binary: /opt/conda/bin/python",
        "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ",
    )[number % 4]


def pieces(kind: str, size: int, seed: int = 7) -> Iterator[bytes]:
    """The log in pieces of about 1 MB; the planted lines stand at its end."""
    rng = random.Random(f"{kind}{seed}")  # noqa: S311 - not cryptography
    end = b"".join(f"{planted(number)}\n".encode() for number in range(PLANTED))
    written, step = 0, 0
    while written < size - len(end):
        out = io.StringIO()
        while out.tell() < min(1_000_000, size - len(end) - written):
            for _ in range(200):
                out.write(line(rng, step, kind))
                out.write("\n")
            step += 1
        data = out.getvalue().encode()
        written += len(data)
        yield data
    yield end


def write(kind: str, megabytes: int, path: Path) -> None:
    """Write a log, unless it is already there."""
    if path.exists() and path.stat().st_size >= megabytes * 1_000_000:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as out:
        for data in pieces(kind, megabytes * 1_000_000):
            out.write(data)


if __name__ == "__main__":
    write(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))
