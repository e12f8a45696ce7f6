# SPDX-License-Identifier: MIT
"""Failures that show only when ranks are compared: who ran another operation, who is missing, who is behind.

The NCCL watchdog of every rank prints the sequence number, the operation and the sizes it waited for.  One line
alone says "timeout"; side by side they say who was wrong.
"""
from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

from .database import Database
from .events import Event
from .lazy import Pattern
from .lines import Line
from .records import record
from .stacks import BACKWARD

MISMATCH = "nccl-collective-mismatch"
SHAPE = "nccl-collective-shape-mismatch"
BEHIND = "nccl-rank-missing-or-behind"
_WORK = Pattern(
    r"(?:\[(?:PG (?:ID )?(?P<pg>[\w ()-]{0,60}?) )?Rank (?P<rank>\d{1,7})\] )?Watchdog caught collective operation timeout: WorkNCCL\(SeqNum=(?P<seq>\d{1,12}), OpType=(?P<op>\w{1,40})"
    r"(?:, NumelIn=(?P<nin>\d{1,20}), NumelOut=(?P<nout>\d{1,20}))?"
)
#: torch's detailed mode: what a rank ran.
_FINGERPRINT = Pattern(
    r"Rank (?P<rank>\d{1,7}) is running collective: CollectiveFingerPrint\(SequenceNumber=\d{1,20}(?:, )?OpType=(?P<op>\w{1,40})"
    r"(?:, TensorShape=(?P<shape>\[[\d, ]{0,200}\]), TensorDtypes=(?P<types>[\w ]{1,80}))?"
)
#: Functions of torch.distributed in which ranks meet.
_COLLECTIVES = frozenset(
    "all_reduce all_gather all_gather_into_tensor all_gather_object "
    "reduce reduce_scatter reduce_scatter_tensor broadcast broadcast_object_list gather scatter all_to_all all_to_all_single barrier".split()
)
_BACKWARD = "the backward pass"
_LAST = Pattern(
    r"\[(?:PG (?:ID )?(?P<pg>[\w ()-]{0,60}?) )?Rank (?P<rank>\d{1,7})\] (?:\S{1,40} )?Timeout at NCCL work: "
    r"(?P<at>\d{1,12}), last enqueued NCCL work: (?P<queued>-?\d{1,12}), last completed NCCL work: (?P<done>-?\d{1,12})"
)


@record(slots=True)
class Waiting:
    """What one rank waited for, in one process group."""

    rank: int
    seq: int
    op: str
    nin: int | None
    event: Event


def compare(events: Iterable[Event], database: Database, world: int | None) -> list[Event]:
    """Derived events: each names the rank that differs, on the line that shows it."""
    groups: dict[str, dict[int, Waiting]] = defaultdict(dict)
    queued: dict[str, dict[int, tuple[int, Event]]] = defaultdict(dict)
    for event in events:
        _read(event, groups, queued)
    derived: list[Event] = []
    for name, waiting in groups.items():
        found = _differs(waiting, database) or _behind(waiting, queued.get(name, {}), database) or _missing(waiting, world, database)
        if found:
            derived.append(found)
    return derived or _calls(events, database, world) or _fingerprints(events, database)


def _calls(events: Iterable[Event], database: Database, world: int | None) -> list[Event]:
    """Ranks that wait in different collectives: the tracebacks of a timeout say in which."""
    where: dict[int, Waiting] = {}
    for event in events:
        if event.block is None or event.rank is None or event.layer != "communication" or event.role not in ("root", "either"):
            continue
        call = _call(event)
        if call:
            where.setdefault(event.rank, Waiting(event.rank, 0, call, None, event))
    if len(where) < 3:
        return []
    odd = _minority(list(where.values()), [one.op for one in where.values()])
    if odd is None or sum(one.op == odd.op for one in where.values()) * 2 >= len(where):
        return []
    if any(one.op == _BACKWARD for one in where.values()) and (odd.op == _BACKWARD or "imed out" not in odd.event.line.message or len(where) < (world or 0)):
        return []  # gradients meet on their way back, in no order that tells; only one who waited in vain elsewhere is the odd one
    others = ", ".join(sorted({one.op for one in where.values()} - {odd.op}))
    found = _derive(odd, MISMATCH, database, f"rank {odd.rank} waits in {odd.op}, other ranks in {others}")
    return [found] if found else []


