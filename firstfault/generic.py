# SPDX-License-Identifier: MIT
"""What can be said of a line without an entry: that it is an error at all, progress, or a healthy end.

An unknown failure still gets its rank, its line and its place in the order.
"""
from __future__ import annotations

import re
from typing import NamedTuple

from . import writers
from .lazy import Pattern
from .lines import Line
from .tracebacks import STOP_TYPES, WRAPPER_TYPES, Raised
from .words import any_of


class Generic(NamedTuple):
    """An error of no entry.  ``weight``: 3 an exception, 2 a crash or a library's warning, 1 an error line.  ``death``: it took a process away; ``culprit``: the rank it accuses."""

    kind: str
    role: str
    layer: str
    weight: int
    label: str
    death: bool = False
    culprit: str = ""


_COMMUNICATION = Pattern(
    r"NCCL|RCCL|ncclRemote|ncclSystem|[Gg]loo|Connection (?:reset|closed|refused)|Broken pipe|TCPStore|recvValue|\bbarrier\b|DistBackendError|DistNetworkError|DistStoreError|"
    r"DEADLINE_EXCEEDED|heartbeat|timed out|Timeout|timeout|UNAVAILABLE|rendezvous|Rendezvous|socket|Socket|ProcessGroup|all_?reduce|ZMQ|Engine (?:core|process)|EngineDeadError|"
    r"MPI_Abort|\borted\b|collective"
)
#: A loop that stops itself because of its loss.
_GAVE_UP = Pattern(r"\b[Ll]oss\b.{0,40}\b(?:nan|NaN|NAN|inf|Inf|infinity)\b.{0,60}\b(?:stopp|abort|exit|terminat|giving up)")
#: (kind, role, layer, weight, what must stand in the line for the pattern to be tried, pattern), in this order.
_LINES = (
    ("xid", "root", "hardware", 3, ("Xid (",), Pattern(r"NVRM: Xid \(")),
    ("sxid", "either", "hardware", 2, ("SXid",), Pattern(r"\bSXid \(")),
    ("aer", "either", "hardware", 2, ("AER: ", "Uncorrect", "uncorrect", "Hardware Error", "MCE: ", "Machine Check", " UE ", "health compromised"), Pattern(r"AER: (?:Multiple )?Uncorrected|Uncorrectable|PCIe Bus Error: severity=Uncorrect|(?:Hardware Error\]?|MCE): .{0,80}(?:[Uu]ncorrected|[Ff]atal)|Machine Check Exception: [1-9]|EDAC MC\d{1,3}: [1-9]\d{0,5} UE |device's health compromised")),
    ("oom-kill", "root", "kernel", 2, ("Out of memory: K", "out of memory", "oom", "OOMKilled"), Pattern(r"Out of memory: Kill|Memory cgroup out of memory|oom[-_]kill(?![\w-]*\.|er)|OOMKilled")),
    ("oom-called", "either", "kernel", 1, ("oom-killer",), Pattern(r"invoked oom-killer")),
    ("abort", "root", "process", 3, ("invalid ", "corrupt", "free", "smashing", "ssertion `", "ssertion '", "Check failed: "), Pattern(
        r"\b(?:munmap_chunk|free|malloc|realloc|calloc|memalign)\(\): (?:invalid|corrupted|unaligned|unsorted|mismatching)|double free or corruption|corrupted (?:size vs|double-linked)|stack smashing detected|"
        r":\d{1,6}: .{1,600}: Assertion [`'].{1,300}' failed|:\d{1,6}: .{1,200} Assertion `.{1,300}` failed|Check failed: ")),
    ("ras", "root", "hardware", 3, ("uncorrectable hardware error",), Pattern(r"uncorrectable hardware error")),
    ("ended", "wrapper", "launcher", 1, ("with exit code ", "with code "), Pattern(r"\bexiting\b.{0,80}\bwith (?:exit )?code [1-9]\d{0,2}\b")),
    ("segv", "either", "process", 2, ("Fatal Python", "fault", "core dumped", "Bus error", "Illegal instr", "signal SIG"), Pattern(r"Fatal Python error|Segmentation fault|\(core dumped\)|Bus error|Illegal instruction|signal SIG(?:SEGV|BUS|ILL|FPE|ABRT)|segfault at ")),
    ("killed", "consequence", "launcher", 2, ("Killed", "signal 9", "code", "status"), Pattern(r"^Killed$|: Killed\b|\d{2,7} Killed\b|signal 9\b|exit code 137|exited with (?:exit )?code [1-9]|exit status [1-9]|Exited with exit code [1-9]|return code = -?[1-9]")),
    ("errno", "root", "process", 2, ("No space", "unavailable", "Cannot allocate", "Too many open", "quota", "file system", "file handle", "Input/output", "Permission", "endpoint", "No such device", "Bad address", "MemoryError"), Pattern(r"^MemoryError$|(?<!\w)(?:No space left on device|Resource temporarily unavailable|Cannot allocate memory|Too many open files|Disk quota exceeded|Read-only file system|Stale file handle|Input/output error|Permission denied|Transport endpoint is not connected|No such device|Bad address)\b")),
    ("nccl", "either", "communication", 3, (" WARN ",), Pattern(r"NCCL WARN \S|\.(?:h|cc|cu):\d{1,6} WARN \S")),
    ("terminate", "either", "process", 2, ("terminate called", "what()"), Pattern(r"terminate called|^\s{0,4}what\(\): ")),
    ("shell", "root", "process", 2, ("command not found", "cannot exec", "shared lib", "nvcc fatal", "ptxas ", "nvlink ", "Host key", "ssh: ", ": No module named ", "fatal error", "undefined ref", "execve", "atching distribution", "find a version", "load any of"), Pattern(r": command not found|(?:^|: )(?:nvcc|ptxas|nvlink) (?:fatal|error) {0,4}:|execve\(\):|No matching distribution found|Could not find a version that satisfies|Unable to load any of|cannot execute binary file|error while loading shared libraries|Host key verification failed|^ssh: (?:connect to host|Could not resolve)|python[\d.]{0,5}: No module named |: fatal error: |undefined reference to")),
    ("device", "either", "process", 2, ("uda failure", "uda error", "UDA error", "UDA runtime", "access fault", "MES failed", "GPU reset", "ring ", "HSA_STATUS", "hipError", "CUDNN_STATUS", "CUBLAS_STATUS"), Pattern(r"Cuda failure \d|Cuda error \S|CUDA error[: ]|CUDA runtime error in|Memory access fault by GPU|MES failed to respond|GPU reset (?:begin|fail)|ring \S{1,40} timeout|HSA_STATUS_ERROR|hipError[A-Z]|CU(?:DNN|BLAS)_STATUS_[A-EG-Z]")),
    ("pyxis", "root", "process", 2, ("pyxis:  ",), Pattern(r"pyxis: {3,}(?!\[INFO\])\S")),
    ("slurm", "either", "process", 2, ("slurm", "srun: "), Pattern(
        r"^(?:slurmd|slurmstepd|slurmctld|srun|sbatch|salloc)(?:-[\w.-]{1,64})?: (?:error|fatal): {1,2}(?!pyxis:|\*\*\*|.{0,200}\b(?:[Tt]imed out|Exited|Killed|[Tt]erminat\w*|[Aa]borting|tasks? [\d,-]+:|not ready|Connection refused)\b)")),
    ("mpi", "either", "process", 2, ("OPAL ERROR: ",), Pattern(r"\bOPAL ERROR: \S")),
    ("launch", "root", "scheduler", 2, ("Task launch for ", "credential expired", "launch failed"), Pattern(r"Task launch for \S{1,40} failed on node|Job credential expired|[Aa]pplication launch failed")),
    ("nan", "root", "process", 2, ("oss",), _GAVE_UP),
    ("denied", "root", "process", 2, ("401", "403", "Unauthorized", "Forbidden", "denied"), Pattern(r"\b(?:401|403)\b.{0,40}(?:Unauthorized|Forbidden|Client Error)|error code: 40[13]|[Uu]nauthorized|AccessDenied|access denied")),
    ("stuck", "either", "communication", 2, ("atchdog", "imed out", "imeout", "TIMEOUT", "retry c", "etries e"), Pattern(r"[Rr]etry count(?:er)? exceeded|retries exceeded|[Ww]atchdog (?:timeout|caught)|\b[Tt]imed out (?:waiting|after)|timeout (?:of|after) \d|exceeded.{0,40}timeout|DUE TO TIME LIMIT")),
    ("line", "either", "process", 1, ("rror", "ERROR", "FATAL", "CRITICAL", "fatal", "Fatal", "E: ", "Exception: ", "ASSERT", "Check failed", "assertion", "failed with", "ailed to ", "ould not ", "annot allocate", "nable to ", "annot "), Pattern(r"^(?:[\w./-]{1,80}: )?(?:\[?(?:ERROR|FATAL|CRITICAL|Fatal|fatal)\b|error:|Error:|E: |fatal:)|: error: |: fatal: |\b[A-Z]\w{2,60}(?:Error|Exception): |INTERNAL ASSERT FAILED|Check failed: |assertion failed|\bfailed with (?:error|code)|CUDA error|\b[Ff]ailed to \w|\bCould not \w|[Cc]annot (?:allocate|read|open|load|create|find|access)\b|\b[A-Za-z]{2,20} error: \S|[Uu]nable to (?!find image)\w")),
)
_PROGRESS_GATE = ("step", "Step", "STEP", "epoch", "Epoch", "EPOCH", "iter", "Iter", "loss", "Loss", "/s", "s/it", "%|")
_SUCCESS_GATE = ("raining", "rain_runtime", "ucce", "SUCCE", "omplete", "COMPLETED", "xit", "finished", "inished", "topping", "saved", "save the", "Done", "max_", "200 OK", "inal", "bounds", "bandwidth", "done.", " passed", "wandb", "summary", "Running", "All ", "all ", "ran ")
_RESTART_GATE = ("estart", "equeu", "esum", "RESTART", "JobEnvironment")
_PROGRESS = Pattern(
    r"\biteration[ :=#]{1,4}\d|\bstep[ :=#/]{1,4}\d|\b(?:global_)?step['\"]?[:=] ?\d|\bepoch[ :=#]{1,4}\[?\d|[\d.]{1,9} ?(?:it/s|s/it|tokens/s|examples/s|samples/s|ex/s)\b|['\"]?loss['\"]?[ :=]{1,6}[\d.]|\d{1,3}%\|",
    re.IGNORECASE,
)
_STEP = Pattern(r"(?P<word>iteration|step|iter)['\"]?[ :=#\[]{1,8}(?P<step>\d{1,9})|(?P<at>\d{1,9})/(?P<total>\d{1,9}) \[", re.IGNORECASE)
_EPOCH = Pattern(r"(?P<word>epoch)['\"]?[ :=#\[]{1,8}(?P<step>\d{1,9})", re.IGNORECASE)
_SUCCESS = Pattern(
    r"[Tt]raining (?:is )?(?:completed?|finished|done|ended)|'train_runtime'|finished successfully|[Cc]ompleted successfully|exiting program (?:at|after)|exit(?:ed with)?(?: code| status)?[ :=]{1,3}0\b|ExitCode[ :=]{1,3}0:0|\bCOMPLETED\b|"
    r"[Jj]ob \S{1,80}'? ?(?:succeeded|completed|finished)|status: SUCCEEDED|SUCCEEDED|[Aa]ll (?:ranks|workers|processes|tests) (?:finished|done|passed|exited)|Application startup complete|[Ee]arly stopping|saved? (?:the )?final|"
    r"^Success$|[Ff]inal checkpoint|\bDone\b[.!]?\s*$|Training time|max_(?:steps|epochs)(?:=\d{1,9})?[` ]{0,2}reached|# Out of bounds values : 0 OK|# Avg bus bandwidth|: Success$|\bdone\.$|=+ \d{1,6} passed\b|\b200 OK\b|[Ee]xiting (?:cleanly|gracefully|normally)|[Ff]inished (?:training|run)|[Rr]un (?:finished|completed)|wandb: Synced|[Rr]un summary|\b([1-9]\d{0,3})/\1 {2,}Running\b"
)

