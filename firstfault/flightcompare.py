# SPDX-License-Identifier: MIT
"""Flight-recorder dumps side by side: which rank called something else, or never came.

A dump says what its rank had enqueued, not what was wrong: that shows only against the other ranks.  The fact becomes
an event whose line is a sentence of ours in the dump's name, since a pickle has no lines to point at.
"""
from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable

from .collectives import BEHIND, MISMATCH, SHAPE
from .database import Database
from .events import Event
from .flightrecorder import Dump, Group, Record
from .lines import Line
from .records import record

#: Operations whose input must have the same number of elements on all ranks; the others may differ by rank.
_EQUAL = frozenset((
    "all_reduce", "allreduce", "allreduce_coalesced", "broadcast", "reduce", "_all_gather_base", "all_gather_single", "all_gather_into_tensor_coalesced", "_reduce_scatter_base",
    "reduce_scatter_single", "reduce_scatter_tensor_coalesced", "gather", "all_gather",
))
_UNTYPED = frozenset(("barrier", "all_reduce_barrier", "split", "new_window"))
_MOST_NAMED = 8


@record(slots=True)
class Finding:
    """What the comparison of one process group shows: the rank, the entry, the sentence, and who else waits there."""

    entry: str
    rank: int
    seq: int
    op: str
    text: str
    waiting: frozenset[int]
    number: int = 1
    created: int = 0


def compare_dumps(dumps: Iterable[Dump], database: Database, events: Iterable[Event] = ()) -> list[Event]:
    """The event that the dumps of a run show together, at most one: other groups wait for the same rank.

    ``events`` are those of the logs beside the dumps; the finding takes the place of the first line that it explains.
    """
    by_rank: dict[int, Dump] = {}
    for dump in dumps:
        if dump.rank is not None and (dump.rank not in by_rank or dump.count() >= by_rank[dump.rank].count()):
            by_rank[dump.rank] = dump
    groups: dict[str, dict[int, Group]] = defaultdict(dict)
    for rank, dump in by_rank.items():
        for name, group in dump.groups.items():
            if not group.members or rank in group.members:
                groups[name][rank] = group
    found = [finding for name, ranks in groups.items() if (finding := _differs(name, ranks) or _behind(name, ranks) or _silent(name, ranks))]
    if not found:
        return []
    event = _event(_first(found), by_rank, database, list(events))
    return [event] if event else []


def _first(found: list[Finding]) -> Finding:
    """The finding that no other one explains: its rank waits in no other group for somebody else."""
    free = [finding for finding in found if not any(finding.rank in other.waiting for other in found if other is not finding)]
    return min(free or found, key=lambda finding: (finding.entry == BEHIND, finding.created))


def _differs(name: str, ranks: dict[int, Group]) -> Finding | None:
    """Same sequence number, another operation, size or type."""
    for seq in sorted(set().union(*(group.records for group in ranks.values()))):
        same = {rank: group.records[seq] for rank, group in ranks.items() if seq in group.records}
        if len(same) < 2:
            continue
        op = next(iter(same.values())).op
        finding = _odd(name, ranks, seq, same, MISMATCH, lambda record: record.op)
        if finding is None and op not in _UNTYPED:
            finding = _odd(name, ranks, seq, same, SHAPE, lambda record: record.dtypes or None)
        if finding is None and op in _EQUAL:
            finding = _odd(name, ranks, seq, same, SHAPE, lambda record: record.elements if record.elements >= 0 else None)
        if finding is not None:
            return finding
    return None


def _odd(name: str, ranks: dict[int, Group], seq: int, same: dict[int, Record], entry: str, value: Callable[[Record], object]) -> Finding | None:
    """The first rank of the rarest value, if there are several."""
    values = {rank: value(record) for rank, record in same.items()}
    counts = Counter(one for one in values.values() if one is not None)
    if len(counts) < 2:
        return None
    rarest = min(counts.values())
    rank = min(rank for rank, one in values.items() if counts.get(one) == rarest)
    record = same[rank]
    others = [other for other, one in values.items() if one is not None and one != values[rank]]
    example = same[others[0]]
    text = f"rank {rank}: {_called(record)} at seq {seq}; {_ranks(others)} {_called(example)}"
    return Finding(entry, rank, seq, record.op, text + _of(name, ranks), frozenset(same) - {rank}, record.number, record.created)


def _called(record: Record) -> str:
    shape = f" of {record.shape} {record.dtypes}".rstrip() if record.shape else ""
    return f"called {record.op}{shape}" + (f" ({record.where})" if record.where else "")


