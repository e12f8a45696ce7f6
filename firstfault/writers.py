# SPDX-License-Identifier: MIT
"""Faults told by what lies below or around a program: the kernel and its drivers, the GPU's library, the container runtime, the cluster.

No entry knows all their lines, but who wrote one tells on which tier its fault lies, and so what it can explain.
"""
from __future__ import annotations

from typing import NamedTuple

from .lazy import Pattern
from .lines import Line
from .words import any_of


class Told(NamedTuple):
    """A fault by its writer.  ``away``: it took a process or its machine away, so what others saw of that follows from it."""

    kind: str
    layer: str
    away: bool = False
    role: str = "root"
    weight: int = 2


_BROKEN = Pattern(
    r"\*ERROR\*|\b[Ff]ail(?:ed|ure|s|ing)?\b|\b(?:[Ee]rrors?|ERROR)\b|FAULT|[Ff]ault\b|\b(?:[Ff]atal|FATAL)\b|not respond|[Tt]imed out|\b[Tt]imeout\b|\blost\b|blocked for more than|[Ll]ockup|"
    r"\bBUG\b|[Pp]anic|[Uu]ncorrect|fallen off|[Cc]annot\b|[Uu]nable to|\bstall|exceeded\b|overflow|unrecoverable|table full|rejected"
)
#: What a kernel says of itself in words of trouble, and goes on.
_HARMLESS = Pattern(
    r"\b[Cc]orrected\b|\bCE memory|error status/mask|events logged|can't recover|callbacks suppressed|verification failed|out-of-tree|Direct firmware load|"
    r"_DSM|ACPI|succeeded|[Rr]ecovered\b|Non-?[Ff]atal|[Nn]o errors?\b|failcnt|err(?:or)? (?:reporting|handling|injection)|hung_task_timeout|\d:\s{1,8}\[[ \d]\d\] \w"
)
_DRIVERS = Pattern(
    r"^\s{0,40}(?:NVRM\b|nvidia\b|nvidia-[a-z]+|nvswitch|amdgpu\b|\[drm\b|habanalabs|pcieport\b|\{\d{1,3}\}\[Hardware Error\]|mce:|EDAC\b|mlx[45]_(?:core|ib)\b|infiniband\b|bnxt_\w{2}\b|"
    r"irdma\b|hfi1\b|efa\b|AMD-Vi\b|DMAR\b|nvme\b)"
)
#: What a driver reports of the hardware itself, and not of its own dealings with it.
_HARDWARE = Pattern(r"[Uu]ncorrect|[Hh]ardware [Ee]rror|\bECC\b|fallen off|\bAER\b|NVLink|NVSwitch")
_HOST = Pattern(
    r"^\s{0,40}(?:nfs\b|NFS\b|Lustre\w*|LNet\w*|EXT4-fs|XFS\b|BTRFS\b|CIFS\b|ceph\b|libceph\b|INFO: task|INFO: rcu|rcu:|watchdog:|BUG:|Kernel panic|Oops\b|"
    r"blk_update_request|Buffer I/O error|I/O error\b|neighbour:|nf_conntrack|sd \d|ata\d|cgroup: |\S{1,40}: page allocation failure)"
)
_LIBRARY_GATE = ("NVML", "nvml", "nvidia-container-cli", "NVIDIA-SMI", "select device driver")
_LIBRARY = Pattern(r"^(?:nvidia-container-cli: |Failed to initialize NVML\b|NVIDIA-SMI has failed|could not select device driver)|\bnvml error: |\bNVML(?: library)?:? .{0,60}(?:[Ee]rror|[Ff]ail)")
_UNFIT = Pattern(r"\b(?:[Ff]ail(?:ed|ure)?|[Ee]rror|don't match|not (?:supported|found|match)|[Cc]annot|[Uu]nable|[Aa]bort\w*|[Mm]ismatch)\b")
#: An event of Kubernetes, as `describe` and as `get events` print it; who is preempted is no warning to it.
_EVENT = Pattern(r"^(?:\s{0,8}|\S{1,12}\s{1,24})(?:Warning|Normal(?=\s{1,16}(?:Preempt|Evict|TaintManager)))\s{1,16}(?P<reason>[A-Z][A-Za-z]{3,60})\s")
_TAKEN = Pattern(
    r"^(?:Evicted|Failed(?!Scheduling)\w*|Unexpected\w*|OutOf\w*|Preempt\w*|Node(?:NotReady|Shutdown|NotSchedulable|Lost)|SystemOOM|OOMKilling|InspectFailed|NetworkNotReady|"
    r"ErrImage\w*|TaintManagerEviction)$"
)
_STATUS = Pattern(r"^Message:\s{2,24}\S")
_LOST = Pattern(
    r"[Nn]ode failure on|imminent node shutdown|(?:was|to be|been) preempted|DUE TO (?:PREEMPTION|NODE FAILURE)|NODE_FAIL|"
    r"^(?!Reason:).{0,200}\bEvicted\b|failed (?:startup|liveness) probe|interruption notice"
)
_LOST_GATE = ("ode failure", "node shutdown", "preempt", "PREEMPT", "NODE", "Evicted", "probe", "interruption")
#: Open MPI's launcher frames what it has to say with lines of dashes.
_FRAME = Pattern(r"^-{60,}\s*$")
_REFUSES = Pattern(r"\b(?:[Nn]ot?|[Uu]nable|[Ff]ail(?:ed|s|ure)?|[Ee]rrors?|[Cc]annot|[Cc]ould not|[Uu]nexpectedly|[Aa]bort(?:ed|ing)?|[Ii]nvalid|denied|refused|lost|[Ii]nsufficient)\b")


def told(line: Line) -> Told | None:
    """The fault that a line tells by its writer's word, or None."""
    message = line.message
    kernel = line.origin.writer == "kernel" or message.startswith("NVRM: ")
    if kernel and "Xid (" not in message and _BROKEN.search(message) and not _HARMLESS.search(message):
        if _DRIVERS.match(message):
            return Told("driver", "hardware" if _HARDWARE.search(message) else "kernel")
        if _HOST.match(message):
            return Told("kernel", "kernel")
    if any_of(_LIBRARY_GATE, message) and _LIBRARY.search(message):
        return Told("library", "kernel")
    if line.origin.writer is not None and "fabricmanager" in line.origin.writer and (line.origin.level in ("E", "F", "C") if line.origin.level else _UNFIT.search(message)):
        return Told("fabric", "hardware")
    if line.origin.writer == "UCX" and line.origin.level in ("E", "F"):
        return Told("transport", "communication", role="either", weight=3)
    return _cluster(message)


def _cluster(message: str) -> Told | None:
    """What the cluster says of a pod, a node or a job that it took away or never gave."""
    if "Warning " in message[:60] or "Normal " in message[:60]:
        event = _EVENT.match(message)
        if event:
            return Told("cluster", "scheduler", away=True) if _TAKEN.match(event["reason"]) else None
    if message.startswith("Message: ") and _STATUS.match(message):
        return Told("cluster", "scheduler", away=True)
    if any_of(_LOST_GATE, message) and _LOST.search(message[:2000]):
        return Told("lost", "scheduler", away=True)
    return None


def framed(message: str, before: str) -> bool:
    """Whether the line opens a framed notice of a launcher that refuses to go on; notices that only warn say so."""
    opens = message[:1].isupper() and before.startswith("-----") and bool(_FRAME.match(before))
    return opens and not message.startswith("WARNING") and "is a warning" not in message and bool(_REFUSES.search(message))
