# SPDX-License-Identifier: MIT
"""Candidate lines become events: which signal, on which rank and host, when, in which traceback."""
from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict, deque
from time import gmtime

from . import generic, naming, rewrap
from .database import Database
from .event import Event, FileFacts
from .flightrecorder import Dump
from .launchers import Launchers
from .lazy import Pattern
from .lines import Line, split
from .prefilter import Prefilter
from .stacks import Stacks
from .stamps import days
from .tracebacks import Traceback, TracebackReader
from .wordings import bodies, verify

#: Places remembered per signal for `needs` and `unless`, and raw events kept per signal for comparisons.
MOST_PLACES = 20_000
#: Repeats of a signal with `needs` or `unless` that are judged one by one, each where it stands.
_MOST_IN_CONTEXT = 400
#: Lines kept before and after an event, to show it in its place.
_AROUND = 3
_PIPES = Pattern(r"multiprocessing|asyncio|socket|connection|concurrent|zmq|/rpc/|/ray/|code\.py$|cmd\.py$|pdb\.py$")
_IN_MESSAGE = Pattern(r"\[(?:PG[^\]]{0,80} )?Rank (\d{1,7})\]|\b(?:global )?[Rr]ank[ :=#]{1,3}(\d{1,7})\b(?!\s?/)")


