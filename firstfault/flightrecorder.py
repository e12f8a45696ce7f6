# SPDX-License-Identifier: MIT
"""PyTorch's flight-recorder dumps: what each rank had enqueued, started and completed when it hung.

A dump is a pickle (`nccl_trace_rank_N`, written by the watchdog) or JSON (the debug server's form). Both become
:class:`Dump` objects; nothing in a file is executed.  A dump does not say whose it is: the rank stands in its name.
"""
from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from .lazy import Pattern
from .pickledata import Incomplete, PickleError, load
from .reading import ReadingError
from .records import field, record

#: Bounds: bytes of a dump, records kept of one (the last ones), records of all dumps before fewer are kept, bytes by which a pickle shows what it is.
LARGEST, MOST_RECORDS, MANY_RECORDS, FEW_RECORDS, _PROBE = 64 << 20, 2000, 400_000, 64, 1 << 16
_HEAD = 512
_PICKLE = Pattern(rb"\x80[\x02-\x05]")
_JSON = Pattern(rb'\s{0,80}\{\s{0,80}"(?:comm_lib_version|nccl_version|version|entries|pg_config|pg_status|nccl_comm_state|rank)"\s{0,8}:')
_RANK = (Pattern(r"(\d{1,7})(?:\.[a-zA-Z]{1,8}){0,3}$"), Pattern(r"rank[_-]?(\d{1,7})(?!\d)"))
_KEYS = ("entries", "pg_status", "pg_config")


@record(slots=True)
class Record:
    """One collective of one rank, as its recorder kept it."""

    number: int
    group: str
    seq: int
    op: str
    state: str
    retired: bool
    created: int
    elements: int
    shape: str
    dtypes: str
    where: str


@record(slots=True)
class Group:
    """What a rank knows of one process group: its members, the last numbers, the records by sequence number."""

    description: str = ""
    members: tuple[int, ...] = ()
    enqueued: int = -1
    started: int = -1
    completed: int = -1
    records: dict[int, Record] = field(default_factory=dict)

    @property
    def last(self) -> int:
        """The last collective that the rank enqueued."""
        return max(self.enqueued, max(self.records, default=-1))


@record(slots=True)
class Dump:
    """The flight recorder of one rank."""

    file: str
    rank: int | None
    version: str
    order: int = 0
    groups: dict[str, Group] = field(default_factory=dict)

    def count(self) -> int:
        """Records held."""
        return sum(len(group.records) for group in self.groups.values())

    def trim(self, most: int) -> None:
        """Keep the last records of each group."""
        for group in self.groups.values():
            for seq in sorted(group.records)[:-most]:
                del group.records[seq]


class Intake:
    """Stands before the reader of one input: gathers a dump, lets everything else through."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._kind: str | None = None
        self._held = bytearray()
        self._probed = False
        self.recorded = 0

    def offer(self, data: bytes) -> bytes:
        """Take bytes; gives back those that are for the reader."""
        if self._kind == "text":
            return data
        self._held += data
        if self._kind is None:
            if len(self._held) < _HEAD:
                return b""
            self._kind = kind_of(bytes(self._held[:_HEAD]))
        if self._kind == "text" or (self._kind == "json" and len(self._held) > LARGEST):
            return self._release()
        if self._kind == "pickle":
            self._probe()
        return b""

    def _probe(self) -> None:
        """Refuse early what is no dump, before gigabytes of a checkpoint are gathered."""
        if not self._probed and len(self._held) >= _PROBE:
            self._probed = True
            try:
                load(bytes(self._held[:_PROBE]))
            except Incomplete:
                return
            except PickleError as error:
                self._refuse(error)
        if len(self._held) > LARGEST:
            self._refuse(PickleError(f"it is larger than {LARGEST >> 20} MiB"))

    def _refuse(self, error: PickleError) -> None:
        self._held.clear()
        self._kind = "text"
        raise ReadingError(
            f"{self.name}: this is a pickle, not a log, and no flight-recorder dump that can be read safely ({error}); give the text that the run printed, or the dump as PyTorch wrote it"
        ) from error

    def _release(self) -> bytes:
        data, self._kind = bytes(self._held), "text"
        self._held.clear()
        return data

    def close(self) -> tuple[Dump | None, bytes]:
        """The dump, if it was one; else what is left for the reader."""
        if self._kind is None:
            self._kind = kind_of(bytes(self._held[:_HEAD]))
        if self._kind == "text":
            return None, self._release()
        self._kind, kind = "text", self._kind
        data = bytes(self._held)
        if kind == "json":
            found = _from_json(self.name, data)
            self.recorded = len(data) if found else 0
            return (found, b"") if found else (None, self._release())
        try:
            found = _dump(self.name, load(data))
        except PickleError as error:
            self._refuse(error)
            raise
        self.recorded = len(data)
        return found, b""


def kind_of(head: bytes) -> str:
    """Whether an input may be a dump: `pickle`, `json`, else `text`."""
    return "pickle" if _PICKLE.match(head) else "json" if _JSON.match(head) else "text"


def _from_json(name: str, data: bytes) -> Dump | None:
    try:
        return _dump(name, json.loads(data))
    except (ValueError, RecursionError):  # PickleError included: other JSON is text
        return None


def rank_in(name: str) -> int | None:
    """The rank that a file's name tells: `nccl_trace_rank_3`, `rank_3.json`, `rank3/trace.bin`."""
    base = name.replace("!", "/").rsplit("/", 1)[-1]
    found = _RANK[0].search(base) or _RANK[1].search(name)
    return int(found[1]) if found else None


