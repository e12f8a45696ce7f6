# SPDX-License-Identifier: MIT
"""What launchers and libraries tell about ranks: torchrun's failure block, pid to rank, the world's size."""
from __future__ import annotations

from collections.abc import Collection

from .lazy import Pattern
from .lines import Line
from .records import field, record

_RANK = Pattern(r"^\s*rank\s+: (?P<rank>\d{1,7}) \(local_rank: (?P<local>\d{1,5})\)")
_EXIT = Pattern(r"^\s*exitcode\s+: (?P<code>-?\d{1,5}) \(pid: (?P<pid>\d{1,9})\)")
_FIELD = Pattern(r"^\s*(?P<key>time|host)\s+: (?P<value>\S{1,253})")
_ROOT = Pattern(r"Root Cause \(first observed failure\):")
_AGENT = Pattern(r"failed \(exitcode: (?P<code>-?\d{1,5})\) local_rank: (?P<local>\d{1,5}) \(pid: (?P<pid>\d{1,9})\)")
_NCCL_RANK = Pattern(r"\brank (?P<rank>\d{1,7}) nranks (?P<world>\d{1,7})")
_WORLD = Pattern(r"(?:world[_ ]size|WORLD_SIZE|nranks|nprocs|num_processes|global_world_sizes?)['\"]?[ =:\[]{1,4}(?P<world>\d{1,7})")
_POD = Pattern(r"^Name:\s+[a-z0-9][a-z0-9.-]{0,200}-(?P<index>\d{1,5})\s*$")
_POD_TEXT = Pattern(r"\bpods?[ /][a-z0-9][a-z0-9.-]{0,200}?-(?P<index>\d{1,5})(?![\w-])")
_POD_FILE = Pattern(r"[a-z][a-z-]{1,80}-(?P<index>\d{1,4})\.(?:txt|log|out)$")
_SPAWNED = Pattern(r"-- Process (?P<rank>\d{1,6}) terminated with the following error")
_OF_WORLD = Pattern(r"\brank (?P<rank>\d{1,7}) of (?P<world>\d{1,7})\b")
_MEMBER = Pattern(r"GLOBAL_RANK: (?P<rank>\d{1,7}), MEMBER: \d{1,7}/(?P<world>\d{1,7})")
#: A program introduces itself: its rank beside the world's size, or a setting of its own on a line.
_SELF = Pattern(
    r"(?:world[_ ]size|WORLD_SIZE)['\"]?[ =:]{1,4}\d{1,7}[,;]? {0,2}(?:and )?rank['\"]?[ =:]{1,4}(?P<after>\d{1,7})\b|"
    r"\brank['\"]?[ =:]{1,4}(?P<rank>\d{1,7}),? {0,2}(?:and )?(?:world[_ ]size|WORLD_SIZE)|^[\w.]{0,40}(?:dist|global)_rank: (?P<alone>\d{1,7})\s*$"
)


@record(slots=True)
class Failure:
    """One worker in a torchrun failure block."""

    rank: int | None = None
    local_rank: int | None = None
    host: str | None = None
    time: str | None = None
    code: int | None = None
    pid: int | None = None
    line: Line | None = None
    named_root: bool = False


