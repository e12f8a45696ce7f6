# SPDX-License-Identifier: MIT
"""Whose fault it was: the rank of the first fault, where its own line does not name one.

Every guess is marked: ``assumed`` says that a convention stood in for a word of the log.
"""
from __future__ import annotations

import re

from . import causes
from .events import Collector, Event, in_bar
from .launchers import Failure
from .lazy import Pattern
from .lines import Line

_WAITED = Pattern(r"[Tt]imed out|[Tt]imeout|[Cc]onnection (?:closed|reset)|closed by peer|[Bb]roken pipe|recvValue|Failed to recv")

#: Where nothing tells the number of ranks: from so many that waited on, the one number that is left out below the highest is the silent one.
_ENOUGH = 3
#: A word on ranks, or the number that a scheduler or launcher gives the first task.
_RANKED = Pattern(r"\b(?:task|rank|[Ll]ocal_rank|RANK)[ _=:-]{1,3}0\b")
#: Process numbers of fewer digits are alike in many containers.
_OWN_NUMBER = 3
#: A last line shorter than this says nothing of what a rank was doing.
_TELLING = 20


def place(root: Event, collector: Collector, judged: list[Event]) -> None:
    """Fill in the rank where only the launcher knows it: the one worker that failed by itself."""
    failures = collector.launchers.failures
    if root.rank is None and root.local_rank is not None and failures:
        same = {failure.rank for failure in failures if failure.local_rank == root.local_rank and (root.host is None or failure.host in (None, root.host))}
        if len(same) == 1:
            root.rank = same.pop()
    if root.rank is None and root.layer == "kernel":
        _rank_of_the_killed(root, collector, judged)
    if root.rank is None:
        said = {event.rank for event in judged if same_fault(event, root) and event.rank is not None}
        root.rank = said.pop() if len(said) == 1 else None
    if root.layer == "communication" and not root.derived:
        _blame_the_silent(root, collector, judged)
    if root.rank is None and root.layer in ("process", "launcher") and failures:
        _rank_that_failed_alone(root, failures)
    if root.rank is None and root.line.origin.device is not None:
        _rank_of_device(root, judged)
    if root.rank is None:
        _assume_rank(root, collector, judged)
    if root.host is None and root.rank is not None:
        hosts = {failure.host for failure in failures if failure.rank == root.rank and failure.host}
        if len(hosts) == 1:
            root.host = hosts.pop()


def _rank_of_the_killed(root: Event, collector: Collector, judged: list[Event]) -> None:
    """The kernel names a process, not a rank: the one worker that the launcher saw killed, else the one event that is a death."""
    launchers = collector.launchers
    killed = {failure.rank for failure in launchers.failures if failure.code == -9} or {launchers.rank_of_pid(None, pid) for code, _local, pid, _line in launchers.agents if code == -9}
    if len(killed) == 1:
        root.rank = killed.pop()
    if root.rank is None:
        root.rank = _rank_of_process(root, collector, judged)
    dead = [event for event in judged if event.death]
    if root.rank is None and len(dead) == 1:
        root.rank, root.local_rank = (dead[0].rank, dead[0].local_rank) if dead[0].rank is not None else (dead[0].local_rank, dead[0].local_rank)
        root.assumed = dead[0].rank is None


def _rank_of_process(root: Event, collector: Collector, judged: list[Event]) -> int | None:
    """The rank of the process that the kernel killed, or of the one that complains of its child's death, by the process number."""
    pid = root.captures.get("pid", "")
    if not pid.isdecimal() or len(pid) < _OWN_NUMBER:
        return None
    known = collector.launchers.rank_of_pid(root.host, int(pid))
    named = {event.rank for event in judged if event.rank is not None and re.search(rf"\bpid[ :=]{{1,3}}{pid}\b", event.line.body[:2000])}
    if known is None and len(named) == 1:
        known = named.pop()
    return known


def _rank_that_failed_alone(root: Event, failures: list[Failure]) -> None:
    """The one worker of the launcher's report that was neither stopped by the launcher nor aborted in its wake."""
    own = _own(root, failures)
    alone = {failure.rank for failure in own if failure.code not in (-15, -6)}
    if not alone and len(own) < len(failures):
        alone = {failure.rank for failure in own if failure.code != -15}
    if len(alone) == 1:
        root.rank = alone.pop()


