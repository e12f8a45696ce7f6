# SPDX-License-Identifier: MIT
"""Make the labelled multi-rank cases of tests/cases/multirank: `unshare --mount python multirank.py [NAME...]` with a Python that has torch.

Every case is a real run of scripts/faulty.py under one or two torchrun agents on this machine; the label follows
from the fault that was injected.  `form` says what a user would hand in: the console, the console with `--tee`, the
`--log-dir` tree, or the tree beside the consoles.  Hosts of two agents are told apart by UTS namespaces where root allows.
"""
import argparse
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
OUT = HERE.parent / "cases" / "multirank"
WORK = Path("/opt/run")


@dataclass
class Run:
    """One run: its fault, where it is injected, and how the output is kept."""

    name: str
    fault: str
    initiating: str | None
    rank: int | None = 1
    nodes: int = 1
    per_node: int = 3
    form: str = "console"
    env: dict[str, str] = field(default_factory=dict)
    restarts: int = 0
    alternatives: tuple[str, ...] = ()
    collateral: tuple[str, ...] = ()
    title: str = ""
    cause: str = ""
    must: tuple[str, ...] = ()


PEER = ("Connection closed by peer", "Connection reset by peer")
CHILD = "torch.distributed.elastic.multiprocessing.errors.ChildFailedError"
RUNS = [
    Run("value-error-tee", "value", "ValueError: record 4711 of shard 1 has 3 fields", form="tee", cause="data-record-malformed"),
    Run("value-error-tree", "value", "ValueError: record 4711 of shard 1 has 3 fields", form="tree", cause="data-record-malformed"),
    Run("file-missing-second-node", "file", "FileNotFoundError: [Errno 2] No such file or directory: '/data/corpus/shard-00003.bin'", rank=3, nodes=2, per_node=2, form="consoles", cause="data-file-missing-on-node"),
    Run("file-missing-second-node-tree", "file", "FileNotFoundError: [Errno 2] No such file or directory: '/data/corpus/shard-00003.bin'", rank=3, nodes=2, per_node=2, form="tree", cause="data-file-missing-on-node"),
    Run("key-error-tree", "key", "KeyError: 'labels'", rank=2, form="tree", cause="data-key-missing"),
    Run("assertion-tee-two-nodes", "assert", "AssertionError: batch of rank 2 holds no valid token", rank=2, nodes=2, per_node=2, form="tee", cause="data-assertion"),
    Run("matmul-shape", "shape", "RuntimeError: mat1 and mat2 shapes cannot be multiplied", rank=0, cause="shape-mismatch-in-model"),
    Run("chained-parse-error", "chained", "ValueError: invalid literal for int() with base 16", rank=2, form="tree", alternatives=("RuntimeError: could not parse the offsets file",), cause="data-offsets-unreadable"),
    Run("host-memory-array", "memory", "Unable to allocate 512. TiB for an array", cause="host-memory-allocation", alternatives=("_ArrayMemoryError",)),
    Run("nan-loss-tee", "nan", "FloatingPointError: loss is nan at step 4", rank=0, form="tee", cause="loss-nan"),
    Run("sigkill-two-nodes", "sigkill", "failed (exitcode: -9) local_rank: 1", rank=3, nodes=2, per_node=2, form="consoles", cause="process-killed", alternatives=("exitcode  : -9",)),
    Run("sigkill-tee", "sigkill", "failed (exitcode: -9) local_rank: 0", rank=0, form="tee", cause="process-killed", alternatives=("exitcode  : -9",)),
    Run("sigkill-both", "sigkill", "failed (exitcode: -9) local_rank: 2", rank=2, form="both", cause="process-killed", alternatives=("exitcode  : -9",)),
    Run("sigsegv-both", "sigsegv", "failed (exitcode: -11) local_rank: 1", form="both", cause="process-segfault", alternatives=("exitcode  : -11",)),
    Run("sigbus-console", "sigbus", "failed (exitcode: -7) local_rank: 2", rank=2, cause="process-sigbus", alternatives=("exitcode  : -7",)),
    Run("sys-exit-console", "sysexit", "failed (exitcode: 3) local_rank: 1", cause="process-exit", alternatives=("exitcode  : 3",)),
    Run("os-exit-two-nodes", "osexit", "failed (exitcode: 1) local_rank: 0", rank=2, nodes=2, per_node=2, form="consoles", cause="process-exit", alternatives=("exitcode  : 1",)),
    Run("size-mismatch-console", "size", "op.preamble.length <= op.nbytes", rank=None, cause="collective-size-mismatch", alternatives=("is there a distributed collective mismatch", "Is there a distributed collective mismatch")),
    Run("monitored-barrier-tee", "barrier", "Rank 2 failed to pass monitoredBarrier", rank=2, form="tee", cause="rank-missed-barrier", alternatives=("[Rank 0]: Ranks 2 failed to pass monitoredBarrier", "Ranks 2 failed to pass")),
    Run("import-error-one-rank", "import", "ModuleNotFoundError: No module named 'flash_attn_not_there'", rank=2, form="tee", cause="module-missing-on-one-rank"),
    Run("import-error-tree", "import", "ModuleNotFoundError: No module named 'flash_attn_not_there'", rank=1, nodes=2, per_node=2, form="tree", cause="module-missing-on-one-rank"),
    Run("loader-worker-exception", "worker-exception", "KeyError: 'tokens'", rank=1, form="tee", cause="dataset-exception-in-worker", alternatives=("Caught KeyError in DataLoader worker process 0",)),
    Run("loader-worker-exception-tree", "worker-exception", "KeyError: 'tokens'", rank=0, form="tree", cause="dataset-exception-in-worker", alternatives=("Caught KeyError in DataLoader worker process 0",)),
    Run("loader-worker-killed", "worker-killed", "is killed by signal: Killed", rank=2, form="tee", cause="dataloader-worker-killed", alternatives=("exited unexpectedly",)),
    Run("disk-full-save", "disk", "unexpected pos", rank=0, form="tee", cause="disk-full", alternatives=("basic_ios::clear: iostream error", "No space left on device", "file write failed")),
    Run("rename-missing-tree", "rename", "FileNotFoundError: [Errno 2] No such file or directory: 'out/tmp-checkpoint-4' -> 'out/checkpoint-4'", rank=2, nodes=2, per_node=2, form="tree", cause="checkpoint-rename-race"),
    Run("repeats-over-restarts", "value", "ValueError: record 4711 of shard 2 has 3 fields", rank=2, restarts=2, form="tee", env={"EVERY_ATTEMPT": "1"}, cause="data-record-malformed"),
    Run("repeats-over-restarts-tree", "key", "KeyError: 'labels'", rank=0, restarts=1, form="both", env={"EVERY_ATTEMPT": "1"}, cause="data-key-missing"),
    Run("skip-timeout-tee", "skip", "rank 1: empty batch, skipped", rank=1, form="tee", env={"VERBOSE": "1"}, cause="rank-skipped-collective", alternatives=("op.preamble.length <= op.nbytes", "collective mismatch")),
    Run("hang-one-rank-tree", "hang", "Timed out waiting 12000ms for recv operation to complete", rank=1, form="tree", cause="rank-hangs", alternatives=("Timed out waiting 12000ms for send operation to complete", "Timed out waiting"), env={"VERBOSE": "1"}),
    Run("clean-tee", "none", None, rank=None, form="tee"),
    Run("clean-tree", "none", None, rank=None, form="tree"),
    Run("clean-two-nodes", "none", None, rank=None, nodes=2, per_node=2, form="consoles"),
    Run("clean-two-nodes-tree", "none", None, rank=None, nodes=2, per_node=2, form="both"),
    Run("clean-no-destroy", "no-destroy", None, rank=None, form="tee"),
    Run("restart-meets-stale-store", "value", "ValueError: record 4711 of shard 1 has 3 fields", restarts=1, form="tee", cause="data-record-malformed", title="One rank fails once; the restarted workers read gloo addresses of the first attempt from the store"),
    Run("restart-meets-stale-store-sigkill", "sigkill", "failed (exitcode: -9) local_rank: 1", restarts=2, form="both", cause="process-killed", title="One rank is killed once; both restarts read gloo addresses of an earlier attempt from the store"),
]