@record(slots=True)
class Launchers:
    """Facts gathered over all lines."""

    failures: list[Failure] = field(default_factory=list)
    agents: list[tuple[int, int, int, Line]] = field(default_factory=list)
    by_pid: dict[tuple[str | None, int], int] = field(default_factory=dict)
    world: int | None = None
    spawned: dict[int, int] = field(default_factory=dict)
    pods: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    selves: dict[str, set[int]] = field(default_factory=dict)
    _current: Failure | None = None
    _root_next: bool = False

    def feed(self, line: Line) -> None:
        """Read one line."""
        message = line.message
        if "rank" in message or "exitcode" in message or "host " in message or "time " in message or "Root Cause" in message:
            self._block(message, line)
        if message.startswith("Name:"):
            found = _POD.match(message)
            if found:
                self.pods.setdefault(line.file, []).append((line.order, int(found["index"])))
        if "terminated with the following error" in message:
            found = _SPAWNED.search(message)
            if found:
                self.spawned[line.order] = int(found["rank"])
        if "failed (exitcode" in message:
            found = _AGENT.search(message)
            if found:
                self.agents.append((int(found["code"]), int(found["local"]), int(found["pid"]), line))
        if "rank" in message:
            self._ranks(message, line.file)
        if "nranks" in message and line.origin.pid is not None:
            self._nccl_rank(message, line.origin.host, line.origin.pid)
        elif "orld" in message or "WORLD" in message or "num_processes" in message or "nprocs" in message or "MEMBER" in message:
            found = _MEMBER.search(message) or _WORLD.search(message)
            if found:
                self._grow(int(found["world"]))

    def _introduced(self, message: str, file: str) -> None:
        """The rank that a program says it has, and how many there are."""
        found = _SELF.search(message[:400])
        ranks = self.selves.setdefault(file, set())
        if found and len(ranks) < 64:
            ranks.add(int(found["after"] or found["rank"] or found["alone"]))

    def own_rank(self, file: str) -> int:
        """The rank of a program that logs as one process: the one it introduced itself with, else 0."""
        ranks = self.selves.get(file) or {0}
        return min(ranks) if len(ranks) == 1 else 0

    def _ranks(self, message: str, file: str) -> None:
        """What a line with a rank in it tells of this process and of the others."""
        if "rank " in message and " of " in message:
            self._of_world(message)
        if "orld" in message or "WORLD" in message or "_rank: " in message:
            self._introduced(message, file)

    def _of_world(self, message: str) -> None:
        """`rank 3 of 8`, unless it counts in another way than ranks do."""
        found = _OF_WORLD.search(message)
        if found and int(found["rank"]) < int(found["world"]):
            self._grow(int(found["world"]))

    def _nccl_rank(self, message: str, host: str | None, pid: int) -> None:
        """NCCL's line at the start of a communicator: which process is which rank."""
        found = _NCCL_RANK.search(message)
        if found:
            self.by_pid.setdefault((host, pid), int(found["rank"]))
            self._grow(int(found["world"]))

    def _grow(self, world: int) -> None:
        if 0 < world < 1_000_000:
            self.world = max(self.world or 0, world)

    def _block(self, message: str, line: Line) -> None:
        """Lines of a failure block: `time`, `host`, `rank`, `exitcode`, in this order."""
        if _ROOT.search(message):
            self._root_next = True
            return
        found = _FIELD.match(message)
        if found:
            if found["key"] == "time" or self._current is None or self._current.code is not None:
                self._current = Failure(named_root=self._root_next)
            if found["key"] == "time":
                self._current.time = found["value"]
            else:
                self._current.host = found["value"]
            return
        found = _RANK.match(message)
        if found:
            if self._current is None or self._current.rank is not None:
                self._current = Failure(named_root=self._root_next)
            self._current.rank, self._current.local_rank = int(found["rank"]), int(found["local"])
            return
        found = _EXIT.match(message)
        if found and self._current is not None and self._current.rank is not None:
            current = self._current
            current.code, current.pid, current.line = int(found["code"]), int(found["pid"]), line
            self.failures.append(current)
            self.by_pid.setdefault((None, current.pid), current.rank)
            self._current, self._root_next = None, False

    def pod_of(self, line: Line, files: Collection[str]) -> int | None:
        """The index of the pod that a line speaks of: its text, the description it stands in, the file's name among its like."""
        found = _POD_TEXT.search(line.message[:400])
        if found:
            return int(found["index"])
        before = [index for order, index in self.pods.get(line.file, ()) if order <= line.order]
        if before:
            return before[-1]
        found = _POD_FILE.search(line.file)
        stem = line.file[:found.start("index")] if found else ""
        alike = sum(name.startswith(stem) and bool(_POD_FILE.search(name)) for name in files) if found else 0
        return int(found["index"]) if found and alike > 1 else None

    def rank_of_local(self, file: str, local: int) -> int | None:
        """The global rank of a worker that a launcher calls by its local one: the distance of both is the same for all workers of a node."""
        here = [failure for failure in self.failures if failure.line is not None and failure.line.file == file]
        apart = {failure.rank - failure.local_rank for failure in here if failure.rank is not None and failure.local_rank is not None}
        return local + apart.pop() if len(apart) == 1 else None

    def rank_of_pid(self, host: str | None, pid: int) -> int | None:
        """The global rank of a process, if it was learnt."""
        found = self.by_pid.get((host, pid))
        if found is None:
            ranks = {rank for (known_host, known), rank in self.by_pid.items() if known == pid and None in (host, known_host)}
            found = ranks.pop() if len(ranks) == 1 else None
        return found
