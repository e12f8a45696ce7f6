# SPDX-License-Identifier: MIT
"""From events to the verdict: the first fault, what it explains, what it does not, and what to collect."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from . import causes, clocks, collectives, deaths, episodes, flightcompare, generic, nearest, placing, stacks
from .database import Database
from .events import Collector, Event
from .placing import same_fault, shape

#: Bounds of lists in the result; counts stay exact.
MOST_EVENTS, MOST_RANKS, MOST_ROWS = 400, 4096, 60
#: So many lines after a lone complaint show that it ended nothing.
_ORDINARY = 12
_PRESENTED = ("verify", "restart", "summary", "first_step", "root_cause", "unhide", "not_proof", "measured")


def judge(collector: Collector, database: Database, events: list[Event]) -> dict[str, Any]:
    """The verdict on what was gathered from everything the collector has seen, as the result's JSON without statistics."""
    split = episodes.split(collector, events)
    judged = split.judged
    root, rest = causes.choose(database, judged)
    wrappers = [event for event in split.judged if event.role in ("wrapper", "teardown", "consequence")]
    result = _empty()
    result["verdict"] = "no-failure" if root is not None and _lone_complaints(judged, collector) else _verdict(root, wrappers, split, database, collector.stopped)
    if result["verdict"] == "no-failure":
        root, rest = None, []
    telling = _most_telling(wrappers) if root is None and wrappers and result["verdict"] == "needs-evidence" else None
    if telling is not None:
        # Not the first fault, but what a reader should see first of a log that does not hold it.
        result["root"] = _root(telling, split.judged, collector, database)
        result["collect"] = _collect([telling], database)
        result["suspects"] = _suspects(telling, database)
    if root is not None:
        placing.place(root, collector, split.judged)
        result["root"] = _root(root, split.judged, collector, database)
        result["collect"] = _collect([root, *rest[:2]], database)
        result["closest"] = nearest.nearest(root, collector, database) if root.entry is None else []
    explained, independent = _rest(root or telling, rest, split.judged, database)
    result["consequences"] = _rows(explained, database)
    result["others"] = [_row([event], database) for event in independent if causes.standing(event) == 0 and event.weight >= 3][:8]
    result["alternatives"] = _alternatives(root, rest, database)
    result["benign"] = _benign(events, database)
    result["recovered"] = _rows(split.recovered, database)
    result["attempts"] = split.attempts
    result["ranks"] = _ranks(collector, events)
    result["why"] = _why(root, split, explained, collector, database) if telling is None else [
        f"Only reports and consequences of a failure stand in this log. Line {telling.line.number} tells most of it; what started it is not there."]
    result["counterfactual"] = _without(root, judged, database)
    result["unexplained"] = [_evidence(event) for event in independent if event.entry is None and event is not root][:MOST_ROWS]
    if result["verdict"] == "no-failure":
        # Nothing failed, so nothing follows from a failure: loud lines that no entry knows are listed as what they are.
        result["consequences"] = [row for row in result["consequences"] if row["entry"] is not None]
        result["unexplained"] = [_evidence(event) for event in explained if event.entry is None][:MOST_ROWS]
    result["events"] = _timeline(events, root, split, database)
    return result


def gather(collector: Collector, database: Database) -> list[Event]:
    """All events in order: seen lines, comparisons across ranks, silent deaths."""
    events = collector.events()
    collector.ahead = clocks.correct(events, collector.files.values())
    events.extend(collectives.compare(events, database, collector.launchers.world))
    events.extend(flightcompare.compare_dumps(collector.dumps, database, events))
    events.extend(stacks.compare(collector.stacks, collector.rank_of))
    events.extend(deaths.promote(events, collector.launchers))
    events.sort(key=lambda event: event.order)
    return events


def _empty() -> dict[str, Any]:
    return {
        "verdict": "", "root": None, "alternatives": [], "consequences": [], "collect": [], "suspects": [], "closest": [], "benign": [], "recovered": [], "others": [],
        "events": [], "ranks": {}, "attempts": 1, "why": [], "counterfactual": None, "unexplained": [], "notes": [],
    }


