# SPDX-License-Identifier: MIT
"""Stacks that were dumped while a run stood still: the rank whose main thread waits for nobody is the one that the others wait for.

`faulthandler.dump_traceback_later`, a signal handler and `py-spy dump` print where every thread stands, and no error at
all; only side by side do the dumps say who holds up whom.
"""
from __future__ import annotations

from collections.abc import Callable

from .event import Event
from .lazy import Pattern
from .lines import Line
from .records import field, record

_HEADER = Pattern(r"^(?:Current t|T)hread 0x[0-9a-f]{1,16}(?: \[[^\]]{0,60}\])? \(most recent call first\):|^Thread \S{1,24} \([a-z+]{1,20}\): \"(?P<name>[^\"]{1,80})\"")
_FRAME = Pattern(r'^\s{1,8}File "(?P<path>[^"]{1,400})", line (?P<number>\d{1,9}) in (?P<function>\S{1,200})|^\s{2,8}(?P<called>[\w.<>]{1,200}) \((?P<file>[^()]{1,400}):(?P<at>\d{1,9})\)\s*$')
#: Where a rank waits for others: a collective, a wait for its end, the reduction of gradients on the way back.
_WAITS = Pattern(r"distributed_c10d\.py|torch/distributed/(?:rpc|tensor|_functional_collectives)|mpi4py|multihost_utils\.py")
#: The frame of autograd's backward pass.
BACKWARD = "_engine_run_backward"
#: A crash prints its stack too; it is no rank that stands still.
_CRASH = "Fatal Python error"
_MOST_FRAMES, _MOST_DUMPS = 40, 512


@record(slots=True)
class Stack:
    """One thread's frames, the innermost first."""

    header: Line
    main: bool = False
    frames: list[tuple[str, str, Line]] = field(default_factory=list)

    @property
    def waits(self) -> str:
        """The call in which it waits for other ranks, or nothing."""
        return next((function for path, function, _line in self.frames if _WAITS.search(path) or function == BACKWARD), "")


class Stacks:
    """The last dump of every process: of its threads the main one."""

    def __init__(self) -> None:
        self.last: dict[tuple[object, ...], Stack] = {}
        self._open: dict[tuple[object, ...], Stack] = {}
        self._crashed: set[tuple[object, ...]] = set()

    def feed(self, line: Line) -> None:
        """Read one line that belongs to no traceback."""
        message = line.message
        if not self._open and "hread " not in message and _CRASH not in message:
            return
        key = (line.file, *line.origin.stream())
        if _CRASH in message:
            self._crashed.add(key)
            return
        if "hread " in message and (found := _HEADER.match(message)):
            stack = Stack(line, main=found["name"] == "MainThread")
            if key not in self._crashed and (key in self.last or len(self.last) < _MOST_DUMPS):
                self._open[key] = stack
                if not (key in self.last and self.last[key].main and not stack.main and line.number - self.last[key].header.number < 400):
                    self.last[key] = stack  # faulthandler prints the main thread last, py-spy names it
            return
        stack_open = self._open.get(key)
        if stack_open is None:
            return
        frame = _FRAME.match(message)
        if frame is None:
            del self._open[key]
        elif len(stack_open.frames) < _MOST_FRAMES:
            stack_open.frames.append((frame["path"] or frame["file"], frame["function"] or frame["called"], line))


def compare(stacks: Stacks, rank_of: Callable[[str], int | None]) -> list[Event]:
    """The rank that waits for nobody while most others do, on the line of the frame in which it stands."""
    ranks: dict[int, Stack] = {}
    for stack in stacks.last.values():
        rank = stack.header.origin.rank if stack.header.origin.rank is not None else rank_of(stack.header.file)
        if rank is not None and stack.frames:
            ranks[rank] = stack
    waiting = {rank: stack.waits for rank, stack in ranks.items() if stack.waits}
    busy = sorted(set(ranks) - set(waiting))
    if not busy or len(busy) >= len(waiting) + (len(ranks) == 2):
        return []
    _path, function, line = ranks[busy[0]].frames[0]
    calls = ", ".join(sorted(set(waiting.values())))
    label = f"rank {busy[0]} stands in {function}; the others wait in {calls}"
    return [Event(None, None, "root", "process", line, {}, None, label, 6, rank=busy[0], last=line.order, derived=label)]