_RESTART = Pattern(
    r"restarting worker group|will restart worker group|[Rr]estart(?:ing)? (?:attempt|count|the job|job|worker|from)\b|restart_count=[1-9]|[Rr]equeu(?:ed|ing) (?:job|as)|slurm_restart|"
    r"Starting with JobEnvironment\(|Resuming (?:training )?from|[Rr]esum(?:ed|ing) from checkpoint|Job has been requeued|Auto-resum"
)

#: Words that turn a line of success into one of failure.
#: A scheduler's accounting: the job's last word, wherever in the inputs it stands.
_ACCOUNTED = Pattern(r"\bCOMPLETED\s{1,20}0:0\b|\bState=COMPLETED\b|ExitCode=0:0\b")
_DENIED = Pattern(r"(?:ended|exited) with [1-9]|with exit code [1-9]|\b(?:[Ff]ail(?:ed|ure)?|FAILED|[Ee]rror|ERROR|not (?:been )?completed|[Aa]borted|[Uu]nsuccessful)\b")


_FINISHED = Pattern(r"[Tt]raining (?:is )?(?:completed?|finished|done|ended)|'train_runtime'|max_(?:steps|epochs)(?:=\d{1,9})?[` ]{0,2}reached|[Ff]inished training|[Ff]inal checkpoint|saved? (?:the )?final|exiting program (?:at|after)")


