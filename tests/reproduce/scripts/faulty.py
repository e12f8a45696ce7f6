# SPDX-License-Identifier: MIT
"""A small data-parallel training loop on gloo in which one rank fails in a chosen way: FAULT, FAULT_RANK, FAULT_STEP."""
import datetime
import logging
import os
import signal
import sys
import time

import numpy as np
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

FAULT = os.environ.get("FAULT", "none")
CULPRIT = int(os.environ.get("FAULT_RANK", "1"))
STEP = int(os.environ.get("FAULT_STEP", "4"))
STEPS = int(os.environ.get("STEPS", "8"))
logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
log = logging.getLogger("train")


class Records(torch.utils.data.Dataset):
    """Synthetic records; one of them can be broken."""

    def __len__(self) -> int:
        return 4096

    def __getitem__(self, index: int) -> torch.Tensor:
        if FAULT == "worker-exception" and dist.get_rank() == CULPRIT and index > 8 * STEP:
            raise KeyError("tokens")
        if FAULT == "worker-killed" and dist.get_rank() == CULPRIT and index > 8 * STEP:
            os.kill(os.getpid(), signal.SIGKILL)
        return torch.full((8,), float(index % 7))


def fail(rank: int, step: int, model: torch.nn.Module) -> None:
    """Bring about the fault, on the culprit, at its step."""
    if rank != CULPRIT or step != STEP:
        return
    if FAULT == "value":
        raise ValueError(f"record {step * 1000 + 711} of shard {rank} has 3 fields, expected 4")
    if FAULT == "file":
        open(f"/data/corpus/shard-{rank:05d}.bin", "rb")
    if FAULT == "key":
        {"input_ids": 1}["labels"]
    if FAULT == "assert":
        assert step < 0, "batch of rank %d holds no valid token" % rank
    if FAULT == "shape":
        torch.ones(4, 8) @ torch.ones(4, 8)
    if FAULT == "chained":
        try:
            int("0x1g", 16)
        except ValueError as error:
            raise RuntimeError("could not parse the offsets file") from error
    if FAULT == "memory":
        np.ones((1 << 46,), dtype=np.float64)
    if FAULT == "nan":
        raise FloatingPointError(f"loss is nan at step {step}")
    if FAULT == "sigkill":
        os.kill(os.getpid(), signal.SIGKILL)
    if FAULT == "sigsegv":
        os.kill(os.getpid(), signal.SIGSEGV)
    if FAULT == "sigbus":
        os.kill(os.getpid(), signal.SIGBUS)
    if FAULT == "sysexit":
        sys.exit(3)
    if FAULT == "osexit":
        os._exit(1)
    if FAULT == "hang":
        time.sleep(600)
    if FAULT == "disk":
        torch.save({"w": torch.zeros(1 << 22)}, "/small/checkpoint.pt")
    if FAULT == "rename":
        os.rename("out/tmp-checkpoint-4", "out/checkpoint-4")


def step_once(rank: int, step: int, model: torch.nn.Module, optimizer: torch.optim.Optimizer, batch: torch.Tensor) -> float:
    """One step; two faults are in the communication itself."""
    size = 9 if FAULT == "size" and rank == CULPRIT and step == STEP else 8
    if FAULT == "op" and rank == CULPRIT and step == STEP:
        dist.broadcast(torch.ones(8), src=rank)
    elif FAULT == "skip" and rank == CULPRIT and step == STEP:
        log.info("rank %d: empty batch, skipped", rank)
    else:
        dist.all_reduce(torch.ones(size))
    if FAULT == "barrier":
        if rank == CULPRIT and step == STEP:
            time.sleep(600)
        dist.monitored_barrier(timeout=datetime.timedelta(seconds=6))
    loss = model(batch).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return float(loss)


def main() -> None:
    """Train."""
    if FAULT == "import" and int(os.environ["RANK"]) == CULPRIT:
        import flash_attn_not_there  # noqa: F401
    dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=int(os.environ.get("TIMEOUT", "12"))))
    rank = dist.get_rank()
    log.info("rank %d of %d on %s, pid %d", rank, dist.get_world_size(), os.environ.get("NODE", "node-0"), os.getpid())
    torch.manual_seed(0)
    model = DistributedDataParallel(torch.nn.Linear(8, 1), find_unused_parameters=False)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
    workers = 1 if FAULT.startswith("worker") else 0
    loader = iter(torch.utils.data.DataLoader(Records(), batch_size=8, num_workers=workers))
    attempt = int(os.environ.get("TORCHELASTIC_RESTART_COUNT", "0"))
    for step in range(STEPS):
        batch = next(loader)
        if attempt == 0 or os.environ.get("EVERY_ATTEMPT"):
            fail(rank, step, model)
        loss = step_once(rank, step, model, optimizer, batch)
        if rank == 0 or os.environ.get("VERBOSE"):
            log.info("step %d/%d loss %.4f", step + 1, STEPS, loss)
        time.sleep(0.05)
    dist.barrier()
    log.info("rank %d: training finished", rank)
    if FAULT != "no-destroy":
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
