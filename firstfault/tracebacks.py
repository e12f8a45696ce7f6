# SPDX-License-Identifier: MIT
"""Python tracebacks: a chain of exceptions is one block, and its cause is the head of the chain.

Lines of several processes interleave, so each stream (rank, local rank, task, source) has a state of its own.
"""
from __future__ import annotations

import re

from .lazy import Pattern
from .lines import Line
from .records import field, record

_START = "Traceback (most recent call last)"
_RICH_START = Pattern(r"^\s{0,8}╭.{0,200}Traceback \(most recent call last\)")
#: A message goes on over lines of its process that stand at most this far apart.
_APART = 300
#: An exception in a finaliser or a hook: Python prints it and goes on.
_IGNORED = "Exception ignored in"
_IN_THREAD = "Exception in thread "
#: How distributed checkpointing heads the traceback of another rank.
_OF_RANK = Pattern(r"\(RANK (\d{1,7})\)")
_CHAINED = Pattern(r"(During handling of the above exception, another exception occurred|The above exception was the direct cause of the following exception)")
_FRAME = Pattern(r'^[\s|+]{0,80}File "(?P<path>[^"]{1,1000})", line (?P<line>\d{1,9}), in (?P<fn>.{1,300})$')
_RAISED = Pattern(r"^(?P<type>(?:[A-Za-z_]\w{0,80}\.){0,12}[A-Za-z_]\w{0,80})(?:\((?P<inner>[\w.]{1,80})\))?(?::\s?(?P<text>.*))?$", re.DOTALL)
#: An exception line that stands by itself, in a paste without its frames.
_ALONE = Pattern(
    r"^(?P<type>(?:[A-Za-z_]\w{0,80}\.){0,12}[A-Z]\w{0,80}(?:Error|Exception|Interrupt|Exit|Failed|Failure|Fault|NotFound|Exceeded|Invalid))"
    r"(?:\((?P<inner>[\w.]{1,80})\))?: (?P<text>\S.*)$",
    re.DOTALL
)
_MARGIN = Pattern(r"^[ ]{0,40}[|+][ |+-]{0,40}")
#: How torch.multiprocessing.spawn begins the report of a child, in an exception of its own or, before torch 1.6, in a plain `Exception`.
_OF_CHILD = "-- Process "
_CPP_FRAME = Pattern(r"^(?:frame #\d{1,4}: |Exception raised from )")
#: Types whose text only reports another exception.
WRAPPER_TYPES = frozenset("""
ChildFailedError CalledProcessError SubprocessCalledProcessError RuntimeEnvSetupError ProcessRaisedException ProcessExitedException RayTaskError ActorDiedError RayActorError WorkerCrashedError
CheckpointException TrainingFailedError TaskCancelledError ActorUnavailableError NodeDiedError ExceptionGroup BaseExceptionGroup SubprocException
HydraException ApplicationError
""".split())
#: Types that end a process on request of somebody else.
STOP_TYPES = frozenset("KeyboardInterrupt SystemExit SignalException CancelledError GeneratorExit BrokenPipeError EOFError ZMQError".split())
#: What reading ends with where the other side stopped writing.
_CUT_SHORT = frozenset(("EOFError", "UnpicklingError"))
#: What a process sees of one that is gone, on the way to the exception that says which and why.
_PEER_TYPES = frozenset("ConnectionResetError ConnectionAbortedError Empty".split())
#: Lookups that fail on the way to the exception that means something.
_LOOKUP_TYPES = frozenset("KeyError AttributeError StopIteration IndexError LookupError TypeError ValueError ModuleNotFoundError ImportError NotImplementedError".split())


@record(slots=True)
class Raised:
    """One exception of a chain: its type (last part of the dotted name), full type, text and line."""

    type: str
    full_type: str
    text: str
    line: Line
    context: bool = False

    @property
    def label(self) -> str:
        """`Type: text`, cut to one readable line."""
        return f"{self.full_type}: {self.text}"[:300].rstrip(": ")


