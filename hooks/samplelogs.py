# SPDX-License-Identifier: MIT
"""The logs that a reader can try with one click: labelled cases, chosen because each tells another story."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import NamedTuple

CASES = Path(__file__).resolve().parent.parent / "tests" / "cases"


class Sample(NamedTuple):
    """One button of the page."""

    case: str
    title: str
    hint: str


SAMPLES = (
    Sample("pytorch-distributed/39-one-rank-gpu-oom-others-time-out", "Sixteen ranks, NCCL timeouts", "Watchdogs abort on both nodes. One rank failed ten minutes before."),
    Sample("pytorch-distributed/12-fsdp-reduce-vs-allgather-desync", "Ranks out of step", "Same sequence number, two different collectives."),
    Sample("gpu-and-network/06-xid79-then-nvswitch-sxid-storm", "A GPU falls off the bus", "Kernel log: one Xid, then a storm of NVSwitch errors."),
    Sample("serving-and-infra/21-slurm-step-oom-dataloader", "Slurm: oom_kill", "A loader worker vanishes, the step is cancelled."),
    Sample("serving-and-infra/03-vllm-two-instances-one-gpu", "vLLM: engine core failed", "The wrapper hides what happened before it."),
    Sample("training-frameworks/36-neg-ds-loss-scale-settles", "A healthy run", "Overflows and skipped steps that mean nothing."),
)


def publish(assets: Path, cases: Path = CASES) -> list[dict[str, str]]:
    """Write the samples and their list into a site's assets."""
    target = assets / "samples"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    listed = []
    for sample in SAMPLES:
        source = cases / f"{sample.case}.log"
        if not source.is_file():
            raise FileNotFoundError(f"{source} is missing; hooks/samplelogs.py names it as a sample, choose another case there")
        shutil.copyfile(source, target / source.name)
        listed.append({"file": source.name, "title": sample.title, "hint": sample.hint})
    (target / "index.json").write_text(json.dumps(listed, indent=1) + "\n", encoding="utf-8")
    return listed