#: A line that announces what is quoted below it.
_HEADING = Pattern(r"\b(?:[Pp]rinting|[Cc]ontents? of|[Oo]utput of|[Ll]og of|[Ff]ollows|[Bb]elow)\b.{0,80}(?::|\.\.\.)\s*$")
#: How a library heads the exception of a replica or of a loader's worker, whose own traceback follows.
_CAUGHT = Pattern(r"Caught \w{1,60} in (?:replica|DataLoader|pin memory|worker)\b")
#: What a rank itself dies of when a program that it started failed or is gone; a launcher says the same of a rank, but not under a rank's number.
_OF_HELPERS = frozenset(("CalledProcessError", "BrokenPipeError"))
#: What an exception says that only reports a failure elsewhere.
_ELSEWHERE = Pattern(
    r"[Cc]heck rank \d{1,7} logs|caused by an exception on one of the ranks|background workers are no longer alive|(?:print statements|errors?|messages?|output) above|[Ss]ee (?:the )?(?:stack trace|traceback|root cause|error|log)s? (?:above|below|for the root cause)|on another (?:rank|process|worker)\b|"
    r"\b(?:an)?other (?:ranks?|workers?|process(?:es)?) (?:has |have )?(?:failed|died|exited|crashed)"
)


#: A process that was ended by a signal, or is gone without a word, as its parent tells; SIGTERM, SIGINT and SIGABRT say that something came before.
_DIED = Pattern(
    r"\b(?:[Pp]roc(?:ess)?|PROCESS|[Ww]orker|[Rr]ank|[Ss]hard|[Cc]hild|pid|PID|[Ee]ngine|[Ss]ubprocess)\b.{0,80}?\b(?:terminated|exited|killed|died|signaled|crashed|shutdown)\b"
    r"(?:.{0,24}\bsignal\b\W{0,4}(?!(?:15|2|6)\b|SIGTERM|SIGINT|SIGABRT|Terminated|Interrupt|Aborted)\w|\W{1,3}unexpectedly)"
)
#: A rank that others accuse by its number.
_ACCUSED = Pattern(
    r"\b(?:[Rr]ank|[Tt]ask) (?P<rank>\d{1,6})\]?:? (?:failed to (?:pass|reach|join|respond|arrive|report)|did(?: not|n't) (?:respond|join|arrive|reach|report|pass)|heartbeat time|has (?:died|crashed|not (?:joined|arrived|reported))|"
    r"(?:is |was )(?:missing|unhealthy|dead|unresponsive|unreachable|not responding)|stopped (?:sending|responding))"
)