def command(run: Run, node: int, port: int, logs: Path) -> list[str]:
    """The torchrun command of one node."""
    options = ["--nproc-per-node", str(run.per_node), "--max-restarts", str(run.restarts)]
    if run.nodes > 1:
        options += ["--nnodes", str(run.nodes), "--node-rank", str(node), "--rdzv-backend", "c10d", "--rdzv-id", "4242", "--rdzv-endpoint", f"127.0.0.1:{port}"]
    else:
        options += ["--nnodes", "1", "--master-port", str(port)]
    if run.form in ("tree", "both"):
        options += ["--log-dir", str(logs), "--redirects", "3"]
    if run.form == "tee":
        options += ["--log-dir", str(logs), "--tee", "3"]
    torchrun = [str(Path(sys.executable).parent / "torchrun"), *options, "faulty.py"]
    return ["unshare", "--uts", "sh", "-c", f"hostname node-{node}; exec \"$@\"", "sh", *torchrun] if run.nodes > 1 else torchrun


def run_once(run: Run, port: int) -> None:
    """Run it, keep what a user would hand in, write the label."""
    for old in WORK.iterdir():
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    shutil.copyfile(HERE / "scripts" / "faulty.py", WORK / "faulty.py")
    Path("/small").mkdir(exist_ok=True)
    small = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", "/small"], check=True) if run.fault == "disk" else None
    env = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "FAULT": run.fault, "FAULT_RANK": str(0 if run.rank is None else run.rank), "OMP_NUM_THREADS": "1", "LANG": "C.UTF-8", **run.env}
    if run.initiating is None:
        env["FAULT_RANK"] = "1"
    if run.name.startswith("size-mismatch"):
        env["FAULT_RANK"] = "1"
    processes = []
    for node in range(run.nodes):
        console = (WORK / f"node-{node}.out").open("wb")
        processes.append(subprocess.Popen(command(run, node, port, WORK / f"logs-{node}"), cwd=WORK, env={**env, "NODE": f"node-{node}"}, stdout=console, stderr=subprocess.STDOUT, start_new_session=True))
    for process in processes:
        try:
            process.wait(timeout=150)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
    if small:
        subprocess.run(["umount", "/small"], check=False)
    keep(run)