def _by_hand(wrappers: list[Event]) -> bool:
    """Whether nothing but a shutdown is told, and one of its lines says that a person asked for it."""
    return all(event.role == "teardown" for event in wrappers) and any(generic.interrupted(event.line) for event in wrappers)


def _verdict(root: Event | None, wrappers: list[Event], split: episodes.Episodes, database: Database, stopped: int | None) -> str:
    """Which of the four verdicts holds.  A wrapper is no diagnosis, except a death that explains what other ranks saw; after ``stopped`` a person had ended the run."""
    if split.cut_off or (split.ended_well and (root is None or root.weight < 3)):
        return "no-failure"
    if root is None:
        if wrappers and (_by_hand(wrappers) or (stopped is not None and all(event.order >= stopped for event in wrappers))):
            return "no-failure"
        late = split.succeeded and not any(event.role == "wrapper" or event.layer == "launcher" for event in wrappers)
        return "needs-evidence" if wrappers and not late else "no-failure"
    if root.entry is None:
        return "unrecognised"
    if root.kind == "wrapper" and not (root.death and any(causes.tier(event) == 3 and causes.explains(database, root, event) for event in split.judged)):
        return "needs-evidence"
    return "diagnosed"


def _lone_complaints(judged: list[Event], collector: Collector) -> bool:
    """Whether all there is to blame are bare error lines and warnings that nobody acted on, with ordinary lines after them: a server refuses requests, a script grumbles."""
    files = collector.files
    return all(
        _mild(event) and (last := files[event.line.file].last_line) is not None
        and last.number - event.line.number >= (_ORDINARY if event.entry is None else _ORDINARY // 2)
        for event in judged
    )


def _mild(event: Event) -> bool:
    """Whether a line can be a complaint and no more: a bare error line that stands once, or a server's warning."""
    warned = event.line.origin.level == "W" and event.layer == "process" and event.block is None
    return event.role in ("root", "either") and (warned or (event.entry is None and event.weight <= 1 and event.count == 1))


def _most_telling(wrappers: list[Event]) -> Event:
    """The report that tells most: one with an entry, not a teardown; what a rank saw of its peers before a wrapper of it; the earliest."""
    return min(wrappers, key=lambda event: (event.entry is None, event.role == "teardown", event.role == "wrapper" or event.layer in ("launcher", "scheduler"), event.order))


def _root(root: Event, judged: list[Event], collector: Collector, database: Database) -> dict[str, Any]:
    """The first fault, with its lines and what its entry says."""
    entry = database.entries.get(root.entry or "", {})
    same = [event for event in judged if event is not root and same_fault(event, root)]
    explained = [event for event in judged if event is not root and causes.explains(database, root, event)]
    shown = {key: entry[key] for key in _PRESENTED if key in entry}
    evidence = [_evidence(root), *(_evidence(event) for event in same[:7])]
    if root.line.file in collector.recorded():
        evidence = [_evidence(event) for event in _spoken(root, judged, collector)] + evidence
    around = root.around
    last = placing.last_words(root, collector)
    if last is not None:
        evidence.insert(0, {"file": last.file, "line": last.number, "text": last.text, "rank": root.rank})
        around = []
    return {
        "entry": root.entry, "kind": entry.get("kind", "failure"), "title": entry.get("title") or root.label, "label": None if root.entry else root.label,
        "family": entry.get("family"), "layer": root.layer, "rank": root.rank, "local_rank": root.local_rank, "host": root.host,
        "time": _time_text(root), "evidence": evidence,
        "context": [{"line": number, "text": text} for number, text in around], "explains": sum(event.count for event in explained), "count": root.count + sum(event.count for event in same),
        "ranks": sorted({event.rank for event in [root, *same] if event.rank is not None})[:MOST_RANKS], "rank_assumed": root.assumed, "observed": root.derived or None,
        "fix": [step["do"] for step in entry.get("fix", {}).get("steps", ())], "remedy": entry.get("fix"), "verify": None, "restart": None, "url": entry.get("url"), **shown,
    }


def _spoken(root: Event, judged: list[Event], collector: Collector) -> list[Event]:
    """What the logs beside a flight-recorder dump say of the same: a line of the accused rank, else the first of those that waited."""
    lines = [event for event in judged if event.line.file not in collector.recorded() and event.layer == "communication" and event.role in ("root", "either")]
    own = [event for event in lines if event.rank == root.rank]
    return (own or lines)[:1]


def _evidence(event: Event) -> dict[str, Any]:
    return {"file": event.line.file, "line": event.line.number, "text": event.line.text, "rank": event.rank}


def _time_text(event: Event) -> str | None:
    """The event's own time as text, when the line carries a date."""
    origin = event.line.origin
    if origin.time is None or origin.clock != "date":
        return None
    from time import gmtime, strftime

    return strftime("%Y-%m-%d %H:%M:%S", gmtime(origin.time))


def _collect(events: Iterable[Event], database: Database) -> list[dict[str, Any]]:
    """What to collect, as the entries of these events say."""
    wanted: list[dict[str, Any]] = []
    for event in events:
        for item in database.entries.get(event.entry or "", {}).get("collect", ()):
            if len(wanted) < 8:
                wanted.append({**item, "entry": event.entry})
    return wanted


def _suspects(event: Event, database: Database) -> list[dict[str, Any]]:
    """What a wrapper or consequence can hide."""
    behind = [source for source, targets in database.causes.items() if event.entry in targets]
    hidden = list(database.wraps.get(event.entry or "", ())) + behind
    return [{"entry": name, "title": database.entries[name]["title"], "url": database.entries[name].get("url")} for name in sorted(set(hidden)) if name in database.entries][:12]


def _rest(root: Event | None, free: list[Event], judged: list[Event], database: Database) -> tuple[list[Event], list[Event]]:
    """Split what is not the root into explained events and independent ones."""
    explained: list[Event] = []
    independent: list[Event] = []
    for event in judged:
        if event is root or (root is not None and same_fault(event, root)):
            continue
        alone = root is not None and event in free and not causes.explains(database, root, event)
        (independent if alone else explained).append(event)
    return explained, independent


def _rows(events: list[Event], database: Database) -> list[dict[str, Any]]:
    """Events grouped by what they are, in order of their first line."""
    groups: dict[tuple[str, str], list[Event]] = {}
    for event in events:
        groups.setdefault((event.entry or shape(event.label), event.role), []).append(event)
    return [_row(group, database) for group in groups.values()][:MOST_ROWS]


def _row(group: list[Event], database: Database) -> dict[str, Any]:
    first = group[0]
    entry = database.entries.get(first.entry or "", {})
    return {
        "entry": first.entry, "title": entry.get("title") or first.label, "role": first.role if first.role in ("wrapper", "teardown") else "consequence",
        "count": sum(event.count for event in group), "rank": first.rank, "ranks": sorted({event.rank for event in group if event.rank is not None})[:MOST_RANKS],
        "hosts": sorted({event.host for event in group if event.host})[:MOST_RANKS], "evidence": [_evidence(event) for event in group[:5]], "url": entry.get("url"),
    }


def _alternatives(root: Event | None, rest: list[Event], database: Database) -> list[dict[str, Any]]:
    """Competing hypotheses: other entries that no edge and no tier explains, with what speaks for and against each."""
    found: list[dict[str, Any]] = []
    seen = {root.entry if root else None}
    for event in rest:
        if event.entry is None or event.entry in seen or len(found) >= 4:
            continue
        seen.add(event.entry)
        against = []
        if root is not None and causes.before(root, event):
            against.append(f"it comes after line {root.line.number}")
        if event.role == "either":
            against.append("the same line also appears as a consequence of other faults")
        speaks = [f"line {event.line.number} says so" + (f" on rank {event.rank}" if event.rank is not None else "")]
        if event.count > 1:
            speaks.append(f"it stands there {event.count} times")
        found.append({
            "entry": event.entry, "title": database.entries[event.entry]["title"], "for": speaks, "against": against,
            "evidence": [_evidence(event)], "url": database.entries[event.entry].get("url")
        })
    return found


def _benign(events: list[Event], database: Database) -> list[dict[str, Any]]:
    rows = []
    for row in _rows([event for event in events if event.role == "benign"], database):
        entry = database.entries.get(row["entry"], {})
        rows.append({**row, "role": "benign", "why": entry.get("harmless_when") or entry.get("summary")})
    return rows


def _ranks(collector: Collector, events: list[Event]) -> dict[str, Any]:
    """Ranks seen anywhere, the world's size if it was told, and who never spoke."""
    seen = {rank for facts in collector.files.values() for rank in facts.ranks} | {event.rank for event in events if event.rank is not None}
    seen |= set(collector.launchers.by_pid.values())
    world = collector.launchers.world
    missing = sorted(set(range(world)) - seen) if world and world <= MOST_RANKS else []
    return {"seen": sorted(seen)[:MOST_RANKS], "world_size": world, "missing": missing}


def _why(root: Event | None, split: episodes.Episodes, explained: list[Event], collector: Collector, database: Database) -> list[str]:
    """Sentences: why this one, and why not the last line."""
    if root is None:
        return []
    sentences = []
    if root.derived:
        sentences.append(f"Comparing the ranks: {root.derived}.")
    where = f"Line {root.line.number}" + (f" of {root.line.file}" if len(collector.files) > 1 else "")
    if root.role == "root" and root.entry:
        sentences.append(f"{where} can start a failure, and nothing that could have caused it stands in this log.")
    elif root.entry:
        sentences.append(f"{where} can also be a consequence, but no cause for it stands in this log.")
    else:
        sentences.append(f"{where} is the earliest error that nothing else explains; no entry knows it yet.")
    last = max((event for event in explained if event.order > root.order), key=lambda event: event.last, default=None)
    if last is not None:
        title = database.entries[last.entry]["title"] if last.entry else last.label
        kind = {"wrapper": "it only reports that something else failed", "teardown": "it belongs to the shutdown"}.get(last.role, "it follows from the first fault")
        delay = f", {last.when - root.when:.0f} s later" if last.when is not None and root.when is not None and 1 <= last.when - root.when < 86400 else ""
        sentences.append(f"Why not the last error (line {last.line.number}, {title[:90]})? {kind[0].upper()}{kind[1:]}{delay}.")
    if split.attempts > 1:
        sentences.append(f"The log holds {split.attempts} attempts; the last one was judged.")
    return sentences


def _without(root: Event | None, judged: list[Event], database: Database) -> str | None:
    """What the verdict would be without the decisive line."""
    if root is None:
        return None
    others = [event for event in judged if event is not root and event.line.order != root.line.order and event.derived == "" and (event.entry != root.entry or root.entry is None)]
    second, _rest_of = causes.choose(database, others)
    if second is None:  # noqa: SIM108 - one line of it would hold two conditions
        named = "needs-evidence" if any(event.role in ("wrapper", "consequence") for event in others) else "no-failure"
    else:
        named = second.entry or f"unrecognised ({second.label[:80]})"
    said = "Without this line" if root.count == 1 else "Without these lines"
    return f"{said} ({root.line.number}) the verdict would be {named}."


def _timeline(events: list[Event], root: Event | None, split: episodes.Episodes, database: Database) -> list[dict[str, Any]]:
    """Events in order for drawing; the root first of all kept when the list is cut."""
    recovered = {id(event) for event in split.recovered}
    rows = []
    shown = [event for event in events if event.role != "advice"]
    if root is not None and root not in shown[:MOST_EVENTS]:
        shown = [root, *shown]
    for event in shown[:MOST_EVENTS]:
        role = "root" if event is root else "recovered" if id(event) in recovered else "consequence" if event.role in ("root", "either") else event.role
        entry = database.entries.get(event.entry or "", {})
        rows.append({
            "line": event.line.number, "file": event.line.file, "rank": event.rank, "host": event.host, "time": event.when, "role": role, "entry": event.entry,
            "title": entry.get("title") or event.label, "text": event.line.text[:400], "count": event.count,
        })
    return rows
