# SPDX-License-Identifier: MIT
"""Where a new entry belongs, guessed from its line: the shelf, who speaks, and a name. A person corrects the guess."""

from __future__ import annotations

import builtins
from collections.abc import Callable

from . import generic
from .lazy import Pattern
from .lines import split

#: The first that is found in the line decides, else the first that is found in its traceback.
_FAMILIES = tuple((family, Pattern(words)) for family, words in (
    ("nvlink-fabric", r"NVSwitch|SXid|NVLink|[Ff]abric [Mm]anager"),
    ("gpu-hardware", r"NVRM: |\bXid\b|\bECC\b|AER: |fallen off the bus"),
    ("rocm", r"\b(?:hip|HIP|rocm|ROCm|RCCL|rocblas|amdgpu|MIOpen|hsa|HSA)"),
    ("serving-vllm", r"\bvllm\b|vLLM"),
    ("serving-other", r"sglang|tensorrt_llm|TensorRT-LLM|tritonserver|text_generation_server|lmdeploy"),
    ("deepspeed", r"[Dd]eep[Ss]peed"),
    ("megatron-nemo", r"[Mm]egatron|\bnemo\b|NeMo|transformer_engine"),
    ("lightning", r"lightning"),
    ("slurm", r"slurm|srun|sbatch|SLURM"),
    ("ray", r"\bray\b|\braylet\b|Ray(?:let|Task|Actor)"),
    ("kubernetes", r"kubelet|[Kk]ubernetes|\bkube|\bPod\b|FailedScheduling"),
    ("jax-tpu", r"\bjax|\bXLA\b|xla|\bTPU\b|libtpu"),
    ("mpi-ucx", r"\bMPI\b|\bmpi|MPI_|UCX|\bucx|\b(?:ORTE|PRTE|PMIX)\b|libfabric"),
    ("network-ib-roce", r"ibv_|mlx[45]|RoCE|\bEFA\b|InfiniBand|\bQP\b"),
    ("cuda-memory", r"(?:CUDA|cuda|HIP).{0,40}out of memory|OutOfMemoryError"),
    ("host-memory-disk", r"[Oo]ut of memory|oom-kill|No space left|Disk quota|Too many open files|Cannot allocate memory|/dev/shm|Input/output error"),
    ("compile-kernels", r"triton|inductor|dynamo|nvcc|ninja|undefined symbol|flash_attn|xformers|cudnn|CUDNN"),
    ("rendezvous-store", r"TCPStore|rendezvous|Rendezvous|\bc10d\b|DistStoreError"),
    ("collectives", r"NCCL|ncclcomm|[Gg]loo|ProcessGroup|all_?(?:reduce|gather)|reduce_scatter|collective"),
    ("ddp-fsdp", r"DistributedDataParallel|\bDDP\b|FSDP|fsdp|FullyShardedDataParallel|DTensor"),
    ("data-loading", r"DataLoader|dataloader|webdataset|datasets/|IterableDataset"),
    ("checkpoint", r"checkpoint|state_dict|safetensors|torch\.(?:load|save)|pickle"),
    ("hf-stack", r"transformers|accelerate|huggingface|peft|\btrl\b|tokenizers"),
    ("storage-hub", r"\bS3\b|s3://|gs://|boto|HTTPError|huggingface_hub|wandb"),
    ("network-socket", r"[Ss]ocket|Connection (?:refused|reset|timed out)|getaddrinfo|resolve|EADDRINUSE"),
    ("container-driver", r"docker|container|nvidia-container|libcuda|driver"),
    ("precision-numerics", r"\bnan\b|\bNaN\b|\binf\b|loss scale|overflow|dtype|float16|bfloat16"),
    ("cuda-runtime", r"CUDA|cuda|cuBLAS|CUBLAS"),
    ("launcher", r"torchrun|elastic|exitcode|ChildFailedError|[Ss]ignal \d"),
))
_CAMEL = Pattern(r"(?<=[a-z0-9])(?=[A-Z])")
_WORD = Pattern(r"[a-z][a-z0-9]{2,24}|\d{2,4}")
_EMPTY = frozenset(
    "the and for but not with from this that has have was were are you your can cannot got its into over when while than then there which will would should "
    "error errors exception runtimeerror valueerror typeerror assertionerror failed failure exitcode line file value rank expected none true false self raise "
    "most recent call last traceback warning info fatal python".split())


def family_of(message: str, around: str) -> str:
    """The shelf of a message; what stands around it decides where the message itself says nothing."""
    for text in (message, around):
        for family, words in _FAMILIES:
            if words.search(text):
                return family
    return "launcher"


def layer_and_role(text: str) -> tuple[str, str]:
    """Who speaks in a line, and whether what it says can be the start: a rank that saw another go may only be the witness."""
    (line, *_) = split(text.encode(), "", 1, 0)
    said = generic.of_line(line)
    layer = said.layer if said else "process"
    return layer, "either" if layer == "communication" else "root"


def id_of(wording: str, taken: Callable[[str], bool]) -> str:
    """A name made of the words that people search for."""
    name, colon, rest = wording.partition(":")
    told = rest if colon and isinstance(getattr(builtins, name, None), type) else wording  # what everything raises names nothing
    plain = _CAMEL.sub(" ", _FIELD.sub(" ", told)).lower()
    words = list(dict.fromkeys(word for word in _WORD.findall(plain.replace("_", " ")) if word not in _EMPTY))
    name = ""
    for word in words[:5]:
        if len(name) + len(word) > 44:
            break
        name = f"{name}-{word}".lstrip("-")
    name = name if len(name) >= 4 else f"new-failure-{name}".rstrip("-")
    number = 2
    unique = name
    while taken(unique):
        unique, number = f"{name}-{number}", number + 1
    return unique


_FIELD = Pattern(r"<[a-z_0-9-]{1,24}>")