class Collector:
    """Gathers events over all lines of all inputs."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.launchers = Launchers()
        self.files: dict[str, FileFacts] = {}
        self.raw: list[Event] = []
        self.successes: list[Line] = []
        self.restarts: list[int] = []
        self.accounted = False
        #: Where a person stopped the run.
        self.stopped: int | None = None
        self.dumps: list[Dump] = []
        #: Inputs whose clock was found to be ahead of the others, by how many seconds.
        self.ahead: dict[str, float] = {}
        self.places: dict[str, dict[str, list[tuple[int, int | None, int]]]] = defaultdict(lambda: defaultdict(list))
        self._keys = database.keys
        self.prefilter = Prefilter(database.needles, without=database.words)
        self._tracebacks = TracebackReader()
        self.stacks = Stacks()
        self._merged: dict[tuple[object, ...], Event] = {}
        self._rank_of_file: dict[str, int] = {}
        self._recent: deque[tuple[str, int, str]] = deque(maxlen=_AROUND)
        self._unfinished: list[tuple[Line, list[tuple[int, str]]]] = []
        self._raised: dict[int, list[tuple[int, str]]] = {}
        #: Events that were only counted, in tracebacks of their own: each of these is named as the first is.
        self._repeats: list[Event] = []
        self._devices: dict[int, set[int]] = {}

    def recognises(self, row: bytes, keys: list[int]) -> bool:
        """Whether a raw line really holds one of the wordings whose literal it may hold."""
        lines = split(row, "", 1, 0)
        return any(verify(line, *self._keys[key]) is not None for key in keys for line in lines)

    def feed(self, lines: list[Line]) -> None:
        """Take the next lines of an input, all of them."""
        candidates = self.prefilter.lines(bodies(lines))
        wrapped = rewrap.whole(lines, self.prefilter, self._keys)
        until = 0
        for index, line in enumerate(lines):
            whole = wrapped.get(index)
            if whole is not None:
                until = whole[0]
            # The later pieces of a message that was put together are no errors of their own.
            self._one(line, candidates.get(index, ()), whole[1:] if whole else None, piece=whole is None and index < until)

    def _one(self, line: Line, keys: tuple[int, ...], whole: tuple[Line, tuple[int, ...]] | None = None, *, piece: bool = False) -> None:
        facts = self.files.get(line.file)
        if facts is None:
            facts = self.files[line.file] = FileFacts(line.file)
        facts.lines += 1
        if line.message.strip():
            facts.last_line = line
        if line.origin.rank is not None and len(facts.ranks) < 100_000:
            facts.ranks.add(line.origin.rank)
        if line.origin.time is not None and line.origin.clock != "uptime":
            facts.times.append((line.order, _within_year(line)))
        if line.origin.device is not None and line.origin.task is not None and len(self._devices) < 100_000:
            self._devices.setdefault(line.origin.task, set()).add(line.origin.device)
        self._surround(line)
        if not line.message or line.message.isspace():
            self._tracebacks.feed(line)
            return
        self.launchers.feed(line)
        self._turn(line)
        block = self._tracebacks.feed(line)
        if block is None:
            self.stacks.feed(line)
        if block is not None and block.raised and block.raised[-1].line is line and len(self._raised) < 2000:
            self._raised[line.order] = self._begin(line)
        matched = self._match(line, keys, block) if keys else []
        if whole is not None:
            matched += self._match(*whole, block)
        if any(_unconditional(event) for event in matched):
            return
        before = self._line_before(line)
        if (block is None or before.endswith("Last error:")) and not piece:
            self._unknown(line, facts, block, before)

    def _turn(self, line: Line) -> None:
        """Where a new attempt begins, or a person ends the run."""
        if generic.restart(line) and len(self.restarts) < 10_000:
            self.restarts.append(line.order)
        if self.stopped is None and generic.stopped_by_hand(line):
            self.stopped = line.order

    def _surround(self, line: Line) -> None:
        """Give the line to events that still want their following lines, and remember it for those to come."""
        if self._unfinished:
            for first, around in self._unfinished:
                if first.file == line.file and line.number > first.number:
                    around.append((line.number, line.text[:400]))
            self._unfinished = [(first, around) for first, around in self._unfinished if line.order - first.order < _AROUND and first.file == line.file]
        self._recent.append((line.file, line.number, line.text[:400]))

    def _begin(self, line: Line) -> list[tuple[int, str]]:
        """The lines around one: those before it, itself, and as they come those after it."""
        around = [(number, text) for file, number, text in self._recent if file == line.file and number < line.number]
        around.append((line.number, line.text[:400]))
        self._unfinished.append((line, around))
        return around

    def _match(self, line: Line, keys: tuple[int, ...], block: Traceback | None) -> list[Event]:
        """The events of a candidate line: each signal's wording is verified."""
        events = []
        done: set[int] = set()
        for key in keys:
            signal, number = self._keys[key]
            if signal.index in done:
                continue
            captures = verify(line, signal, number)
            if captures is None:
                continue
            done.add(signal.index)
            entry = self.database.entries[signal.entry]
            event = Event(
                signal.entry, signal, signal.role, entry.get("layer", "process"), line, captures, block,
                entry["title"], 5, sum(map(len, signal.literals[number])), kind=entry.get("kind", "failure")
            )
            self._place(event)
            events.append(event)
            self._add(event)
        return events

    def _place(self, event: Event) -> None:
        assert event.signal is not None
        places = self.places[event.signal.name][event.line.file]
        if len(places) < MOST_PLACES:
            places.append((event.line.number, event.line.origin.rank, id(event.block) if event.block else 0))

    def _unknown(self, line: Line, facts: FileFacts, block: Traceback | None, before: str) -> None:
        """Lines of no entry: progress, a good end, an error."""
        seen = generic.progress(line)
        if seen is not None:
            if len(facts.progress) < 200_000:
                facts.progress.append((line.order, *seen))
            facts.ranked = facts.ranked or "[rank" in line.body[:80]
            return
        found = generic.of_line(line, before)
        if found:
            captures = {"culprit": found.culprit} if found.culprit else {}
            self._add(Event(None, None, found.role, found.layer, line, captures, block, found.label, found.weight, death=found.death))
        elif generic.accounted(line):
            self.accounted = True
        elif generic.success(line) and len(self.successes) < 10_000:
            self.successes.append(line)
        elif not line.origin.header:
            facts.last_said = line

    def _line_before(self, line: Line) -> str:
        """The text of the line that stands right before one."""
        return next((text for file, number, text in reversed(self._recent) if file == line.file and number == line.number - 1), "")

    def _add(self, event: Event) -> None:
        """Keep an event, or count it when the same rank said the same before."""
        origin = event.line.origin
        name = event.signal.name if event.signal else re.sub(r"[0-9a-fx]{3,}|\d", "", event.label)[:80]
        captured = tuple(sorted(event.captures.items())) if event.role in ("root", "either") and event.layer == "communication" else ()
        if event.signal is not None and (event.signal.needs or event.signal.unless) and len(self.places[name][event.line.file]) <= _MOST_IN_CONTEXT:
            captured = (*captured, event.line.number)  # each place has surroundings of its own
        key = (name, event.line.file, origin.stream(), origin.host, origin.pid, captured)
        known = self._merged.get(key)
        if known is not None:
            if (_is_code(known) and not _is_code(event) and event.block is known.block) or ("reason" in event.captures and "reason" not in known.captures):
                # The code that raises holds the same words as the exception; the exception is what happened.  A state that is named without its reason is the same.
                known.line, known.captures, known.around = event.line, event.captures, self._begin(event.line)
            known.count += 1 + origin.repeats
            known.last = event.line.order
            if event.signal is not None and event.block is not None and known.block is not None and len(self._repeats) < 20_000:
                self._repeats.append(event)
            return
        event.last = event.line.order
        event.count += origin.repeats
        if len(self._merged) < 200_000:
            self._merged[key] = event
            self.raw.append(event)
            if event.role in ("root", "either"):
                event.around = self._begin(event.line)

    def recorded(self) -> set[str]:
        """The names of the flight-recorder dumps among the inputs."""
        return {dump.file for dump in self.dumps}

    def rank_of(self, file: str) -> int | None:
        """The rank whose file this is, by its name."""
        return self._rank_of_file.get(file.replace("\\", "/"))

    def world(self) -> int:
        """The number of ranks, as far as the log tells: what was printed, else the highest rank that is named anywhere."""
        named = [*self._rank_of_file.values(), *(rank for facts in self.files.values() for rank in facts.ranks), *(failure.rank for failure in self.launchers.failures if failure.rank is not None)]
        return self.launchers.world or max(named, default=-1) + 1

    def events(self) -> list[Event]:
        """All events in reading order: context checked, exceptions of no entry added, ranks and hosts filled in."""
        events = [event for event in self.raw if event.signal is not None and self._in_context(event)]
        known = {event.order for event in events if event.role != "clue"}
        events += [event for event in self.raw if event.signal is None and event.order not in known]
        events += self._exceptions(events)
        events = _without_code(_most_specific(events, self.database))
        consoles = {event.line.file for event in events if event.layer == "launcher"}
        self._rank_of_file = naming.ranks([name for name in self.files if name not in consoles], {name.replace("\\", "/"): facts.ranks for name, facts in self.files.items()})
        for event in events:
            self._locate(event)
        events.sort(key=lambda event: event.order)
        return events

    def _in_context(self, event: Event) -> bool:
        signal = event.signal
        assert signal is not None
        if event.block is not None and (event.block.ignored or event.block.orphan):
            return False
        if signal.needs and not self._near(event, signal.needs):
            return False
        return not (signal.unless and self._near(event, signal.unless))

    def _near(self, event: Event, context: dict[str, object]) -> bool:
        """Whether one of the signals of a context stands near the event."""
        within = context.get("within")
        for name in context["any"]:  # type: ignore[attr-defined]
            full = name if "/" in name else f"{event.entry}/{name}"
            for file, places in self.places.get(full, {}).items():
                if within is None and not context.get("same_rank"):
                    return True
                if file != event.line.file and within is not None:
                    continue
                if self._any_place(event, places, within, bool(context.get("same_rank"))):
                    return True
        return False

    @staticmethod
    def _any_place(event: Event, places: list[tuple[int, int | None, int]], within: object, same_rank: bool) -> bool:
        number = event.line.number
        low, high = 0, len(places)
        if isinstance(within, int):
            span = within if within else 0
            if event.block is not None and within == 0:
                first, last = event.block.first.number, event.block.last.number + 8
            else:
                first, last = number - span, number + span
            low = bisect_left(places, first, key=lambda place: place[0])
            high = bisect_left(places, last + 1, key=lambda place: place[0])
        for place in places[low:high]:
            if same_rank and place[1] != event.line.origin.rank:
                continue
            if within == 0 and event.block is not None and place[2] not in (0, id(event.block)):
                continue
            return True
        return False

    def _exceptions(self, known: list[Event]) -> list[Event]:
        """Events of tracebacks whose cause no signal names."""
        named: dict[int, list[Event]] = defaultdict(list)
        for event in (*known, *self._repeats):
            if event.block is not None and event.role not in ("clue", "advice", "benign"):
                named[id(event.block)].append(event)
        found = []
        merged: dict[tuple[object, ...], Event] = {}
        for block in self._tracebacks.blocks:
            cause = block.cause()
            if cause is None:
                continue
            what = generic.of_exception(cause, from_file=_of_file(block), orphan=block.orphan)
            if any(_names(event, cause.line, what.role) for event in named.get(id(block), ())):
                continue
            key = (what.label[:120], cause.line.file, cause.line.origin.stream())
            if key in merged:
                merged[key].count += 1
                merged[key].last = block.last.order
                continue
            weight = what.weight if block.frames or what.weight < 3 else 2
            event = Event(None, None, what.role, what.layer, cause.line, {"culprit": what.culprit} if what.culprit else {}, block, what.label, weight, last=block.last.order, death=what.death)
            event.around = self._raised.get(cause.line.order, [])
            merged[key] = event
            found.append(event)
        return found

    def _locate(self, event: Event) -> None:
        """Rank, local rank, host and time: from the signal's fields, the prefixes, the message, the process number, the file."""
        origin, captures = event.line.origin, event.captures
        event.rank = _number(captures.get("culprit", captures.get("rank")))
        event.local_rank = _number(captures.get("local_rank"))
        if event.rank is None:
            event.rank = origin.rank if event.block is None or event.block.rank is None else event.block.rank
        if event.local_rank is None:
            event.local_rank = origin.local_rank
        pid = _number(captures.get("pid")) or origin.pid
        if event.rank is None and pid is not None:
            event.rank = self.launchers.rank_of_pid(origin.host, pid)
        if event.rank is None and event.layer not in ("hardware", "kernel", "scheduler"):
            found = _IN_MESSAGE.search(event.line.message[:400])
            if found and not in_bar(event):
                event.rank = int(found[1] or found[2])
        if event.rank is None and event.block is not None and self.launchers.spawned:
            first = event.block.first.order
            event.rank = next((rank for order, rank in self.launchers.spawned.items() if order < first <= order + 3), None)
        facts = self.files[event.line.file]
        if event.rank is None and len(self.files) > 1 and event.layer not in ("hardware", "kernel", "scheduler"):
            event.rank = self._rank_of_file.get(event.line.file.replace("\\", "/"))
        if event.local_rank is None:
            event.local_rank = naming.local_rank(event.line.file)
        if event.rank is None and origin.task is not None and origin.local_rank is None and event.layer not in ("hardware", "kernel", "scheduler"):
            # Where a task is a node, only the first node's ranks are known: they are its devices.
            event.rank = origin.task if not self._tasks_are_nodes() else (origin.device if origin.task == 0 else None)
        event.host = captures.get("host") or origin.host
        event.when = time_at(facts, event.line)
        event.at_least = origin.time is None or origin.clock == "uptime"


    def _tasks_are_nodes(self) -> bool:
        """Whether a task is a node and not a rank: several devices speak under one number, or a device that no rank of this number has."""
        return any(len(devices) > 1 or not devices <= {0, task % 8, task % 4} for task, devices in self._devices.items())