def keep(run: Run) -> None:
    """Copy the output into the case's file or folder, and write its label."""
    OUT.mkdir(parents=True, exist_ok=True)
    target = OUT / run.name
    shutil.rmtree(target, ignore_errors=True)
    if run.form in ("console", "tee") and run.nodes == 1:
        shutil.copyfile(WORK / "node-0.out", OUT / f"{run.name}.log")
    else:
        target.mkdir()
        for node in range(run.nodes):
            if run.form != "tree":
                shutil.copyfile(WORK / f"node-{node}.out", target / f"node-{node}.out")
            logs = WORK / f"logs-{node}"
            if run.form in ("tree", "both") and logs.is_dir():
                shutil.copytree(logs, target / f"node-{node}-logs", dirs_exist_ok=True)
    scrub(target if target.is_dir() else OUT / f"{run.name}.log")
    write_label(run)


def scrub(path: Path) -> None:
    """Name the virtual environment as it is named everywhere in the logs."""
    prefix = str(Path(sys.executable).parent.parent)
    for file in [path] if path.is_file() else [child for child in path.rglob("*") if child.is_file()]:
        file.write_text(file.read_text(encoding="utf-8").replace(prefix, "/opt/venv"), encoding="utf-8")


def write_label(run: Run) -> None:
    """The label, from what was injected."""
    def quote(text: str | None) -> str:
        return "null" if text is None else "'" + text.replace("'", "''") + "'"

    rows = [
        "source: tests/reproduce/multirank.py", "family: multirank", f"title: {quote(run.title or f'{run.fault} on rank {run.rank}, {run.nodes} node(s), {run.form}')}",
        f"cause: {run.cause or 'none'}", f"initiating: {quote(run.initiating)}", f"initiating_alternatives: [{', '.join(map(quote, run.alternatives))}]",
        f"rank: {'null' if run.rank is None else run.rank}", "node: null",
        f"collateral: [{', '.join(map(quote, (*PEER, CHILD)))}]" if run.initiating else "collateral: []", "confidence: maintainer", f"must_say: [{', '.join(map(quote, run.must))}]",
    ]
    (OUT / f"{run.name}.yaml").write_text("\n".join(rows) + "\n", encoding="utf-8")


def main() -> int:
    """Run the named cases, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    names = parser.parse_args().names
    WORK.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(WORK)], check=True)
    hosts = Path("/opt/run.hosts")
    hosts.write_text("127.0.0.1 localhost node-0 node-1\n", encoding="utf-8")
    subprocess.run(["mount", "--bind", str(hosts), "/etc/hosts"], check=True)
    for number, run in enumerate(RUNS):
        if names and run.name not in names:
            continue
        print(run.name, flush=True)
        run_once(run, 29900 + number)
    return 0


if __name__ == "__main__":
    sys.exit(main())