def _call(event: Event) -> str:
    """The collective that a traceback stands in, or the backward pass, where gradients are reduced without a frame of their own."""
    frames = event.block.frames if event.block is not None else []
    calls = [function for path, function, _line in frames if path.endswith("distributed_c10d.py") and function in _COLLECTIVES]
    return calls[-1] if calls else _BACKWARD if any(function == BACKWARD for _path, function, _line in frames) else ""


def _fingerprints(events: Iterable[Event], database: Database) -> list[Event]:
    """Several ranks say what they and a peer ran: the rank that most accuse is the odd one, else the one whose call is the rarest."""
    ran: dict[int, tuple[str, ...]] = {}
    said: dict[int, Event] = {}
    accused: dict[int, int] = {}
    for event in events:
        told = _told(event)
        for rank, what in told:
            ran.setdefault(rank, what)
            said.setdefault(rank, event)
        if len(told) > 1 and event.rank is not None:
            accused.setdefault(event.rank, told[1][0])
    if len(accused) >= 3:
        rank, count = Counter(accused.values()).most_common(1)[0]
        if count * 3 >= len(accused) * 2:
            return _odd(rank, "", said, f"{count} of {len(accused)} ranks say that rank {rank} runs something else", database)
    counts = Counter(ran.values())
    if len(ran) < 3 or len(counts) != 2 or min(counts.values()) * 2 >= len(ran):
        return []
    rare, common = sorted(counts, key=lambda what: counts[what])
    rank = min(rank for rank, what in ran.items() if what == rare)
    differing = next((one, other) for one, other in zip(rare, common, strict=True) if one != other)
    return _odd(rank, rare[0], said, f"rank {rank} ran {' '.join(dict.fromkeys((rare[0], differing[0])))}, other ranks {differing[1]}", database)


def _told(event: Event) -> list[tuple[int, tuple[str, ...]]]:
    """What a line on a mismatch says of its own rank and of a peer: operation, shape and type, as far as it goes."""
    if event.entry not in (MISMATCH, SHAPE):
        return []
    found = [(int(one["rank"]), (one["op"], one["shape"] or "", one["types"] or "")) for one in _FINGERPRINT.finditer(event.line.body[:4000])]
    if len(found) > 1 or event.entry == SHAPE:
        return found[:2]
    pairs = ((event.captures.get("rank"), event.captures.get("op")), (event.captures.get("peer"), event.captures.get("peer_op")))
    return [(int(rank), (op, "", "")) for rank, op in pairs if rank and op and rank.isdecimal()]


def _odd(rank: int, op: str, said: dict[int, Event], label: str, database: Database) -> list[Event]:
    """The rank that ran something else, on its own line if it has one; the entry is the one that the lines were known by."""
    event = said.get(rank) or next(iter(said.values()))
    found = _derive(Waiting(rank, 0, op, None, event), event.entry or MISMATCH, database, label)
    return [found] if found else []


def _read(event: Event, groups: dict[str, dict[int, Waiting]], queued: dict[str, dict[int, tuple[int, Event]]]) -> None:
    message = event.line.body
    if "NCCL" not in message:
        return
    found = _WORK.search(message)
    if found:
        rank = event.line.origin.rank if event.line.origin.rank is not None else _int(found["rank"])
        if rank is not None:
            waiting = Waiting(rank, int(found["seq"]), found["op"], _int(found["nin"]), event)
            groups[_group(found["pg"])].setdefault(rank, waiting)
        return
    found = _LAST.search(message)
    if found:
        rank = event.line.origin.rank if event.line.origin.rank is not None else int(found["rank"])
        queued[_group(found["pg"])].setdefault(rank, (int(found["queued"]), event))