def restart(line: Line) -> bool:
    """Whether the line says that a new attempt begins."""
    return any_of(_RESTART_GATE, line.message) and bool(_RESTART.search(line.message[:600]))


def of_exception(raised: Raised, layer_hint: str = "process", *, from_file: bool = False, orphan: bool = False) -> Generic:
    """The event of an exception that no entry knows; ``from_file``: it came up where files are read, not pipes; ``orphan``: where a child reads from its parent."""
    if orphan:
        return Generic("exception", "consequence", "launcher", 1, raised.label)
    text = f"{raised.full_type}: {raised.text[:400]}"
    if raised.type in WRAPPER_TYPES and _DIED.search(text):
        return Generic("died", "either", "launcher", 4, raised.label, death=True)
    if raised.type in _OF_HELPERS and "[rank" in raised.line.body[:120] and (from_file or raised.type != "BrokenPipeError"):
        return Generic("exception", "either", layer_hint, 3, raised.label)
    if raised.type in WRAPPER_TYPES or raised.text.startswith("Caught ") and _CAUGHT.match(raised.text):
        return Generic("exception", "wrapper", "launcher", 1, raised.label)
    accused = _ACCUSED.search(text)
    if accused:
        return Generic("accused", "either", "communication", 3, raised.label, culprit=accused["rank"])
    if _ELSEWHERE.search(text):
        return Generic("exception", "consequence", "communication", 3, raised.label)
    if (raised.type in STOP_TYPES and not (raised.type == "EOFError" and (raised.text or from_file))) or raised.text.strip().lower() in ("cancelled", "canceled", "interrupted"):
        return Generic("exception", "teardown", "launcher", 1, raised.label)
    if _COMMUNICATION.search(text) and "DataLoader" not in text:
        return Generic("exception", "either", "communication", 3, raised.label)
    return Generic("exception", "root", layer_hint, 3, raised.label)


