# SPDX-License-Identifier: MIT
"""What the engine keeps of a recognised line, and of an input as a whole."""
from __future__ import annotations

from .database import Signal
from .lazy import Pattern
from .lines import Line
from .records import field, record
from .tracebacks import Traceback

#: Words on what another process did or did not do.
_OF_OTHERS = Pattern(
    r"(?:[Cc]losed|[Rr]eset) by (?:remote )?peer|[Cc]onnection (?:was |has been )?(?:closed|reset|lost|aborted)|[Bb]roken pipe|"
    r"[Rr]emote (?:process|peer|side|end|task)\b.{0,30}(?:exit|clos|died|fail|gone)|recvValue failed|[Ff]ailed to recv|[Tt]imed out|[Tt]ime-?out\b|TIMEOUT|DEADLINE_EXCEEDED|[Ww]atchdog"
)


@record(slots=True)
class Event:
    """A recognised line.

    ``entry`` is None for an error that no entry knows; then ``label`` says what it is.  ``when`` is in seconds,
    comparable between events of one log; ``at_least`` says that the line has no time of its own and ``when`` is that of
    a line before it.  ``count`` is how often it stands there; ``last`` the order of the last.
    """

    entry: str | None
    signal: Signal | None
    role: str
    layer: str
    line: Line
    captures: dict[str, str]
    block: Traceback | None = None
    label: str = ""
    weight: int = 0
    specificity: int = 0
    rank: int | None = None
    local_rank: int | None = None
    host: str | None = None
    when: float | None = None
    at_least: bool = False
    count: int = 1
    last: int = 0
    kind: str = "failure"
    derived: str = ""
    assumed: bool = False
    death: bool = False
    around: list[tuple[int, str]] = field(default_factory=list)

    @property
    def uncaught(self) -> bool:
        """Whether torch's hook for uncaught exceptions printed it, so that its process is gone: the hook writes the rank before every line."""
        first = self.block.first if self.block is not None else None
        return first is not None and "[rank" in first.body and first.message.startswith("Traceback") and not first.origin.header

    @property
    def hearsay(self) -> bool:
        """Whether it only tells that another process, and not which, fell silent or went away."""
        told = self.layer == "communication" and self.role == "either" and not self.derived and "culprit" not in self.captures
        return told and bool(_OF_OTHERS.search(self.line.message[:2000]))

    @property
    def order(self) -> int:
        """Place in the reading order over all inputs."""
        return self.line.order


@record(slots=True)
class FileFacts:
    """What one input tells as a whole."""

    name: str
    ranks: set[int] = field(default_factory=set)
    progress: list[tuple[int, int, str]] = field(default_factory=list)
    last_line: Line | None = None
    last_said: Line | None = None
    ranked: bool = False
    lines: int = 0
    times: list[tuple[int, float]] = field(default_factory=list)