@record(slots=True)
class Traceback:
    """A block of lines: one chain of exceptions with its frames."""

    first: Line
    last: Line
    headered: bool
    raised: list[Raised] = field(default_factory=list)
    frames: list[tuple[str, str, Line]] = field(default_factory=list)
    inner: bool = False
    state: str = "frames"
    indent: int = 0
    strange: int = 0
    context: bool = False
    rich: bool = False
    ignored: bool = False
    thread: bool = False
    rank: int | None = None
    #: Its stream, where only its first line carries the prefix and the others follow it bare.
    bare: tuple[object, ...] | None = None

    @property
    def orphan(self) -> bool:
        """Whether a spawned child stopped in the middle of what its parent sends it at the start: the parent was gone."""
        path, function, _ = self.frames[-1] if self.frames else ("", "", None)
        return function == "_main" and path.endswith("multiprocessing/spawn.py") and bool(self.raised) and self.raised[-1].type in _CUT_SHORT

    def cause(self) -> Raised | None:
        """The exception that started the chain.  "During handling" after a failed lookup, or after a pipe that broke, is the later one."""
        if self.ignored:
            return None
        chain = [raised for raised in self.raised if raised.type not in WRAPPER_TYPES] or self.raised
        for index, raised in enumerate(chain):
            following = chain[index + 1] if index + 1 < len(chain) else None
            if following and following.context and raised.type in (_LOOKUP_TYPES | STOP_TYPES | _PEER_TYPES) and following.type not in STOP_TYPES:
                continue
            return raised
        return None