def died(message: str) -> bool:
    """Whether the line tells that a process was ended by a signal, or is gone without a word."""
    return ("signal" in message or "unexpectedly" in message) and bool(_DIED.search(message[:2000]))


def of_line(line: Line, before: str = "") -> Generic | None:
    """The event of an error line that no entry knows, or None; ``before`` is the line that stands before it."""
    message = line.message
    level = line.origin.level
    if level in ("I", "D", "V"):
        return None
    told = writers.told(line)
    if told is not None:
        return Generic(told.kind, told.role, told.layer, told.weight, message.strip()[:300], told.away)
    if before.endswith("Last error:") and message.strip():
        return Generic("nccl", "either", "communication", 3, message.strip()[:300])
    if writers.framed(message, before):
        return Generic("framed", "root", "process", 2, message.strip()[:300])
    accused = _ACCUSED.search(message) if "ank " in message or "ask " in message else None
    if accused:
        return Generic("accused", "either", "communication", 3, message.strip()[:300], culprit=accused["rank"])
    if died(message):
        return Generic("died", "either", "launcher", 4, message.strip()[:300], death=True)
    for kind, role, layer, weight, gate, pattern in _LINES:
        if kind == "line" and (level == "W" or _HEADING.search(message)):
            return None
        if any_of(gate, message) and pattern.search(message) and not (kind == "slurm" and _HEADING.search(message)):
            if kind in ("line", "terminate", "segv") and layer == "process" and _COMMUNICATION.search(message):
                layer = "communication"
            return Generic(kind, role, layer, weight, message.strip()[:300])
    if level in ("E", "C", "F") and message.strip():
        layer = "communication" if _COMMUNICATION.search(message) else "process"
        return Generic("line", "either", layer, 2 if level == "F" else 1, message.strip()[:300])
    return None


def progress(line: Line) -> tuple[int, str] | None:
    """The step that a progress line shows (-1 when it shows none) and the counter it belongs to; None for any other line.

    A log holds several counters (steps, epochs, loading bars); only numbers of one counter compare.
    """
    message = line.message
    if ("NaN" in message or "nan" in message or "inf" in message) and _GAVE_UP.search(message):
        return None
    if len(message) > 4000 or not any_of(_PROGRESS_GATE, message) or not _PROGRESS.search(message):
        return None
    if message.startswith("exiting "):
        return None  # a step is named, and none follows
    found = _STEP.search(message) or _EPOCH.search(message)
    if found is None:
        return -1, ""
    if found.re.groups < 3:
        return int(found["step"]), "epoch"
    return (int(found["step"]), found["word"].lower()) if found["step"] else (int(found["at"]), found["total"])


def finished(line: Line) -> bool:
    """Whether the line says that training itself was over, whatever the job does after it."""
    return bool(_FINISHED.search(line.message[:2000]))


def interrupted(line: Line) -> bool:
    """Whether the line says that a person stopped the run."""
    return "SIGINT" in line.message or "KeyboardInterrupt" in line.message


def stopped_by_hand(line: Line) -> bool:
    """Whether the line shows that somebody pressed the keys that end a program."""
    message = line.message
    return message[:2] == "^C" or ("KeyboardInterrupt" in message and "Detected KeyboardInterrupt" in message)


def accounted(line: Line) -> bool:
    """Whether the line is a scheduler's record of a job that came to a good end."""
    return "0:0" in line.message and bool(_ACCOUNTED.search(line.message))


def success(line: Line) -> bool:
    """Whether the line says that the run came to a good end or serves."""
    text = line.message[:2000]
    return any_of(_SUCCESS_GATE, text) and bool(_SUCCESS.search(text)) and not _DENIED.search(text)