def _behind(name: str, ranks: dict[int, Group]) -> Finding | None:
    """A rank that never enqueued, or never started, what the others are stuck in."""
    last = {rank: group.last for rank, group in ranks.items()}
    stuck = _stuck(ranks)
    if stuck is None:
        return None
    behind = [rank for rank, number in last.items() if number < stuck]
    waiting = {rank: ranks[rank].records.get(stuck) for rank in ranks if rank not in behind}
    record = next((one for one in waiting.values() if one), None)
    if behind and len(behind) * 2 <= len(ranks):
        rank = min(behind, key=lambda one: (last[one], one))
        final = ranks[rank].records.get(last[rank])
        did = f"last enqueued {final.op} seq {last[rank]}" if final else f"last enqueued seq {last[rank]}" if last[rank] > 0 else "enqueued nothing"
        place = f" ({record.where})" if record and record.where else ""
        text = f"rank {rank}: {did}; {_ranks(waiting)} {'waits' if len(waiting) == 1 else 'wait'} in {record.op if record else 'a collective'} seq {stuck}{place}{_of(name, ranks)}"
        return Finding(BEHIND, rank, stuck, record.op if record else "", text, frozenset(waiting), final.number if final else 1, record.created if record else 0)
    return _not_started(name, ranks, stuck)


def _not_started(name: str, ranks: dict[int, Group], stuck: int) -> Finding | None:
    """All enqueued it, and on all GPUs but few it runs: there an earlier kernel is in the way."""
    at = {rank: group.records[stuck] for rank, group in ranks.items() if stuck in group.records}
    idle = [rank for rank, record in at.items() if record.state == "scheduled"]
    running = [rank for rank, record in at.items() if record.state == "started"]
    if not idle or len(idle) >= len(running):
        return None
    rank, record = min(idle), at[min(idle)]
    text = f"rank {rank}: enqueued {record.op} seq {stuck} but its GPU never started it; on {_ranks(running)} it runs{_of(name, ranks)}"
    return Finding(BEHIND, rank, stuck, record.op, text, frozenset(running), record.number, record.created)


def _stuck(ranks: dict[int, Group]) -> int | None:
    """The sequence number in which the group hangs: the lowest that some rank has not completed, else the first that some rank lacks."""
    if _tells_states(ranks):
        open_ = [seq for group in ranks.values() for seq, record in group.records.items() if record.state != "completed" and not record.retired]
        return min(open_, default=None)
    last = [group.last for group in ranks.values()]
    return min(last) + 1 if min(last) < max(last) else None


def _tells_states(ranks: dict[int, Group]) -> bool:
    """Whether the backend records progress; with gloo every entry stays `scheduled`."""
    return any(record.state in ("started", "completed") for group in ranks.values() for record in group.records.values())


def _silent(name: str, ranks: dict[int, Group]) -> Finding | None:
    """Everybody who left a dump waits in the same collective; a member without a dump is the suspect."""
    members = next((group.members for group in ranks.values() if group.members), ())
    absent = sorted(set(members) - set(ranks))
    if not absent or len(ranks) < 2 or len(absent) > max(1, len(members) // 4):
        return None
    last = {group.last for group in ranks.values()}
    records = [group.records[group.last] for group in ranks.values() if group.last in group.records]
    if len(last) > 1 or not any(record.state != "completed" and not record.retired for record in records):
        return None
    record = records[0]
    text = f"rank {', '.join(map(str, absent[:_MOST_NAMED]))}: left no dump; {_ranks(ranks)} wait in {record.op} seq {record.seq}{_of(name, ranks)}"
    return Finding(BEHIND, absent[0], record.seq, record.op, text, frozenset(ranks), record.number, record.created)


def _ranks(ranks: Iterable[int]) -> str:
    """`ranks 0, 2, 3`, cut when there are many."""
    names = sorted(ranks)
    shown = ", ".join(map(str, names[:_MOST_NAMED])) + (f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else "")
    return f"rank{'s' if len(names) != 1 else ''} {shown}"


def _of(name: str, ranks: dict[int, Group]) -> str:
    """The process group in words, where it is not the default one."""
    described = next((group.description for group in ranks.values() if group.description), "")
    return f" (process group {described or name})" if described != "default_pg" else ""


def _event(finding: Finding, by_rank: dict[int, Dump], database: Database, events: list[Event]) -> Event | None:
    """The finding as an event of its entry; None when the database has no such entry."""
    known = database.entries.get(finding.entry)
    if known is None:
        return None
    dump = by_rank.get(finding.rank) or by_rank[min(finding.waiting or by_rank)]
    victim = min((event for event in events if event.layer == "communication" and event.role in ("root", "either", "consequence")), key=lambda event: event.order, default=None)
    order, last = (victim.order, max(event.last for event in events if event.layer == "communication")) if victim else (dump.order, dump.order)
    line = Line(dump.file, finding.number, order, finding.text, finding.text, finding.text)
    return Event(
        finding.entry, None, "root", "communication", line, {"seq": str(finding.seq), "op": finding.op}, None, known["title"], 6, 10_000,
        rank=finding.rank, when=victim.when if victim else None, last=last, derived=finding.text,
    )
