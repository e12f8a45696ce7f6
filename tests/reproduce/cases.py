# SPDX-License-Identifier: MIT
"""The list of failures that a CPU can reproduce: how each is started and which words it must print."""
from dataclasses import dataclass, field

FOUR = "torchrun --nproc-per-node 4 --master-port {port} "
TWO = "torchrun --nproc-per-node 2 --master-port {port} "
DETAIL = {"TORCH_DISTRIBUTED_DEBUG": "DETAIL"}
INFO = {"TORCH_DISTRIBUTED_DEBUG": "INFO"}
RAY = {"RAY_raylet_start_wait_time_s": "240", "RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}


@dataclass(frozen=True)
class Case:
    """One reproducible failure."""

    name: str
    command: str
    expects: tuple[str, ...]
    env: dict[str, str] = field(default_factory=dict)
    setup: str = ""
    keeps: tuple[str, ...] = ()
    limit: int = 120


CASES = (
    Case("sigkill", FOUR + "sigkill.py", ("failed (exitcode: -9) local_rank: 1", "Signal 9 (SIGKILL) received by PID", "by peer")),
    Case("valueerror", FOUR + "valueerror.py", ("ValueError: record 4711", "failed (exitcode: 1)", "by peer")),
    Case("valueerror-record", FOUR + "valueerror_record.py", ("ValueError: record 4711", "error_file: ")),
    Case("sysexit", FOUR + "sysexit.py", ("failed (exitcode: 1)",)),
    Case("sigterm", FOUR + "sigterm.py", ("failed (exitcode: -15) local_rank: 1",)),
    Case("sigbus", FOUR + "sigbus.py", ("failed (exitcode: -7) local_rank: 1",)),
    Case("sigill", FOUR + "sigill.py", ("failed (exitcode: -4) local_rank: 1",)),
    Case("sigsegv", FOUR + "sigsegv.py", ("failed (exitcode: -11) local_rank: 1",)),
    Case("sigsegv-faulthandler", FOUR + "sigsegv_faulthandler.py", ("Fatal Python error: ", "Segmentation fault")),
    Case("sigabrt", FOUR + "sigabrt.py", ("failed (exitcode: -6) local_rank: 1",)),
    Case("size-mismatch", FOUR + "size_mismatch.py", ("Is there a distributed collective mismatch in your code?",)),
    Case("size-mismatch-detail", FOUR + "size_mismatch_detail.py", ("Detected mismatch between collectives on ranks",), env=DETAIL),
    Case("op-mismatch", FOUR + "op_mismatch.py", ("exitcode",)),
    Case("op-mismatch-detail", FOUR + "op_mismatch_detail.py", ("Detected mismatch between collectives on ranks",), env=DETAIL),
    Case("monitored-barrier", FOUR + "monitored_barrier.py", ("failed to pass monitoredBarrier in",)),
    Case("skipped-collective", FOUR + "skipped_collective.py", ("Timed out waiting",)),
    Case("isend-exit", TWO + "isend_exit.py", ("by peer",)),
    Case("healthy", FOUR + "healthy.py", ("step 5 loss",)),
    Case("healthy-no-destroy", FOUR + "healthy_no_destroy.py", ("step 5 loss",)),
    Case("address-in-use", "python hold_port.py 29631 torchrun --nproc-per-node 2 --master-port 29631 healthy.py", ("EADDRINUSE",)),
    Case("bad-master-name", "torchrun --nnodes 2 --node-rank 1 --nproc-per-node 2 --rdzv-conf timeout=10 --master-addr gpu-node-1.invalid --master-port 29500 healthy.py", ("The client socket has timed out after",)),
    Case("bad-master-name-store", "python no_master.py", ("gpu-node-1.invalid",), env={"MASTER_ADDR": "gpu-node-1.invalid", "MASTER_PORT": "29500", "RANK": "1", "WORLD_SIZE": "2"}),
    Case("bad-rdzv-name", "torchrun --nnodes 2 --nproc-per-node 2 --rdzv-backend c10d --rdzv-endpoint gpu-node-1.invalid:29500 healthy.py", ("RendezvousConnectionError",), limit=90),
    Case("missing-rank", "python missing_rank.py", ("clients joined",)),
    Case("no-master", "python no_master.py", ("The client socket has timed out after",), env={"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29599", "RANK": "1", "WORLD_SIZE": "2"}),
    Case("rdzv-timeout", "torchrun --nnodes 2 --nproc-per-node 2 --rdzv-backend c10d --rdzv-endpoint localhost:29633 --rdzv-conf join_timeout=8 healthy.py", ("RendezvousTimeoutError",)),
    Case("no-env", "python no_env.py", ("environment variable RANK expected, but not set",)),
    Case("not-initialised", "python not_initialised.py", ("Default process group has not been initialized",)),
    Case("hub-truncated", "python hub_truncated.py", ("Consistency check failed: file should be of size 4194304 but has size 1048576",)),
    Case("dataloader-killed", "python dataloader_killed.py", ("is killed by signal: Killed",)),
    Case("dataloader-exception", "python dataloader_exception.py", ("Caught KeyError in DataLoader worker process",)),
    Case("dataloader-collate", "python dataloader_collate.py", ("Trying to resize storage that is not resizable",)),
    Case("dataloader-shm", "python dataloader_shm.py", ("shm",), setup="mount -t tmpfs -o size=1m tmpfs /dev/shm"),
    Case("ddp-unused", TWO + "ddp_unused.py", ("Expected to have finished reduction in the prior iteration",)),
    Case("ddp-unused-info", TWO + "ddp_unused.py", ("Parameters which did not receive grad for rank",), env=INFO),
    Case("ddp-ready-twice", TWO + "ddp_ready_twice.py", ("Expected to mark a variable ready only once",)),
    Case("ddp-ready-twice-info", TWO + "ddp_ready_twice.py", ("has been marked as ready twice",), env=INFO),
    Case("ddp-shape-differs", TWO + "ddp_shape_differs.py", ("appears not to match",)),
    Case("ddp-param-count", TWO + "ddp_param_count.py", ("DDP expects same model across all ranks",)),
    Case("fsdp-dtype", TWO + "fsdp_dtype.py", ("Must flatten tensors with uniform dtype",)),
    Case("fsdp-requires-grad", TWO + "fsdp_requires_grad.py", ("Must flatten tensors with uniform `requires_grad`",)),
    Case("fsdp2-meta", TWO + "fsdp2_meta.py", ("should be materialized from meta device",)),
    Case("disk-full", TWO + "disk_full.py", ("unexpected pos",), setup="mkdir -p ckpt && mount -t tmpfs -o size=4m tmpfs ckpt"),
    Case("thread-limit", "setpriv --reuid 1000 --clear-groups prlimit --nproc=40 /usr/bin/python3 thread_limit.py", ("can't start new thread",)),
    Case("store-gone", "python store_gone.py", ("Connection was likely closed",)),
    Case("spawn-exception", "python spawn_exception.py", ("Process 1 terminated with the following error",)),
    Case("spawn-killed", "python spawn_killed.py", ("terminated with signal SIGKILL",)),
    Case("stubborn", TWO + "stubborn.py", ("forcefully exiting via",)),
    Case("restarts", "torchrun --nproc-per-node 4 --master-port {port} --max-restarts 2 sigkill.py", ("failed (exitcode: -9)", "Root Cause (first observed failure)"), limit=300),
    Case("log-dir", "torchrun --standalone --nproc-per-node 4 --log-dir logs --redirects 3 valueerror_record.py", ("ChildFailedError",), keeps=("logs/**/*.log", "logs/**/error.json")),
    Case("tee", "torchrun --standalone --nproc-per-node 4 --log-dir logs --tee 3 sigkill.py", ("[default",)),
    Case("flight-recorder", FOUR + "flight_recorder.py", ("Timed out waiting",), env={"TORCH_FR_BUFFER_SIZE": "2000"}, keeps=("fr/*",)),
    Case("ray-actor-killed", "python ray_actor_killed.py", ("The actor is dead because its worker process has died",), env=RAY, limit=400),
    Case("ray-task-killed", "python ray_task_killed.py", ("WorkerCrashedError",), env=RAY, limit=400),
    Case("ray-task-exception", "python ray_task_exception.py", ("ray.exceptions.RayTaskError(ValueError)",), env=RAY, limit=400),
    Case("ray-memory-monitor", "python ray_memory_monitor.py", ("OutOfMemoryError",), env={**RAY, "RAY_memory_usage_threshold": "0.2"}, limit=400),
    Case("backward-twice", "python backward_twice.py", ("Trying to backward through the graph a second time",)),
    Case("inplace-edit", "python inplace_edit.py", ("has been modified by an inplace operation",)),
    Case("frozen-model", "python frozen_model.py", ("does not require grad and does not have a grad_fn",)),
    Case("recompute-differs", "python recompute_differs.py", ("have different metadata than during the forward pass",)),
    Case("unscale-fp16", "python unscale_fp16.py", ("Attempting to unscale FP16 gradients.",)),
    Case("invalid-probabilities", "python invalid_probabilities.py", ("probability tensor contains either",)),
    Case("mixed-dtype-matmul", "python mixed_dtype_matmul.py", ("mat1 and mat2 must have the same dtype",)),
    Case("dtype-not-implemented", "python dtype_not_implemented.py", ("not implemented for 'Half'",)),
    Case("nonfinite-norm", "python nonfinite_norm.py", ("is non-finite, so it cannot be clipped",)),
    Case("embedding-index", TWO + "embedding_index.py", ("IndexError: index out of range in self",)),
    Case("label-out-of-range", TWO + "label_out_of_range.py", ("IndexError: Target 10 is out of bounds.",)),
    Case("dataloader-timeout", TWO + "dataloader_timeout.py", ("DataLoader timed out after 5 seconds",)),
    Case("loader-not-picklable", "python loader_not_picklable.py", ("local object 'main.<locals>.<lambda>'",)),
    Case("no-main-guard", "python no_main_guard.py", ("before the", "freeze_support()")),
    Case("daemonic-children", "python daemonic_children.py", ("daemonic processes are not allowed to have children",)),
    Case("positions-too-short", TWO + "positions_too_short.py", ("The size of tensor a (640) must match the size of tensor b (512)",)),
    Case("freed-storage", "python freed_storage.py", ("are out of bounds for storage of size 0",)),
    Case("not-deterministic", "python not_deterministic.py", ("does not have a deterministic implementation, but you set",)),
    Case("fsdp-forward-order", TWO + "fsdp_forward_order.py", ("Forward order differs across ranks:",), env=DETAIL),
    Case("cpp-compile-error", "python cpp_compile_error.py", ("CppCompileError: C++ compile error",), limit=300),
    Case("lowering-no-choices", "python lowering_no_choices.py", ("LoweringException: ",)),
    Case("recursion-limit", "python recursion_limit.py", ("RecursionError: maximum recursion depth exceeded",)),
    Case("lightning-nonfinite-metric", "python lightning_nonfinite_metric.py", ("is not finite.",), limit=300),
    Case("lightning-monitor-missing", "python lightning_monitor_missing.py", ("could not find the monitored key",)),
    Case("lightning-checkpoint-missing", "python lightning_checkpoint_missing.py", ("Checkpoint",)),
    Case("lightning-sigterm", "python lightning_sigterm.py", ("Received SIGTERM: 15",)),
    Case("bf16-without-gpu", "python bf16_without_gpu.py", ("Your setup doesn't support bf16/gpu.",)),
    Case("tokenizer-missing", "python tokenizer_missing.py", ("Couldn't instantiate the backend tokenizer from one of",)),
    Case("zero-to-fp32-latest-missing", "python zero_to_fp32_latest_missing.py", ("Unable to find 'latest' file",), env={"DS_ACCELERATOR": "cpu"}),
    Case("arrow-offset-overflow", "python arrow_offset_overflow.py", ("offset overflow while concatenating arrays",)),
    Case("extension-lock-left", "python extension_lock_left.py", ("file_baton.py",)),
    Case("arrow-s3-unreachable", "python arrow_s3_unreachable.py", ("AWS Error NETWORK_CONNECTION during",)),
    Case("s3-denied", "python s3_denied.py", ("An error occurred (AccessDenied) when calling the PutObject operation",)),
    Case("cpu-only-build", "python cpu_only_build.py", ("Torch not compiled with CUDA enabled",)),
    Case("no-compiler", "python no_compiler.py", ("InvalidCxxCompiler",), env={"CXX": "missing-g++"}),
    *(
        Case(f"flight-recorder-{fault}", "torchrun --nproc-per-node 3 --master-port {port} --log-dir logs --redirects 3 flight_recorder_dump.py " + fault, ("ChildFailedError",),
             env={"TORCH_FR_BUFFER_SIZE": "2000", "TORCH_FR_DUMP_TEMP_FILE": "fr/nccl_trace_rank_"}, keeps=("fr/*", "logs/**/*.log"))
        for fault in ("skip", "op", "wait")
    ),
)
