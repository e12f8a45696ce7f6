# SPDX-License-Identifier: MIT
"""Words of lines that matter in a large log although no entry knows them: errors of all kinds, a good end, facts about ranks."""
from __future__ import annotations

#: How often equal lines (digits aside) are read: errors seldom, facts about ranks always.
SELDOM, OFTEN = 6, 20_000
WORDS = {
    **dict.fromkeys((
        "Traceback (most recent call last)", "RuntimeError: ", "ValueError: ", "FileNotFoundError", "ImportError: ", "OutOfMemoryError",
        "AssertionError", "TimeoutError", "ConnectionError", "NCCL WARN",
        "NVRM: Xid (", "SXid (PCI", "Out of memory: Killed", "invoked oom-killer", "Segmentation fault", "core dumped", "terminate called after", "Fatal Python error",
        "command not found", "No space left on device", "Resource temporarily unavailable", "Too many open files", "Disk quota exceeded", "Input/output error", "Permission denied",
        "slurmstepd: error:", "srun: error:", "CANCELLED AT", "AER: Uncorrected", "Training finished", "Training completed", "train_runtime", "completed successfully", "finished successfully",
        "restarting worker group", "Resuming from", "Resuming training from", "has been requeued",
    ), SELDOM),
    **dict.fromkeys((" nranks ", "exitcode  :", "failed (exitcode:", "local_rank: ", "Root Cause (first observed failure)"), OFTEN),
}


def any_of(words: tuple[str, ...], text: str) -> bool:
    """Whether one of the words stands in the text: far cheaper than a pattern that finds nothing."""
    for word in words:  # noqa: SIM110 - a generator costs more than the search
        if word in text:
            return True
    return False
