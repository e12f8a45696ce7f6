# SPDX-License-Identifier: MIT
"""What stands before the message of a line: who wrote it, when, and for which rank.

Wrappers nest (`kubectl > container > journal > srun > torchrun > torch`), so prefixes are peeled from the
outside in until none matches.  A value once found is kept; an inner one fills only what is still unknown,
except the rank, where the innermost *global* rank wins (`2: [rank11]:` is rank 11 on task 2).
"""
from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from .lazy import Pattern
from .records import record

_ANSI = Pattern(r"\x1b\[[0-?]{0,64}[ -/]{0,8}[@-~]|\x1b[\]PX^_][^\x07\x1b]{0,512}(?:\x07|\x1b\\)|\x1b[ -/]{1,4}[0-~]|\x1b[@-Z\\-_]|\^\[\[[0-9;]{0,16}m|\\x1b\[[0-9;]{0,16}m")
_LOST_ESC = Pattern(r"\[(?:0|1|[0-9]{1,2}(?:;[0-9]{1,3}){1,4}|[34][0-7]|9[0-7])m")
_MONTHS = {name: number for number, name in enumerate("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(), 1)}


@record(slots=True)
class Origin:
    """What the prefixes of one line tell.  Every field is None when the line does not say.

    ``rank`` is the global rank, ``local_rank`` the index on the node, ``task`` a scheduler's or launcher's
    process number, ``device`` a CUDA index.  ``time`` is in seconds; ``clock`` tells which clock: ``date`` (since
    1970, zone unknown), ``noyear`` (since the start of an unknown year), ``uptime`` (since boot).  ``kernel``: the line
    was written by the kernel.
    """

    rank: int | None = None
    local_rank: int | None = None
    task: int | None = None
    device: int | None = None
    host: str | None = None
    pid: int | None = None
    time: float | None = None
    clock: str = ""
    level: str | None = None
    source: str | None = None
    header: bool = False
    repeats: int = 0
    kernel: bool = False

    def stream(self) -> tuple[Any, ...]:
        """Lines with an equal stream key were written by one process, as far as the prefixes tell."""
        return (self.rank, self.local_rank, self.task, self.source)


def strip_ansi(text: str) -> str:
    """Text without terminal codes, also those whose escape character was lost in copying."""
    if "\x1b" in text or "^[" in text or "\\x1b" in text:
        text = _ANSI.sub("", text)
    return _LOST_ESC.sub("", text) if "m" in text and "[" in text else text


def _int(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() and len(text) < 12 else None


def _clock(year: int, month: int, day: int, rest: str) -> float | None:
    """Seconds of a date and a time of day `HH:MM:SS[.,fraction]`."""
    try:
        hour, minute, second = rest.replace(",", ".").split(":")
        if year > 0 and 1 <= month <= 12:
            return days(year, month, day) * 86400 + int(hour) * 3600 + int(minute) * 60 + float(second)
    except ValueError:
        pass
    return None


def days(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01; `calendar` and `datetime` would do, but take longer to import than a short log to read."""
    year, month = (year, month) if month > 2 else (year - 1, month + 12)
    return year * 365 + year // 4 - year // 100 + year // 400 + (153 * month - 457) // 5 + day - 719469


def _set_date(origin: Origin, date: str, rest: str) -> None:
    """Set the time from `YYYY-MM-DD` and a time of day, if none is set; an inner full date wins over uptime."""
    year, month, day = date.replace("/", "-").split("-")
    value = _clock(int(year), int(month), int(day), rest)
    if value is not None:
        origin.time, origin.clock = value, "date"


def _set_noyear(origin: Origin, month: int, day: int, rest: str) -> None:
    if origin.clock != "date":
        value = _clock(1971, month, day, rest)
        if value is not None:
            origin.time, origin.clock = value - 31536000, "noyear"


# --- one function per kind of prefix: each gets the match and the origin ---------------------------------


def _kubectl(m: re.Match[str], o: Origin) -> None:
    o.source = o.source or m["pod"]
    o.host = o.host or m["pod"]


def _cri(m: re.Match[str], o: Origin) -> None:
    _set_date(o, m["date"], m["t"])


def _journal(m: re.Match[str], o: Origin) -> None:
    o.host = m["host"]
    _set_noyear(o, _MONTHS[m["mon"]], int(m["day"]), m["t"])
    o.kernel = m["unit"] == "kernel"
    if not o.kernel:
        o.pid = o.pid or _int(m["pid"])


def _uptime(m: re.Match[str], o: Origin) -> None:
    o.kernel = True
    if o.time is None:
        o.time, o.clock = float(m["up"]), "uptime"


def _dmesg_t(m: re.Match[str], o: Origin) -> None:
    o.kernel = True
    value = _clock(int(m["year"]), _MONTHS[m["mon"]], int(m["day"]), m["t"])
    if value is not None:
        o.time, o.clock = value, "date"


def _task(m: re.Match[str], o: Origin) -> None:
    o.task = int(m["task"])


def _mpirun(m: re.Match[str], o: Origin) -> None:
    o.rank = int(m["rank"])
    o.host = o.host or m.groupdict().get("host")


def _syslog(m: re.Match[str], o: Origin) -> None:
    _set_date(o, m["date"], m["t"])
    o.kernel = m["unit"] == "kernel"
    o.host, o.pid = o.host or m["host"], o.pid or _int(m["pid"])


def _kmsg(m: re.Match[str], o: Origin) -> None:
    o.kernel = True
    if o.time is None:
        o.time, o.clock = int(m["us"]) / 1e6, "uptime"


def _tensorrt(m: re.Match[str], o: Origin) -> None:
    _set_date(o, f"{m['y']}-{m['m']}-{m['d']}", m["t"])
    o.level, o.header = m["lvl"], True
    if m["rank"]:
        o.rank = int(m["rank"])


def _local(m: re.Match[str], o: Origin) -> None:
    o.local_rank = int(m["local"])
    o.source = o.source or m["role"]


def _rank(m: re.Match[str], o: Origin) -> None:
    o.rank = int(m["rank"])


def _ray(m: re.Match[str], o: Origin) -> None:
    if o.source is None and m["pid"]:
        o.source = f"{m['name']} {m['pid']}"
    o.pid = o.pid or _int(m["pid"])
    o.host = o.host or m["ip"]
    inner = re.search(r"\brank=(\d{1,6})", m["name"] or "")
    if inner:
        o.rank = int(inner[1])


def _vllm_proc(m: re.Match[str], o: Origin) -> None:
    o.source = m["proc"]
    o.pid = _int(m["pid"])
    if m["rank"]:
        o.rank = int(m["rank"])
    elif m["tp"]:
        o.rank = int(m["tp"])  # with tensor parallelism alone, its index is the worker's rank


def _site(m: re.Match[str], o: Origin) -> None:
    _set_date(o, m["date"], m["t"])
    o.source = o.source or m["src"]


def _iso(m: re.Match[str], o: Origin) -> None:
    _set_date(o, m["date"], m["t"])
    o.header = True


def _torch(m: re.Match[str], o: Origin) -> None:
    o.level, o.header = m["lvl"], True
    _set_noyear(o, int(m["mon"]), int(m["day"]), m["t"])


def _torch_old(m: re.Match[str], o: Origin) -> None:
    o.level, o.header = (m["lvl"] or m["lvl2"] or "")[:1] or None, True
    if m["date"]:
        _set_date(o, m["date"], m["t"])


def _c10(m: re.Match[str], o: Origin) -> None:
    o.level, o.header = m["lvl"], True
    if m["md"]:
        _set_noyear(o, int(m["md"]) // 100, int(m["md"]) % 100, m["t"][:8])


def _nccl(m: re.Match[str], o: Origin) -> None:
    o.host = o.host or m["host"]
    o.pid, o.device, o.header = int(m["pid"]), _int(m["dev"]), True
    o.level = "W" if m["lvl"] == "WARN" else "I"
    if m["date"]:
        _set_date(o, m["date"], m["t"])


def _deepspeed(m: re.Match[str], o: Origin) -> None:
    o.level, o.header = m["lvl"][:1], True
    _set_date(o, m["date"], m["t"])
    if m["rank"] and int(m["rank"]) >= 0:
        o.rank = int(m["rank"])


def _nemo(m: re.Match[str], o: Origin) -> None:
    o.level, o.header = m["lvl"], True
    _set_date(o, m["date"], m["t"])
    if m["rank"]:
        o.rank = int(m["rank"])


def _vllm(m: re.Match[str], o: Origin) -> None:
    o.level, o.header = m["lvl"][:1], True
    _set_noyear(o, int(m["mon"]), int(m["day"]), m["t"])


def _sglang(m: re.Match[str], o: Origin) -> None:
    _set_date(o, m["date"], m["t"])
    o.header = True
    if m["par"]:
        o.source = m["par"].strip()


def _openmpi(m: re.Match[str], o: Origin) -> None:
    o.host, o.pid = o.host or m["host"], int(m["pid"])


def _ucx(m: re.Match[str], o: Origin) -> None:
    o.host, o.level, o.header = o.host or m["host"], m["lvl"][:1], True
    o.time, o.clock = float(m["epoch"]), "date"


def _dmesg_delta(_m: re.Match[str], o: Origin) -> None:
    o.kernel = True


def _fabric(m: re.Match[str], o: Origin) -> None:
    o.level, o.header = m["lvl"][:1], True
    value = _clock(int(m["year"]), _MONTHS[m["mon"]], int(m["day"]), m["t"])
    if value is not None:
        o.time, o.clock = value, "date"


def _level(m: re.Match[str], o: Origin) -> None:
    o.level, o.header = m["lvl"][:1], True


def _nothing(_m: re.Match[str], _o: Origin) -> None:
    return


_TIME = r"(?P<t>\d\d:\d\d:\d\d(?:[.,]\d{1,9})?)"
_DATE = r"(?P<date>\d{4}[-/]\d\d[-/]\d\d)"
_MON = r"(?P<mon>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
#: (first two characters, text that must stand in the line, pattern, function), tried in this order.  0 stands for all digits, A and a for all
#: large and small letters, ~ for a blank, * for anything: a line meets few of the patterns.
_TABLE = [
    ("[p", "[pod/", Pattern(r"\[pod/(?P<pod>[^/\]]{1,253})/(?P<ctr>[^\]]{1,253})\] ?"), _kubectl),
    ("00", "T", Pattern(rf"{_DATE}T{_TIME}(?:Z|[+-]\d\d:\d\d) (?:stdout|stderr) [PF](?::\S{{0,80}})? "), _cri),
    ("00", ": ", Pattern(rf"{_DATE}T{_TIME}(?:Z|[+-]\d\d:\d\d) (?P<host>[\w.-]{{1,253}}) (?P<unit>kernel|[\w./-]{{1,64}}(?=\[\d))(?:\[(?P<pid>\d{{1,9}})\])?: "), _syslog),
    ("00", "T", Pattern(rf"{_DATE}T{_TIME}(?:Z|[+-]\d\d:\d\d) (?=[\[\w])"), _cri),
    ("0, 00", ";", Pattern(r"\d{1,3},\d{1,12},(?P<us>\d{1,18}),[^;,]{0,8};"), _kmsg),
    ("Aa", ": ", Pattern(rf"{_MON} (?P<day>[ \d]\d) {_TIME} (?P<host>[\w.-]{{1,253}}) (?P<unit>[^\s:\[]{{1,64}})(?:\[(?P<pid>\d{{1,9}})\])?: "), _journal),
    ("[0", "] [", Pattern(r"\[(?P<epoch>\d{9,11}\.\d{6})\] \[(?P<host>[^:\]]{1,120}):\d{1,9}\s{0,4}:\w{1,12}\]\s{1,4}[\w.]{1,60}:\d{1,6}\s{1,4}\w{1,20}\s{1,8}(?P<lvl>FATAL|ERROR|WARN|DIAG|INFO|DEBUG)\s{1,4}"), _ucx),
    ("<0 [0 [~", "] ", Pattern(r"(?:<\d{1,3}>)?\[\s{0,8}(?P<up>\d{1,10}\.\d{6})\](?:\[\s*[TC]\d{1,8}\])? "), _uptime),
    ("[A", "] ", Pattern(rf"\[[A-Z][a-z]{{2}} {_MON} (?P<day>[ \d]\d) {_TIME} (?P<year>\d{{4}})\] "), _dmesg_t),
    ("[~ [+", "", Pattern(r"\[ {0,4}\+\d{1,6}\.\d{6}\] "), _dmesg_delta),
    ("[A", "] [tid", Pattern(rf"\[{_MON} (?P<day>[ \d]\d) (?P<year>\d{{4}}) {_TIME}\] \[(?P<lvl>[A-Z]{{4,8}})\] (?=\[tid)"), _fabric),
    ("[* Aa", ">:", Pattern(rf"(?:[A-Z][a-z]{{2}} {_MON} (?P<day>[ \d]\d) {_TIME} (?P<year>\d{{4}}))?\[(?:[^,\]\s]{{1,40}},)?(?P<rank>\d{{1,6}})\](?:\[[^\]]{{1,80}}\])?<(?:stdout|stderr|stddiag)>: ?"), _mpirun),
    ("[0", "mpirank:", Pattern(r"\[\d{1,6},mpirank:(?P<rank>\d{1,6}),(?P<host>[\w.-]{1,253})\]<(?:stdout|stderr|stddiag)>: ?"), _mpirun),
    ("00 [V [I [W [E [F", ":onnxruntime", Pattern(rf"(?:{_DATE} {_TIME} )?\[(?P<lvl>[VIWEF]):onnxruntime:[^\]]{{0,80}}\] ?"), lambda m, o: (_level(m, o), m["date"] and _set_date(o, m["date"], m["t"]))),
    ("[T", "[TensorRT-LLM]", Pattern(r"\[TensorRT-LLM\]\[(?P<lvl>[A-Z]{4,8})\] ?"), _level),
    ("[0", "[TRT", Pattern(r"\[(?P<m>\d\d)/(?P<d>\d\d)/(?P<y>\d{4})-(?P<t>\d\d:\d\d:\d\d)\] \[TRT(?:-LLM)?\] (?:\[RANK (?P<rank>\d{1,6})\] )?\[(?P<lvl>[A-Z])\] ?"), _tensorrt),
    ("[r", "", Pattern(r"\[rank(?P<rank>\d{1,6})\]:\s?"), _rank),
    ("[A [a [_", "", Pattern(r"\[(?P<role>(?!rank\d)[A-Za-z_][\w.-]{0,40}?)(?P<local>\d{1,4})\]: ?"), _local),
    ("[r", "", Pattern(r"\[rank(?:: ?| )(?P<rank>\d{1,6})\]:? "), _rank),
    ("[0", "] [", Pattern(rf"\[{_DATE}[ T]{_TIME}\] \[(?P<lvl>[A-Z]{{4,8}})\] \[[\w.]{{1,64}}:\d{{1,6}}:\w{{1,64}}\] (?:\[Rank (?P<rank>-?\d{{1,6}})\] )?"), _deepspeed),
    ("[N", "[NeMo", Pattern(rf"\[NeMo (?P<lvl>[A-Z]) {_DATE} {_TIME} [\w.<>-]{{1,80}}:\d{{1,6}}(?: rank:(?P<rank>\d{{1,6}}))?\] ?"), _nemo),
    ("[0", ":", Pattern(rf"\[{_DATE} {_TIME} (?P<lvl>[DIWECF]) \d{{1,9}} \d{{1,9}}\] (?:\([\w-]{{1,40}}\) )?[\w./-]{{1,120}}:\d{{1,6}}: "), lambda m, o: (_level(m, o), _iso(m, o))),
    ("[0", "P", Pattern(rf"\[{_DATE}[ T]{_TIME}(?:Z)?(?P<par>(?: (?:DP|TP|PP|EP|CP)\d{{1,4}}){{1,6}})\] "), _sglang),
    ("[0", ":", Pattern(rf"\[{_DATE}T{_TIME}\] (?:\[[\w.+]{{1,40}}\] )?(?=error:|fatal:|\*\*\*|done|sched|task|Job|launch)"), _iso),
    ("[0", "torch", Pattern(rf"(?:\[{_DATE} {_TIME}\] )?(?:(?P<lvl>DEBUG|INFO|WARNING|ERROR|CRITICAL):)?torch[\w.]{{1,80}}:\s?(?:\[(?P<lvl2>[A-Z]{{4,8}})\] ?)"), _torch_old),
    ("AA", "torch", Pattern(rf"(?:(?P<date>\d{{4}}-\d\d-\d\d) {_TIME} )?(?P<lvl>DEBUG|INFO|WARNING|ERROR|CRITICAL):torch[\w.]{{1,80}}:\s?(?P<lvl2>)"), _torch_old),
    ("[A", "] ", Pattern(r"\[(?P<lvl>[VIWEF])(?:(?P<md>\d{3,4}) (?P<t>\d\d:\d\d:\d\d\.\d{6,9}))? ?[\w./-]{1,120}\.(?:cpp|h|cu|hpp|cc):\d{1,6}\] "), _c10),
    ("A0", "]", Pattern(rf"(?P<lvl>[VDIWEFC])(?P<mon>[01]\d)(?P<day>[0-3]\d) {_TIME}\s{{1,4}}\d{{1,20}} [^\s\]]{{1,200}}:\d{{1,6}}\](?: \[[\w/]{{1,40}}\])? ?"), _torch),
    ("A* a* 0* [0", "NCCL", Pattern(rf"(?:\[{_DATE}[ T]{_TIME}[^\]]{{0,8}}\] )?(?P<host>[A-Za-z0-9][\w.-]{{0,120}}):(?P<pid>\d{{1,9}}):(?P<tid>\d{{1,9}}) (?:\[(?P<dev>-?\d{{1,6}})\] )?(?=(?:(?:[\w./-]{{1,120}}|\w[\w *&]{{0,60}}\([^)\n]{{0,80}}\)):\d{{1,6}} (?:\(\w{{1,80}}\) )?)?NCCL (?P<lvl>INFO|WARN|TRACE|VERSION|ABORT|CALL))"), _nccl),
    ("[0", ":", Pattern(rf"\[{_DATE}[ T]{_TIME}[^\]]{{0,8}}\](?:\[[\w.]{{1,60}}\]){{0,2}}\[(?P<lvl>[A-Z]{{4,8}})\](?: - |:? )"), lambda m, o: (_level(m, o), _iso(m, o))),
    ("(A", ") ", Pattern(r"\((?P<proc>(?:EngineCore|APIServer|ApiServer|Worker(?:_TP(?P<tp>\d{1,4})(?:_EP\d{1,4})?(?![\w]))?|VllmWorker|DPCoordinator)[\w-]{0,40})(?: rank=(?P<rank>\d{1,6}))?[^()]{0,40}? ?(?:pid=(?P<pid>\d{1,9}))?\) "), _vllm_proc),
    ("(*", "pid=", Pattern(r"\((?P<name>[^()]{0,120}?(?:\([^()]{0,120}\))?) ?\bpid=(?P<pid>\d{1,9})(?:, ip=(?P<ip>[^)]{1,64}))?\) ?"), _ray),
    ("(r (a", ") ", Pattern(r"\((?P<name>raylet|autoscaler \+\w{1,12})(?P<pid>)(?:, ip=(?P<ip>[^)]{1,64}))?\) "), _ray),
    ("AA", ":", Pattern(rf"(?P<lvl>DEBUG|INFO|WARNING|ERROR|CRITICAL) (?P<mon>\d\d)-(?P<day>\d\d) {_TIME} \[?[\w./]{{1,120}}:\d{{1,6}}\] ?"), _vllm),
    ("[A [a", ":", Pattern(r"\[(?P<host>[A-Za-z][\w.-]{1,120}):(?P<pid>\d{1,9})\] "), _openmpi),
    ("00 [0", ":", Pattern(rf"\[?{_DATE}[ T]{_TIME}Z?\]? (?P<src>[A-Za-z][\w.-]{{1,63}}) \|\|? ?"), _site),
    ("00 [0", ":", Pattern(rf"\[?{_DATE}[ T]{_TIME}(?:Z|[+-]\d\d:?\d\d)?\]?[ :,-]{{0,4}}"), _iso),
    ("AA [A", "", Pattern(r"\[?(?P<lvl>DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL)\]?(?:[ :|-]{1,4}(?=\S))"), _level),
    ("[0", "] ", Pattern(r"\[(?P<task>\d{1,4})\] (?=\S)"), _task),
    ("P0 0* ~*", ": ", Pattern(r"(?:P\d{1,3} )? {0,6}(?P<task>\d{1,5}): "), _task),
    ("00 0. ip", "", Pattern(r"(?P<host>\d{1,3}(?:\.\d{1,3}){3}|ip-\d{1,6}): ?(?!\d)"), lambda m, o: (setattr(o, "host", o.host or m["host"]), setattr(o, "source", o.source or m["host"]))),
    ("a*", " | ", Pattern(r"(?P<src>[a-z][\w.-]{0,60}[-_]\w{1,30}) {1,30}\| "), lambda m, o: setattr(o, "source", o.source or m["src"])),
    ("a*", ": ", Pattern(r"(?P<src>[a-z][a-z0-9.-]{0,62}-\d{1,5}): ?"), lambda m, o: setattr(o, "source", o.source or m["src"])),
    ("a*", ": ", Pattern(r"(?P<src>(?:node|host|worker|gpu|compute|trainer|master)[\w.-]{0,60}\d[\w.-]{0,20}): (?=\[rank|\[|\s*File|Traceback|\d)"), lambda m, o: setattr(o, "source", o.source or m["src"])),
    ("|*", " | ", Pattern(r"\| (?P<lvl>DEBUG|INFO|WARNING|ERROR|CRITICAL) {1,4}\| \w{1,40} \| ?"), _level),
    (">*", "", Pattern(r"> ?"), _nothing),
    ("a*", "/", Pattern(r"(?P<src>[a-z][\w.]{0,60}/\d{1,5}) (?:\[(?P<local>\d{1,4})\]:? ?)?(?=\[|\S)"), lambda m, o: (setattr(o, "source", o.source or m["src"]), m["local"] and setattr(o, "local_rank", int(m["local"])))),
]


@lru_cache(maxsize=4096)
def _starting_with(two: str) -> tuple[tuple[str, Pattern, Any], ...]:
    """The prefixes that can start with two characters, in table order."""
    first, second = ({character, _class_of(character)} for character in (two[0], two[1:]))
    return tuple(
        (guard, pattern, function) for starts, guard, pattern, function in _TABLE
        if any(start[0] in first and (start[1] == "*" or start[1] in second) for start in starts.split())
    )


def _class_of(character: str) -> str:
    """The character of the table that stands for all of its kind."""
    if character.isascii() and character.isalpha():
        return "A" if character.isupper() else "a"
    return "0" if character.isdecimal() else "~" if character.isspace() else ""


def fill(origin: Origin, outer: Origin) -> None:
    """Fill what a line leaves open with what stands around it."""
    for name in ("rank", "local_rank", "task", "device", "host", "pid", "level", "source"):
        if getattr(origin, name) is None:
            setattr(origin, name, getattr(outer, name))
    if origin.time is None:
        origin.time, origin.clock = outer.time, outer.clock


def take_facts(origin: Origin, facts: dict[str, Any]) -> None:
    """Fill what the line itself leaves open with what its record says."""
    for name in ("rank", "local_rank", "host"):
        if getattr(origin, name) is None:
            setattr(origin, name, facts[name])
    if origin.level is None and facts["level"]:
        origin.level = facts["level"][:1].upper()
    time = facts["time"]
    if origin.time is not None or time is None:
        return
    if isinstance(time, str):
        stamp = re.match(rf"{_DATE}[T ]{_TIME}", time)
        if stamp:
            _set_date(origin, stamp["date"], stamp["t"])
    elif time > 1e9:
        seconds = time / 1000 if time > 1e11 else time  # many loggers count milliseconds
        origin.time, origin.clock = (float(seconds), "date") if seconds < 1e10 else (None, "")


_REPEATED = Pattern(r" \[repeated (\d{1,7})x across cluster\][^\n]{0,200}$")


def peel(text: str) -> tuple[str, Origin]:
    """Split a line (without terminal codes) into its message and what its prefixes tell."""
    origin = Origin()
    for _round in range(8):
        peeled = _peel_once(text, origin)
        if peeled is None:
            break
        text = peeled
    if text.endswith(("cluster]", "rules.)", "rule.)")) or "x across cluster]" in text[-220:]:
        repeated = _REPEATED.search(text[-260:])
        if repeated:
            origin.repeats = int(repeated[1])
            text = text[: len(text) - len(repeated[0])]
    return text, origin


def _peel_once(text: str, origin: Origin) -> str | None:
    """The text behind one more prefix, or None when there is none."""
    if not text:
        return None
    head = text[:600]
    for guard, pattern, function in _starting_with(text[:2]):
        if guard not in head:
            continue
        if function is _task and (origin.task is not None or origin.header):
            continue
        found = pattern.match(head)
        if found and found.end():
            function(found, origin)
            return text[found.end():]
    return None
