# SPDX-License-Identifier: MIT
"""Every prefix that the engine knows: how it begins, its pattern, and what it tells of the line's origin."""
from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from .lazy import Pattern
from .origin import Origin, set_date, set_noyear
from .stamps import DATE, MON, MONTHS, TIME, clock
from .structured import RUNTIME


def _whole(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() and len(text) < 12 else None


# One function per kind of prefix: each gets the match and the origin.


def _kubectl(m: re.Match[str], o: Origin) -> None:
    o.source = o.source or m["pod"]
    o.host = o.host or m["pod"]


def _cri(m: re.Match[str], o: Origin) -> None:
    set_date(o, m["date"], m["t"])


def _journal(m: re.Match[str], o: Origin) -> None:
    o.host = m["host"]
    set_noyear(o, MONTHS[m["mon"]], int(m["day"]), m["t"])
    o.writer = m["unit"]
    if o.writer != "kernel":
        o.pid = o.pid or _whole(m["pid"])


def _uptime(m: re.Match[str], o: Origin) -> None:
    o.writer = "kernel"
    if o.time is None:
        o.time, o.clock = float(m["up"]), "uptime"


def _dmesg_t(m: re.Match[str], o: Origin) -> None:
    o.writer = "kernel"
    value = clock(int(m["year"]), MONTHS[m["mon"]], int(m["day"]), m["t"])
    if value is not None:
        o.time, o.clock = value, "date"


def task(m: re.Match[str], o: Origin) -> None:
    o.task = int(m["task"])


def _mpirun(m: re.Match[str], o: Origin) -> None:
    o.rank = int(m["rank"])
    o.host = o.host or m.groupdict().get("host")


def _syslog(m: re.Match[str], o: Origin) -> None:
    set_date(o, m["date"], m["t"])
    o.writer = m["unit"]
    o.host, o.pid = o.host or m["host"], o.pid or _whole(m["pid"])


def _kmsg(m: re.Match[str], o: Origin) -> None:
    o.writer = "kernel"
    if o.time is None:
        o.time, o.clock = int(m["us"]) / 1e6, "uptime"


def _tensorrt(m: re.Match[str], o: Origin) -> None:
    set_date(o, f"{m['y']}-{m['m']}-{m['d']}", m["t"])
    o.level, o.header = m["lvl"], True
    if m["rank"]:
        o.rank = int(m["rank"])


def _slashed(m: re.Match[str], o: Origin) -> None:
    set_date(o, f"{m['y']}-{m['m']}-{m['d']}", m["t"])
    o.level, o.header = m["lvl"][:1], True


def _local(m: re.Match[str], o: Origin) -> None:
    o.local_rank = int(m["local"])
    o.source = o.source or m["role"]


def _rank(m: re.Match[str], o: Origin) -> None:
    o.rank = int(m["rank"])


def _ray(m: re.Match[str], o: Origin) -> None:
    if o.source is None and m["pid"]:
        o.source = f"{m['name']} {m['pid']}"
    o.pid = o.pid or _whole(m["pid"])
    o.host = o.host or m["ip"]
    inner = re.search(r"\brank=(\d{1,6})", m["name"] or "")
    if inner:
        o.rank = int(inner[1])


def _vllm_proc(m: re.Match[str], o: Origin) -> None:
    o.source = m["proc"]
    o.pid = _whole(m["pid"])
    if m["rank"]:
        o.rank = int(m["rank"])
    elif m["tp"]:
        o.rank = int(m["tp"])  # with tensor parallelism alone, its index is the worker's rank


def _source(m: re.Match[str], o: Origin) -> None:
    o.source = o.source or m["src"]


def _site(m: re.Match[str], o: Origin) -> None:
    set_date(o, m["date"], m["t"])
    _source(m, o)


def _iso(m: re.Match[str], o: Origin) -> None:
    set_date(o, m["date"], m["t"])
    o.header = True


def _torch(m: re.Match[str], o: Origin) -> None:
    o.level, o.header = m["lvl"], True
    set_noyear(o, int(m["mon"]), int(m["day"]), m["t"])


def _torch_old(m: re.Match[str], o: Origin) -> None:
    o.level, o.header = (m["lvl"] or m["lvl2"] or "")[:1] or None, True
    if m["date"]:
        set_date(o, m["date"], m["t"])


def _c10(m: re.Match[str], o: Origin) -> None:
    o.level, o.header = m["lvl"], True
    if m["md"]:
        set_noyear(o, int(m["md"]) // 100, int(m["md"]) % 100, m["t"][:8])


def _nccl(m: re.Match[str], o: Origin) -> None:
    o.host = o.host or m["host"]
    o.pid, o.device, o.header = int(m["pid"]), _whole(m["dev"]), True
    o.level = "W" if m["lvl"] == "WARN" else "I"
    if m["date"]:
        set_date(o, m["date"], m["t"])


def _deepspeed(m: re.Match[str], o: Origin) -> None:
    o.level, o.header = m["lvl"][:1], True
    set_date(o, m["date"], m["t"])
    if m["rank"] and int(m["rank"]) >= 0:
        o.rank = int(m["rank"])


def _nemo(m: re.Match[str], o: Origin) -> None:
    o.level, o.header = m["lvl"], True
    set_date(o, m["date"], m["t"])
    if m["rank"]:
        o.rank = int(m["rank"])


def _vllm(m: re.Match[str], o: Origin) -> None:
    o.level, o.header = m["lvl"][:1], True
    set_noyear(o, int(m["mon"]), int(m["day"]), m["t"])


def _sglang(m: re.Match[str], o: Origin) -> None:
    set_date(o, m["date"], m["t"])
    o.header = True
    if m["par"]:
        o.source = m["par"].strip()
        if "DP" not in o.source and "PP" not in o.source and o.source.startswith("TP"):
            o.rank = int(o.source.split()[0][2:])


def _openmpi(m: re.Match[str], o: Origin) -> None:
    o.host, o.pid = o.host or m["host"], int(m["pid"])


def _ucx(m: re.Match[str], o: Origin) -> None:
    o.host, o.level, o.header, o.writer = o.host or m["host"], m["lvl"][:1], True, "UCX"
    o.time, o.clock = float(m["epoch"]), "date"


def _dmesg_delta(_m: re.Match[str], o: Origin) -> None:
    o.writer = "kernel"


def _fabric(m: re.Match[str], o: Origin) -> None:
    o.level, o.header, o.writer = m["lvl"][:1], True, "fabricmanager"
    value = clock(int(m["year"]), MONTHS[m["mon"]], int(m["day"]), m["t"])
    if value is not None:
        o.time, o.clock = value, "date"


def _level(m: re.Match[str], o: Origin) -> None:
    o.level, o.header = m["lvl"][:1], True


def _nothing(_m: re.Match[str], _o: Origin) -> None:
    return


#: (first two characters, text that must stand in the line, pattern, function), tried in this order.  0 stands for all digits, A and a for all
#: large and small letters, ~ for a blank, * for anything: a line meets few of the patterns.
TABLE = [
    ("[p", "[pod/", Pattern(r"\[pod/(?P<pod>[^/\]]{1,253})/(?P<ctr>[^\]]{1,253})\] ?"), _kubectl),
    ("00", "T", RUNTIME, _cri),
    ("00", ": ", Pattern(rf"{DATE}T{TIME}(?:Z|[+-]\d\d:\d\d) (?P<host>[\w.-]{{1,253}}) (?P<unit>kernel|[\w./-]{{1,64}}(?=\[\d))(?:\[(?P<pid>\d{{1,9}})\])?: "), _syslog),
    ("00", "T", Pattern(rf"{DATE}T{TIME}(?:Z|[+-]\d\d:\d\d) (?:\|{{1,2}} )?(?=[\[\w])"), _cri),
    ("0, 00", ";", Pattern(r"\d{1,3},\d{1,12},(?P<us>\d{1,18}),[^;,]{0,8};"), _kmsg),
    ("Aa", ": ", Pattern(rf"{MON} (?P<day>[ \d]\d) {TIME} (?P<host>[\w.-]{{1,253}}) (?P<unit>[^\s:\[]{{1,64}})(?:\[(?P<pid>\d{{1,9}})\])?: "), _journal),
    ("[0", "] [", Pattern(r"\[(?P<epoch>\d{9,11}\.\d{6})\] \[(?P<host>[^:\]]{1,120}):\d{1,9}\s{0,4}:\w{1,12}\]\s{1,24}[\w.]{1,60}:\d{1,6}\s{1,8}\w{1,20}\s{1,8}(?P<lvl>FATAL|ERROR|WARN|DIAG|INFO|DEBUG)\s{1,4}"), _ucx),
    ("<0 [0 [~", "] ", Pattern(r"(?:<\d{1,3}>)?\[\s{0,8}(?P<up>\d{1,10}\.\d{6})\](?:\[\s*[TC]\d{1,8}\])? "), _uptime),
    ("[A", "] ", Pattern(rf"\[[A-Z][a-z]{{2}} {MON} (?P<day>[ \d]\d) {TIME} (?P<year>\d{{4}})\] "), _dmesg_t),
    ("[~ [+", "", Pattern(r"\[ {0,4}\+\d{1,6}\.\d{6}\] "), _dmesg_delta),
    ("[A", "] [", Pattern(rf"\[{MON} (?P<day>[ \d]\d) (?P<year>\d{{4}}) {TIME}\] \[(?P<lvl>[A-Z]{{4,8}})\] "), _fabric),
    ("[* Aa", ">:", Pattern(rf"(?:[A-Z][a-z]{{2}} {MON} (?P<day>[ \d]\d) {TIME} (?P<year>\d{{4}}))?\[(?:[^,\]\s]{{1,40}},)?(?P<rank>\d{{1,6}})\](?:\[[^\]]{{1,80}}\])?<(?:stdout|stderr|stddiag)>: ?"), _mpirun),
    ("[0", "mpirank:", Pattern(r"\[\d{1,6},mpirank:(?P<rank>\d{1,6}),(?P<host>[\w.-]{1,253})\]<(?:stdout|stderr|stddiag)>: ?"), _mpirun),
    ("00 [V [I [W [E [F", ":onnxruntime", Pattern(rf"(?:{DATE} {TIME} )?\[(?P<lvl>[VIWEF]):onnxruntime:[^\]]{{0,80}}\] ?"), lambda m, o: (_level(m, o), m["date"] and set_date(o, m["date"], m["t"]))),
    ("[T", "[TensorRT-LLM]", Pattern(r"\[TensorRT-LLM\]\[(?P<lvl>[A-Z]{4,8})\] ?"), _level),
    ("[0", "[TRT", Pattern(r"\[(?P<m>\d\d)/(?P<d>\d\d)/(?P<y>\d{4})-(?P<t>\d\d:\d\d:\d\d)\] \[TRT(?:-LLM)?\] (?:\[RANK (?P<rank>\d{1,6})\] )?\[(?P<lvl>[A-Z])\] ?"), _tensorrt),
    ("[r", "", Pattern(r"\[rank(?P<rank>\d{1,6})\]:\s?"), _rank),
    ("[A [a [_", "", Pattern(r"\[(?P<role>(?!rank[-\d])[A-Za-z_][\w.-]{0,40}?)(?P<local>\d{1,4})\]: ?"), _local),
    ("[r", "", Pattern(r"\[rank(?:: ?| |-)(?P<rank>\d{1,6})\]:? "), _rank),
    ("[0", "] [", Pattern(rf"\[{DATE}[ T]{TIME}\] \[(?P<lvl>[A-Z]{{4,8}})\] \[[\w.]{{1,64}}:\d{{1,6}}:\w{{1,64}}\] (?:\[Rank (?P<rank>-?\d{{1,6}})\] )?"), _deepspeed),
    ("[N", "[NeMo", Pattern(rf"\[NeMo (?P<lvl>[A-Z]) {DATE} {TIME} [\w.<>-]{{1,80}}:\d{{1,6}}(?: rank:(?P<rank>\d{{1,6}}))?\] ?"), _nemo),
    ("[0", ":", Pattern(rf"\[{DATE} {TIME} (?P<lvl>[DIWECF]) \d{{1,9}} \d{{1,9}}\] (?:\([\w-]{{1,40}}\) )?[\w./-]{{1,120}}:\d{{1,6}}: "), lambda m, o: (_level(m, o), _iso(m, o))),
    ("[0", "P", Pattern(rf"\[{DATE}[ T]{TIME}(?:Z)?(?P<par>(?: (?:DP|TP|PP|EP|CP)\d{{1,4}}){{1,6}})\] "), _sglang),
    ("[0", ":", Pattern(rf"\[{DATE}T{TIME}\] (?:\[[\w.+]{{1,40}}\] )?(?=error:|fatal:|\*\*\*|done|sched|task|Job|launch)"), _iso),
    ("[0", "torch", Pattern(rf"(?:\[{DATE} {TIME}\] )?(?:(?P<lvl>DEBUG|INFO|WARNING|ERROR|CRITICAL):)?torch[\w.]{{1,80}}:\s?(?:\[(?P<lvl2>[A-Z]{{4,8}})\] ?)"), _torch_old),
    ("AA", "torch", Pattern(rf"(?:(?P<date>\d{{4}}-\d\d-\d\d) {TIME} )?(?P<lvl>DEBUG|INFO|WARNING|ERROR|CRITICAL):torch[\w.]{{1,80}}:\s?(?P<lvl2>)"), _torch_old),
    ("[A", "] ", Pattern(r"\[(?P<lvl>[VIWEF])(?:(?P<md>\d{3,4}) (?P<t>\d\d:\d\d:\d\d\.\d{6,9}))? ?[\w./-]{1,120}\.(?:cpp|h|cu|hpp|cc):\d{1,6}\] "), _c10),
    ("A0", "]", Pattern(rf"(?P<lvl>[VDIWEFC])(?P<mon>[01]\d)(?P<day>[0-3]\d) {TIME}\s{{1,4}}\d{{1,20}} [^\s\]]{{1,200}}:\d{{1,6}}\](?: \[[\w/]{{1,40}}\])? ?"), _torch),
    ("A* a* 0* [0", "NCCL", Pattern(rf"(?:\[{DATE}[ T]{TIME}[^\]]{{0,8}}\] )?(?P<host>[A-Za-z0-9][\w.-]{{0,120}}):(?P<pid>\d{{1,9}}):(?P<tid>\d{{1,9}}) (?:\[(?P<dev>-?\d{{1,6}})\] )?(?=(?:(?:[\w./-]{{1,120}}|\w[\w *&]{{0,60}}\([^)\n]{{0,80}}\)):\d{{1,6}} (?:\(\w{{1,80}}\) )?)?NCCL (?P<lvl>INFO|WARN|TRACE|VERSION|ABORT|CALL))"), _nccl),
    ("[0", ":", Pattern(rf"\[{DATE}[ T]{TIME}[^\]]{{0,8}}\](?:\[[\w.]{{1,60}}\]){{0,2}}\[(?P<lvl>[A-Z]{{4,8}})\](?: - |:? )"), lambda m, o: (_level(m, o), _iso(m, o))),
    ("(A", ") ", Pattern(r"\((?P<proc>(?:EngineCore|APIServer|ApiServer|Worker(?:_TP(?P<tp>\d{1,4})(?:_EP\d{1,4})?(?![\w]))?|VllmWorker|DPCoordinator)[\w-]{0,40})(?: rank=(?P<rank>\d{1,6}))?[^()]{0,40}? ?(?:pid=(?P<pid>\d{1,9}))?\) "), _vllm_proc),
    ("(*", "pid=", Pattern(r"\((?P<name>[^()]{0,120}?(?:\([^()]{0,120}\))?) ?\bpid=(?P<pid>\d{1,9})(?:, ip=(?P<ip>[^)]{1,64}))?\) ?"), _ray),
    ("(r (a", ") ", Pattern(r"\((?P<name>raylet|autoscaler \+\w{1,12})(?P<pid>)(?:, ip=(?P<ip>[^)]{1,64}))?\) "), _ray),
    ("AA", ":", Pattern(rf"(?P<lvl>DEBUG|INFO|WARNING|ERROR|CRITICAL) (?P<mon>\d\d)-(?P<day>\d\d) {TIME} \[?[\w./]{{1,120}}:\d{{1,6}}\] ?"), _vllm),
    ("[A [a", ":", Pattern(r"\[(?P<host>[A-Za-z][\w.-]{1,120}):(?P<pid>\d{1,9})\] "), _openmpi),
    ("00 [0", ":", Pattern(rf"\[?{DATE}[ T]{TIME}Z?\]? (?P<src>[A-Za-z][\w.-]{{1,63}}) \|\|? ?"), _site),
    ("00 [0", ":", Pattern(rf"\[?{DATE}[ T]{TIME}(?:Z|[+-]\d\d:?\d\d)?\]?[ :,-]{{0,4}}"), _iso),
    ("AA [A", "", Pattern(r"\[?(?P<lvl>DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL)\]?(?:[ :|-]{1,4}(?=\S))"), _level),
    ("[0", "] ", Pattern(r"\[(?P<task>\d{1,4})\] (?=\S)"), task),
    ("P0 0* ~*", ": ", Pattern(r"(?:P\d{1,3} )? {0,6}(?P<task>\d{1,5}): "), task),
    ("00 0. ip", "", Pattern(r"(?P<host>\d{1,3}(?:\.\d{1,3}){3}|ip-\d{1,6}): ?(?!\d)"), lambda m, o: (setattr(o, "host", o.host or m["host"]), setattr(o, "source", o.source or m["host"]))),
    ("a*", " | ", Pattern(r"(?P<src>[a-z][\w.-]{0,60}[-_]\w{1,30}) {1,30}\| "), _source),
    ("a*", ": ", Pattern(r"(?P<src>[a-z][a-z0-9.-]{0,62}-\d{1,5}): ?"), _source),
    ("a*", ": ", Pattern(r"(?P<src>(?:node|host|worker|gpu|compute|trainer|master)[\w.-]{0,60}\d[\w.-]{0,20}): (?=\[rank|\[|\s*File|Traceback|\d)"), _source),
    ("a* A*", " [std", Pattern(r"(?P<src>[A-Za-z][\w.-]{0,120}) \[(?:stdout|stderr)\] "), _source),
    ("|*", " | ", Pattern(r"\| (?P<lvl>DEBUG|INFO|WARNING|ERROR|CRITICAL) {1,4}\| \w{1,40} \| ?"), _level),
    ("|*", " - ", Pattern(r"\| (?P<lvl>TRACE|DEBUG|INFO|SUCCESS|WARNING|ERROR|CRITICAL) {1,4}\| [\w.<>-]{1,80}:[\w.<>]{1,80}:\d{1,6} - "), _level),
    ("a* A* _*", " - ", Pattern(r"[\w.-]{1,60} - (?P<lvl>DEBUG|INFO|WARNING|ERROR|CRITICAL) - "), _level),
    ("00", " - ", Pattern(rf"(?P<m>\d\d)/(?P<d>\d\d)/(?P<y>\d{{4}}) {TIME} - (?P<lvl>DEBUG|INFO|WARNING|ERROR|CRITICAL) - [\w.-]{{1,60}} - {{1,4}}"), _slashed),
    ("[a", "] ", Pattern(rf"\[[a-z][\w.-]{{1,30}}\] (?={DATE.replace('?P<date>', '?:')}[ T]\d\d:)"), _nothing),
    (">*", "", Pattern(r"> ?"), _nothing),
    ("a*", "/", Pattern(r"(?P<src>[a-z][\w.]{0,60}/\d{1,5}) (?:\[(?P<local>\d{1,4})\]:? ?)?(?=\[|\S)"), lambda m, o: (setattr(o, "source", o.source or m["src"]), m["local"] and setattr(o, "local_rank", int(m["local"])))),
]


@lru_cache(maxsize=4096)
def starting_with(two: str) -> tuple[tuple[str, Pattern, Any], ...]:
    """The prefixes that can start with two characters, in table order."""
    first, second = ({character, _class_of(character)} for character in (two[0], two[1:]))
    return tuple(
        (guard, pattern, function) for starts, guard, pattern, function in TABLE
        if any(start[0] in first and (start[1] == "*" or start[1] in second) for start in starts.split())
    )


def _class_of(character: str) -> str:
    """The character of the table that stands for all of its kind."""
    if character.isascii() and character.isalpha():
        return "A" if character.isupper() else "a"
    return "0" if character.isdecimal() else "~" if character.isspace() else ""
