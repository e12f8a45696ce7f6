# SPDX-License-Identifier: MIT
"""Which faults count: attempts and restarts, faults followed by progress, healthy ends."""
from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter

from . import generic
from .event import FileFacts
from .events import Collector, Event, time_at
from .records import field, record

#: A new attempt begins only where a failure came before and something went on after.
_STRONG = 3
#: So often survived, a complaint is taken to be survived again.
_OFTEN = 5
#: After every line: a scheduler's record of a good end counts wherever it stands.
_AT_LAST = 1 << 60
#: Progress lines looked at before a fault, to know where each counter stood.
_LOOK_BACK = 400


@record(slots=True)
class Episodes:
    """The attempts of a log, and what is left to judge in the last one."""

    attempts: int = 1
    judged: list[Event] = field(default_factory=list)
    recovered: list[Event] = field(default_factory=list)
    earlier: list[Event] = field(default_factory=list)
    ended_well: bool = False
    cut_off: bool = False
    succeeded: bool = False


def split(collector: Collector, events: list[Event]) -> Episodes:
    """Sort events into recovered ones, those of earlier attempts, and those to judge."""
    result = Episodes()
    failures = [event for event in events if event.role in ("root", "either", "consequence", "wrapper", "teardown")]
    boundaries = _boundaries(collector, failures)
    result.attempts = len(boundaries) + 1
    start = boundaries[-1] if boundaries else -1
    ends = [line.order for line in collector.successes]
    last_success = _AT_LAST if collector.accounted else max(ends, default=-1)
    terminal = [event.order for event in failures if event.role in ("wrapper", "teardown") and event.order > start and not _went_on(collector, event)]
    for event in failures:
        if event.order < start:
            result.earlier.append(event)
        elif _recovered(collector, event, last_success, max(terminal, default=-1)):
            result.recovered.append(event)
        else:
            result.judged.append(event)
    _survive_again(collector, result)
    last_failure = max((event.last for event in result.judged), default=-1)
    result.ended_well = last_success > last_failure
    result.cut_off = _only_cut_off(collector, result.judged, start)
    result.succeeded = last_success > start
    if not result.judged and result.earlier and not result.ended_well and not _progress_after(collector, None, start, 2):
        result.judged, result.earlier = result.earlier, []
    return result


def _survive_again(collector: Collector, result: Episodes) -> None:
    """An unknown complaint that the run has survived often is survived once more, where something known failed: no step came after it to show it."""
    if not any(event.entry is not None and event.role == "root" for event in result.judged):
        return
    survived = Counter[str]()
    for event in result.recovered:
        survived[event.label] += event.count if event.entry is None else 0
    again = [event for event in result.judged if event.entry is None and (
        survived[event.label] >= _OFTEN or (event.count > _OFTEN and _steps_after(collector, event, event.order, event.last) >= _STRONG))]
    result.recovered += again
    result.judged = [event for event in result.judged if event not in again]


def _only_cut_off(collector: Collector, judged: list[Event], start: int) -> bool:
    """Whether training was over when the scheduler ended what was left of the job."""
    finished = min((line.order for line in collector.successes if line.order > start and generic.finished(line)), default=None)
    if finished is None or not any(event.layer == "scheduler" and event.role in ("root", "either") for event in judged):
        return False
    return all(event.order > finished and (event.layer == "scheduler" or event.role in ("wrapper", "teardown", "consequence")) for event in judged)


def _boundaries(collector: Collector, failures: list[Event]) -> list[int]:
    """Orders at which a new attempt begins."""
    found: list[int] = []
    for order in sorted(collector.restarts):
        previous = found[-1] if found else -1
        if any(previous < event.order < order for event in failures):
            found.append(order)
    return found