def _unconditional(event: Event) -> bool:
    """Whether a signal says what a line is without anything beside it; what only something beside it rules out is ruled out as a fault of no entry, too."""
    return event.signal is not None and event.role != "clue" and not event.signal.needs


def _is_code(event: Event) -> bool:
    """Whether an event's line is source code that a traceback shows, not what was raised."""
    return event.line.message[:2].isspace() and not (event.block is not None and any(raised.line is event.line for raised in event.block.raised))


def _without_code(events: list[Event]) -> list[Event]:
    """Without frames' code that holds the words of a failure, where the same traceback says that the failure happened."""
    said = {(event.entry, id(event.block)) for event in events if event.block is not None and not _is_code(event)}
    return [event for event in events if event.block is None or not _is_code(event) or _after_raised(event, event.block) or (event.entry, id(event.block)) not in said]


def _after_raised(event: Event, block: Traceback) -> bool:
    """Whether a line stands below the first exception of its traceback, as the later lines of a message do."""
    return bool(block.raised) and event.order > block.raised[0].line.order


def _names(event: Event, cause: Line, role: str) -> bool:
    """Whether a signal's event already speaks for a traceback: it can be blamed, or it stands on the causing line.  What can be a consequence doesn't speak for a root at the head of its chain."""
    if event.role in ("wrapper", "teardown"):
        return event.line.order == cause.order
    return event.role == "root" or (event.role == "either" and role != "root") or event.line.order <= cause.order