class TracebackReader:
    """Feeds on lines in order; tells for each line the block it belongs to."""

    def __init__(self) -> None:
        self.blocks: list[Traceback] = []
        self._open: dict[tuple[object, ...], Traceback] = {}
        self._ignored: dict[tuple[object, ...], int] = {}
        self._in_thread: dict[tuple[object, ...], int] = {}
        self._latest: Traceback | None = None

    def feed(self, line: Line) -> Traceback | None:
        """The block of this line, or None."""
        key = (line.file, *line.origin.stream())
        block = self._open.get(key)
        message = line.message
        if block is None and self._latest is not None and self._follows_bare(self._latest, line):
            block = self._latest
            key = block.bare = (line.file, *block.first.origin.stream())
            block.rank = block.first.origin.rank if block.rank is None else block.rank
        self._latest = None
        if _IGNORED in message:
            self._ignored[key] = line.number
        if _IN_THREAD in message:
            self._in_thread[key] = line.number
        if _START in message or (message[:12].lstrip()[:1] == "╭" and _RICH_START.match(message)):
            return self._start(key, block, line)
        if block is None:
            return self._alone(line)
        taken = self._continue(block, line, key)
        if taken or (block.bare and not message.strip()):
            self._latest = block if block.bare else None
        if taken:
            block.last = line
            return block
        return self._alone(line) if key not in self._open else None

    @staticmethod
    def _follows_bare(block: Traceback, line: Line) -> bool:
        """Whether a line without a prefix stands right below a block whose prefix only its first line carries, as loggers write a whole traceback; what a collector puts before every line is none."""
        origin = line.origin
        parts, first = origin.stream(), block.first.origin.stream()
        return (
            line.file == block.first.file and line.number - block.last.number <= 3 and (block.bare is not None or block.first is block.last)
            and not origin.header and parts != first and origin.host == block.first.origin.host
            and all(part in (None, one, origin.host) for part, one in zip(parts, first, strict=True))
        )

    def _start(self, key: tuple[object, ...], block: Traceback | None, line: Line) -> Traceback:
        """A line that begins a traceback: of the same chain, inside a message, or a new one."""
        indent = len(line.message) - len(line.message.lstrip(" |+│"))
        of_rank = _OF_RANK.search(line.message)
        if block is not None and block.state == "chain":
            block.state, block.last, block.indent = "frames", line, indent
            self._latest = block if block.bare else None
            block.rank = int(of_rank[1]) if of_rank else block.rank
            return block
        new = Traceback(line, line, line.origin.header, indent=indent, inner=block is not None and block.state == "message", rich="╭" in line.message)
        new.rank = int(of_rank[1]) if of_rank else None
        new.ignored = line.number - self._ignored.get(key, -9) <= 2
        new.thread = line.number - self._in_thread.get(key, -9) <= 2
        self.blocks.append(new)
        self._open[key] = self._latest = new
        return new

    def _alone(self, line: Line) -> Traceback | None:
        """An exception line without frames is a block of its own."""
        message = line.message.lstrip()
        if not message[:1].isalpha() or ": " not in message[:200] or line.origin.writer == "kernel":
            return None
        found = _ALONE.match(message)
        if not found:
            return None
        block = Traceback(line, line, line.origin.header, state="message")
        block.raised.append(_raised(found, line, context=False))
        self.blocks.append(block)
        self._open[(line.file, *line.origin.stream())] = block
        return block

    def _continue(self, block: Traceback, line: Line, key: tuple[object, ...]) -> bool:
        """Whether the line belongs to the open block; closes the block when it is over."""
        message = line.message
        plain = _MARGIN.sub("", message) if message.lstrip()[:1] in "|+" and message.strip() else message
        if not plain.strip():
            if block.state == "message":
                block.state = "gap"
            return False
        chained = _CHAINED.search(plain)
        if chained:
            block.state, block.context = "chain", chained[0].startswith("During")
            return True
        if block.state == "frames":
            return self._frames(block, line, plain)
        if block.raised and not block.raised[-1].text and _says(block, line, plain, tagged=any(part is not None for part in key[1:])):
            block.state = "message"
            return True
        if _CPP_FRAME.match(plain):
            return True
        if block.state == "message" and _FRAME.match(plain):
            block.state = "frames"
            return self._frames(block, line, plain)
        if block.state == "message" and not (line.origin.header and not block.headered):
            near = line.number - block.last.number <= _APART
            if near and (plain[0] in " \t" or any(part is not None for part in key[1:])):
                block.strange += 1
                if block.strange < 80:
                    return True
            block.state = "gap"
            return False
        if block.state == "chain":
            return False
        del self._open[key]
        return False

    def _frames(self, block: Traceback, line: Line, plain: str) -> bool:
        """A line while frames are read: a frame, its code, or the exception that ends them."""
        frame = _FRAME.match(plain)
        if frame:
            block.frames.append((frame["path"], frame["fn"], line))
            return True
        if block.rich and (plain[:1] in "╭╰│┃" or line.body.lstrip()[:1] in "╭╰│┃"):
            return True
        depth = len(plain) - len(plain.lstrip())
        if (depth > block.indent or plain[0] in " \t") and (depth > block.indent + 1 or not _ALONE.match(plain.strip())):
            return True
        found = _RAISED.match(plain.strip())
        if found and (block.frames or block.rich) and _looks_raised(found):
            block.raised.append(_raised(found, line, block.context))
            block.state, block.strange = "message", 0
            return True
        block.strange += 1
        if block.strange > 400:
            block.state = "gap"
        return False


def _says(block: Traceback, line: Line, plain: str, *, tagged: bool) -> bool:
    """Whether a line is where a message begins that starts with a line break (`RuntimeError: ` and nothing behind it): it is what the exception says."""
    raised = block.raised[-1]
    if raised.type in WRAPPER_TYPES or not raised.line.message.rstrip().endswith(":") or line.number - raised.line.number > 3:
        return False
    if plain.startswith(_OF_CHILD):
        raised.type = "ProcessRaisedException"
        return False
    if plain[0] not in " \t" and not tagged:
        return False
    raised.text, raised.line = plain.strip(), line
    return True


def _looks_raised(found: re.Match[str]) -> bool:
    """An exception line names a type that looks like one; other text between frames is another process's."""
    name = found["type"]
    last = name.rpartition(".")[2]
    if found["text"] is None:
        return last[:1].isupper() or last.endswith(("error", "exception"))
    return "." in name or last[:1].isupper() or last.endswith(("error", "exception"))


def _raised(found: re.Match[str], line: Line, context: bool) -> Raised:
    full = found["type"]
    kind = full.rpartition(".")[2]
    return Raised(kind, full, (found["text"] or "").strip(), line, context)