def _group(text: str | None) -> str:
    """The process group's number; lines of old versions carry none."""
    digits = re.search(r"\d+", text or "")
    return digits[0] if digits else "0"


def _int(text: str | None) -> int | None:
    return int(text) if text else None


def _differs(waiting: dict[int, Waiting], database: Database) -> Event | None:
    """Same sequence number, another operation or another size."""
    by_seq: dict[int, list[Waiting]] = defaultdict(list)
    for one in waiting.values():
        by_seq[one.seq].append(one)
    for seq, same in sorted(by_seq.items()):
        odd = _minority(same, [one.op for one in same])
        if odd:
            others = sorted({one.op for one in same} - {odd.op})
            return _derive(odd, MISMATCH, database, f"at sequence number {seq} rank {odd.rank} ran {odd.op}, other ranks {', '.join(others)}")
        odd = _minority(same, [one.nin for one in same])
        if odd and odd.nin is not None:
            sizes = sorted({str(one.nin) for one in same if one.nin != odd.nin})
            return _derive(odd, SHAPE, database, f"at sequence number {seq} rank {odd.rank} sent {odd.nin} elements, other ranks {', '.join(sizes)}")
    return None


def _minority(same: list[Waiting], values: list[object]) -> Waiting | None:
    """The first rank of the rarest value, when there is more than one value."""
    counts = Counter(values)
    if len(counts) < 2:
        return None
    rarest = min(counts.values())
    return min((one for one, value in zip(same, values, strict=True) if counts[value] == rarest), key=lambda one: one.rank)


def _behind(waiting: dict[int, Waiting], queued: dict[int, tuple[int, Event]], database: Database) -> Event | None:
    """One rank waits at an earlier sequence number, or had enqueued less than the others."""
    sequences = {rank: one.seq for rank, one in waiting.items()}
    if len(set(sequences.values())) > 1:
        rank = min(sequences, key=lambda r: (sequences[r], r))
        top = max(sequences.values())
        if sum(seq == sequences[rank] for seq in sequences.values()) * 2 <= len(sequences):
            return _derive(waiting[rank], BEHIND, database, f"rank {rank} waits at sequence number {sequences[rank]}, others at {top}")
    last = {rank: number for rank, (number, _event) in queued.items()}
    if len(last) > 1 and len(set(last.values())) > 1:
        rank = min(last, key=lambda r: (last[r], r))
        if sum(number == last[rank] for number in last.values()) * 2 <= len(last):
            event = queued[rank][1]
            return _derive(Waiting(rank, last[rank], "", None, event), BEHIND, database, f"rank {rank} had enqueued {last[rank]} collectives, others {max(last.values())}")
    return None


def _missing(waiting: dict[int, Waiting], world: int | None, database: Database) -> Event | None:
    """All ranks but a few report the timeout: the silent ones never came."""
    if not world or world < 2 or max(waiting) >= world:
        return None
    silent = sorted(set(range(world)) - set(waiting))
    if not silent or len(silent) > max(1, world // 4) or len(waiting) < len(silent) * 2:
        return None
    first = min(waiting.values(), key=lambda one: one.event.order)
    names = ", ".join(map(str, silent[:8]))
    derived = _derive(first, BEHIND, database, f"{len(waiting)} of {world} ranks report the timeout; rank {names} is silent")
    if derived:
        derived.rank = silent[0]
    return derived


def _derive(one: Waiting, entry: str, database: Database, label: str) -> Event | None:
    """An event of ``entry`` on the line of a rank; None when the database has no such entry."""
    known = database.entries.get(entry)
    if known is None:
        return None
    line: Line = one.event.line
    return Event(
        entry, None, "root", "communication", line, {"seq": str(one.seq), "op": one.op}, one.event.block, known["title"], 6, 10_000,
        rank=one.rank, host=one.event.host, when=one.event.when, last=one.event.last, derived=label,
    )