def _dump(name: str, value: Any) -> Dump:
    """The dump in a value that was read; whatever has another shape is refused or left out."""
    if not isinstance(value, dict) or not any(key in value for key in _KEYS):
        raise PickleError("it has none of the fields entries, pg_status, pg_config")
    entries = value.get("entries")
    rank = value.get("rank", value.get("global_rank"))
    dump = Dump(name, rank if isinstance(rank, int) and not isinstance(rank, bool) and 0 <= rank < 10_000_000 else rank_in(name), str(value.get("version", ""))[:20])
    members = dict(_members(value.get("pg_config")))
    names: dict[str, str] = {}
    rows = entries if isinstance(entries, list) else []
    for number, row in enumerate(rows[-MOST_RECORDS:], max(0, len(rows) - MOST_RECORDS) + 1):
        if isinstance(row, dict):
            _add(dump, row, number, names, members)
    _status(dump, value.get("pg_status"), names, members)
    return dump


def _add(dump: Dump, row: dict[str, Any], number: int, names: dict[str, str], members: dict[str, tuple[int, ...]]) -> None:
    """One entry of the dump; point-to-point operations have other numbers and are left out."""
    record = _record(row, number)
    if record is None:
        return
    names[str(row.get("pg_id"))[:20]] = record.group
    group = _group(dump, record.group, members)
    described = row.get("process_group")
    if isinstance(described, (list, tuple)) and len(described) > 1 and not group.description:
        group.description = str(described[1])[:80] if described[1] != "undefined" else ""
    group.records[record.seq] = record


def _group(dump: Dump, name: str, members: dict[str, tuple[int, ...]]) -> Group:
    if name not in dump.groups:
        # The default group of gloo is called "0" in entries and "" in pg_config.
        dump.groups[name] = Group(members=members.get(name) or (members.get("", ()) if name == "0" else ()))
    return dump.groups[name]


def _record(row: dict[str, Any], number: int) -> Record | None:
    seq, group = row.get("collective_seq_id", row.get("seq_id")), row.get("process_group", "0")
    if not isinstance(seq, int) or row.get("is_p2p") is True:
        return None
    group = group[0] if isinstance(group, (list, tuple)) and group else group
    sizes, dtypes = row.get("input_sizes"), row.get("input_dtypes")
    created = row.get("time_created_ns")
    return Record(
        number, str(group)[:80] if isinstance(group, (str, int)) else "0", seq, _operation(row.get("profiling_name")), str(row.get("state", ""))[:20], row.get("retired") is True,
        created if isinstance(created, int) else 0, _elements(sizes), _shown(sizes), _shown(dtypes), _where(row.get("frames")),
    )


def _operation(name: Any) -> str:
    """`all_reduce` of `nccl:all_reduce`."""
    return name.partition(":")[2][:80] or name[:80] if isinstance(name, str) else "unknown"


def _elements(sizes: Any) -> int:
    """Elements of all input tensors together; -1 when the dump does not say."""
    total = 0
    if not isinstance(sizes, (list, tuple)) or not sizes:
        return -1
    for shape in sizes[:4096]:
        count = 1
        for side in shape[:16] if isinstance(shape, (list, tuple)) else ():
            if not isinstance(side, int) or abs(side) > 1 << 62:
                return -1
            count *= side
        total += count
    return total


def _shown(values: Any) -> str:
    """Sizes or types as short text, whatever they hold."""
    if not isinstance(values, (list, tuple)):
        return ""
    parts = [
        "[" + ", ".join(str(side)[:20] for side in value[:8] if isinstance(side, int)) + "]" if isinstance(value, (list, tuple)) else str(value)[:20]
        for value in values[:4] if isinstance(value, (list, tuple, str))
    ]
    return ", ".join(parts) + (", ..." if len(values) > 4 else "")


def _where(frames: Any) -> str:
    """The innermost frame outside of PyTorch: where the program called the collective."""
    for frame in frames[:64] if isinstance(frames, (list, tuple)) else ():
        if isinstance(frame, dict) and isinstance(frame.get("filename"), str) and "/torch/" not in frame["filename"] and isinstance(frame.get("line"), int):
            return f"{frame['filename'][-120:].rsplit('/', 1)[-1]}:{frame['line'] % 10_000_000}"
    return ""


def _status(dump: Dump, status: Any, names: dict[str, str], members: dict[str, tuple[int, ...]]) -> None:
    """Last enqueued, started and completed, by the group's number."""
    for key, row in list(status.items())[:10_000] if isinstance(status, dict) else ():
        if isinstance(row, dict):
            group = _group(dump, names.get(str(key)[:20], str(key)[:20]), members)
            group.enqueued, group.started, group.completed = (_int(row.get(f"last_{what}_collective")) for what in ("enqueued", "started", "completed"))


def _members(config: Any) -> Iterator[tuple[str, tuple[int, ...]]]:
    for key, row in list(config.items())[:10_000] if isinstance(config, dict) else ():
        ranks = row.get("ranks") if isinstance(row, dict) else None
        if isinstance(ranks, str):
            yield str(key)[:80], tuple(int(digits) for digits in re.findall(r"\d{1,7}", ranks[:1_000_000]))
        elif isinstance(ranks, (list, tuple)):
            yield str(key)[:80], tuple(rank for rank in ranks[:1_000_000] if isinstance(rank, int))


def _int(value: Any) -> int:
    """A number, also where the JSON form writes it as text."""
    if isinstance(value, str):
        return int(value) if re.fullmatch(r"-?\d{1,18}", value) else -1
    return value if isinstance(value, int) and abs(value) < 1 << 62 else -1