def in_bar(event: Event) -> bool:
    """Whether a signal stands in the progress bar to whose end another process's message is glued."""
    signal = event.signal
    return signal is not None and not any(all(run in event.line.message for run in runs) for runs in signal.literals) and any(all(run in event.line.body for run in runs) for runs in signal.literals)


def _of_file(block: Traceback) -> bool:
    """Whether a traceback leads through no pipe, socket or terminal: an end that came too early is then the end of a file."""
    return bool(block.frames) and not any(_PIPES.search(path) for path, _function, _line in block.frames)


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() and len(text) < 12 else None


def _within_year(line: Line) -> float:
    """Seconds since the start of the year, so that dated and year-less times compare."""
    time = line.origin.time or 0.0
    if line.origin.clock == "date":
        moment = gmtime(time)
        return days(1970, moment.tm_mon, min(moment.tm_mday, 28) if moment.tm_mon == 2 else moment.tm_mday) * 86400 + time % 86400
    return time


def time_at(facts: FileFacts, line: Line) -> float | None:
    """The line's own time, else the last time seen before it in the same file."""
    if line.origin.time is not None and line.origin.clock != "uptime":
        return _within_year(line)
    index = bisect_left(facts.times, (line.order, float("inf")))
    return facts.times[index - 1][1] if index else None


def _most_specific(events: list[Event], database: Database) -> list[Event]:
    """Of several entries on one line, keep the one that says most: superseding, with context met, the longest literal."""
    by_line: dict[int, list[Event]] = defaultdict(list)
    for event in events:
        by_line[event.line.order].append(event)
    kept = []
    for group in by_line.values():
        blamable = [event for event in group if event.role != "clue"]
        blamable = [event for event in blamable if event.role != "advice"] or blamable
        if any(event.role in ("root", "either") for event in blamable):
            blamable = [event for event in blamable if event.role not in ("wrapper", "teardown")]
        if len(blamable) > 1:
            names = {event.entry for event in blamable}
            beaten = {loser for name in names if name for loser in database.supersedes.get(name, ()) if loser in names}
            rest = [event for event in blamable if event.entry not in beaten]
            best = max(rest, key=lambda event: (bool(event.signal and event.signal.needs), event.specificity, event.role == "root"))
            kept.append(best)
        else:
            kept.extend(blamable)
    return kept