def _recovered(collector: Collector, event: Event, last_success: int, last_terminal: int) -> bool:
    """Whether the run went on after the fault."""
    if event.role in ("wrapper", "teardown") and event.layer == "launcher" and event.weight >= 5 and last_success < event.last:
        return _went_on(collector, event)
    if last_terminal < 0 and _later_by_clock(collector, event):
        return True
    if last_terminal > event.last and event.uncaught and not collector.files[event.line.file].ranked:
        return False  # steps that follow were buffered on their way to the log; where every line has the rank, it says nothing
    if last_terminal > event.last and event.role not in ("wrapper", "teardown"):
        return _steps_after(collector, event, event.last, last_terminal) >= _STRONG or (event.count > 1 and _steps_after(collector, event, event.order, event.last) >= _STRONG)
    if last_success > event.last:
        return True
    if event.block is not None and event.block.thread:
        return False  # a thread is gone for good; the others go on until they need it
    if event.uncaught:
        return _went_on(collector, event)  # its process is gone: only workers that were started again count
    return _progress_after(collector, event, event.last, 2)


def _later_by_clock(collector: Collector, event: Event) -> bool:
    """Whether times say that the run went on after a caught error: its rank's steps stand in another file, or before its errors in the same one."""
    if event.when is None or event.uncaught or (event.block is not None and event.block.thread) or not _timed(collector, event):
        return False
    own = [facts for name, facts in collector.files.items() if name == event.line.file or (event.rank is not None and _rank(collector, facts) in (event.rank, None) and len(facts.ranks) < 2)]
    for facts in own:
        steps = [order for order, _step, _counter in facts.progress[-2:]]
        when = event.when + collector.ahead.get(facts.name, 0.0)
        if len(steps) == 2 and all((_at(facts, order) or 0.0) > when for order in steps):
            return True
    return any((time_at(collector.files[line.file], line) or 0.0) > event.when + collector.ahead.get(line.file, 0.0) for line in collector.successes)


def _rank(collector: Collector, facts: FileFacts) -> int | None:
    """The one rank that writes an input; None for a console that shows the run as a whole."""
    return next(iter(facts.ranks)) if len(facts.ranks) == 1 else collector.rank_of(facts.name)


def _timed(collector: Collector, event: Event) -> bool:
    """Whether the time of an event is its own, or that of the record right above its traceback."""
    if event.block is None:
        return not event.at_least
    return event.block.headered or _at(collector.files[event.line.file], event.block.first.order - 1, exactly=True) is not None


def _at(facts: FileFacts, order: int, *, exactly: bool = False) -> float | None:
    """The last time that one input tells up to a place, or only one that stands there."""
    index = bisect_right(facts.times, (order, float("inf")))
    return facts.times[index - 1][1] if index and (not exactly or facts.times[index - 1][0] == order) else None


def _went_on(collector: Collector, event: Event) -> bool:
    """Whether training went on in the input where a launcher spoke: it started the workers again, with or without a word."""
    return _steps_in(collector.files[event.line.file].progress, event.order, event.last, _AT_LAST, new=True) >= _STRONG


def _steps_after(collector: Collector, event: Event, since: int, until: int) -> int:
    """Distinct training steps beyond those seen before the fault, printed between two places; counted up to what is needed."""
    return max((_steps_in(facts.progress, event.order, since, until) for facts in collector.files.values()), default=0)


def _steps_in(progress: list[tuple[int, int, str]], order: int, since: int, until: int, *, new: bool = False) -> int:
    """The same in one file: every counter is compared with its last number before the fault; with ``new`` every step counts, as where the workers began again."""
    at = bisect_left(progress, order, key=lambda row: row[0])
    last: dict[str, int] = {}
    for _order, step, counter in reversed(progress[max(0, at - _LOOK_BACK):at]):
        last.setdefault(counter, step)
    beyond: dict[str, set[int]] = {}
    for place, step, counter in progress[bisect_right(progress, since, key=lambda row: row[0]):]:
        if place >= until:
            break
        if new or step > last.get(counter, step):
            steps = beyond.setdefault(counter, set())
            steps.add(step)
            if len(steps) >= _STRONG:
                return _STRONG
    return max(map(len, beyond.values()), default=0)


def _progress_after(collector: Collector, event: Event | None, order: int, least: int) -> bool:
    """Whether at least ``least`` progress lines follow."""
    for facts in collector.files.values():
        if event is not None and len(collector.files) > 1 and facts.name != event.line.file:
            continue
        at = bisect_right(facts.progress, order, key=lambda row: row[0])
        if len(facts.progress) - at >= least:
            return True
    return False