def _own(root: Event, failures: list[Failure]) -> list[Failure]:
    """The launcher's reports in the same input as the fault, if there are any: each node's launcher knows its own ranks only."""
    return [failure for failure in failures if failure.line is not None and failure.line.file == root.line.file] or failures


def _blame_the_silent(root: Event, collector: Collector, judged: list[Event]) -> None:
    """All ranks but one say that they waited: the one to look at is the one that says nothing."""
    waiting = {event.rank for event in judged if event.rank is not None and event.layer == "communication" and event.role != "root"}
    world = collector.world() or (max(waiting, default=-1) + 1 if len(waiting) >= _ENOUGH else 0)
    if not _WAITED.search(root.line.body) or world < 2 or len(waiting) != world - 1:
        return
    silent = (set(range(world)) - waiting).pop()
    root.derived = f"{len(waiting)} of {world} ranks waited for another; rank {silent} says nothing"
    root.rank, root.local_rank = silent, None


def last_words(root: Event, collector: Collector) -> Line | None:
    """What the accused rank wrote last in a file of its own, where that says what it was doing: no step, no record of a library, no event."""
    if not root.derived.endswith("says nothing"):
        return None
    own = [facts for name, facts in collector.files.items() if facts.ranks == {root.rank} or (not facts.ranks and collector.rank_of(name) == root.rank)]
    lines = [facts.last_said for facts in own if facts.last_said is not None and not (facts.progress and facts.progress[-1][0] > facts.last_said.order)]
    telling = [line for line in lines if len(line.message.strip()) >= _TELLING]
    return telling[0] if len(telling) == 1 else None


def _rank_of_device(root: Event, judged: list[Event]) -> None:
    """NCCL names a device, not a rank: the next rank to fail that can sit on this device is the one."""
    for event in judged:
        if event.order > root.order and event.rank is not None and event.rank % 8 == root.line.origin.device and causes.soon(root, event):
            root.rank, root.assumed = event.rank, True
            return


def _assume_rank(root: Event, collector: Collector, judged: list[Event]) -> None:
    """The rank where no line names it: the one worker the launcher saw fail, a GPU's index, else the one its program says it is, rank 0 when it says nothing and no other rank ever speaks."""
    launchers = collector.launchers
    pod = launchers.pod_of(root.line, collector.files.keys())
    host = re.search(r"-(\d{1,4})$", root.host or "")
    if pod is not None and root.layer in ("scheduler", "kernel"):
        root.rank, root.assumed = pod, True
    if root.layer in ("hardware", "scheduler") or root.rank is not None:
        return
    if in_bar(root):
        root.rank, root.assumed = 0, True  # bars are drawn by the main process only
        return
    if root.layer == "communication" and root.line.origin.device is not None and host and int(host[1]) == 0:
        root.rank, root.assumed = root.line.origin.device, True
        return
    failed = {(local, pid) for code, local, pid, _line in launchers.agents if code != -15}
    named = set().union(*(facts.ranks for facts in collector.files.values())) | set(launchers.by_pid.values())
    gpu = root.captures.get("gpu", "")
    if len(failed) == 1 and root.layer == "process":
        root.local_rank, pid = failed.pop()
        known = launchers.rank_of_pid(None, pid)
        root.rank, root.assumed = (root.local_rank, True) if known is None else (known, False)
    elif gpu.isdecimal() and len(gpu) < 3 and not named:
        root.rank, root.assumed = int(gpu), True
    elif named <= {0} and not launchers.failures and not failed and (named or _speaks_of_ranks(root, collector, judged)):
        root.rank, root.assumed = launchers.own_rank(root.line.file), True


def _speaks_of_ranks(root: Event, collector: Collector, judged: list[Event]) -> bool:
    """Whether a log that names no rank in its prefixes is of a run that has ranks at all: of `kubectl` or a kernel's log nobody asks which rank it is."""
    return collector.launchers.world is not None or bool(collector.launchers.selves.get(root.line.file)) or root.line.origin.device == 0 or any(_RANKED.search(event.line.text) for event in judged)


def same_fault(event: Event, root: Event) -> bool:
    """Whether an event is the first fault said again: the same entry, or an unknown error that differs in numbers, paths and addresses only."""
    return event.entry == root.entry and (event.entry is not None or shape(event.label) == shape(root.label))


def shape(label: str) -> str:
    return re.sub(r"0x[0-9a-fA-F]+|[0-9]+|'[^']{0,200}'|/[^\s:,]{1,200}", "#", label)[:100]
