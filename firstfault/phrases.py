# SPDX-License-Identifier: MIT
"""The wording that every report shares: rank ranges, places, counts, headlines. One owner, so text and Markdown agree."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

Result = Mapping[str, Any]

HEADLINES = {
    "diagnosed": "First fault found",
    "needs-evidence": "A failure, but this log does not hold its cause",
    "unrecognised": "A failure that no entry describes yet",
    "no-failure": "No failure found",
}
LEADS = {
    "needs-evidence": "Every line that was recognised reports or follows another fault. The list under COLLECT says what "
                      "would show the first one.",
    "unrecognised": "The line below is the earliest one that can have started it; no entry of the encyclopedia matches it.",
    "no-failure": "Nothing in the log says that the run failed.",
}
ROLES = {
    "root": "possible root", "either": "follows", "consequence": "consequence", "wrapper": "wrapper",
    "teardown": "clean-up", "advice": "advice", "benign": "harmless", "clue": "clue",
}
RESTART = {"yes": "Yes", "no": "No, it would fail again", "sometimes": "Sometimes"}


def ranges(numbers: Iterable[int], most: int = 12) -> str:
    """`0-3,7`: numbers with runs compressed; more than `most` runs are cut, and the cut is said."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    shown = ",".join(str(low) if low == high else f"{low}-{high}" for low, high in runs[:most])
    left = sum(high - low + 1 for low, high in runs[most:])
    return f"{shown} and {left:,} more" if left else shown


def rank_words(ranks: Iterable[int]) -> str:
    """`rank 3`, `ranks 0-3,7`, `1,023 ranks (0-2,4-1023)`, or nothing."""
    known = {rank for rank in ranks if rank is not None}
    if not known:
        return ""
    if len(known) == 1:
        return f"rank {next(iter(known))}"
    spelled = ranges(known)
    return f"ranks {spelled}" if len(known) <= 16 else f"{len(known):,} ranks ({spelled})"


def plural(count: int, noun: str) -> str:
    """`1 line`, `2,000 lines`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def size(count: float) -> str:
    """Bytes in the unit that reads best."""
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "B" or count >= 10 else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"


def short_names(result: Result) -> dict[str, Any]:
    """A copy in which the folder that all files share is left out of their names: `rank3.log`, not `/data/runs/17/rank3.log`."""
    names = set(_files(result))
    parts = [re.split(r"[/\\]", name) for name in sorted(names)]
    shared = 0
    while parts and all(len(part) > shared + 1 and part[shared] == parts[0][shared] for part in parts):
        shared += 1
    short = {name: "/".join(part[shared:]) for name, part in zip(sorted(names), parts, strict=True)}
    return _renamed(dict(result), short)


def _files(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        if isinstance(value.get("file"), str):
            yield value["file"]
        value = value.values()
    elif not isinstance(value, list):
        return
    for item in value:
        yield from _files(item)


def _renamed(value: Any, short: Mapping[str, str], sentences: bool = False) -> Any:
    if isinstance(value, Mapping):
        return {key: short[item] if key == "file" and item in short else _renamed(item, short, key in _SENTENCES) for key, item in value.items()}
    if isinstance(value, list):
        return [_renamed(item, short, sentences) for item in value]
    if sentences and isinstance(value, str):
        # Longest first: `run/1/err.log` must not be cut out of `run/1/err.log.gz`.
        for name in sorted(short, key=len, reverse=True):
            if name in value:
                return value.replace(name, short[name])
    return value


_SENTENCES = frozenset({"why", "counterfactual", "for", "against", "notes", "observed"})


def place(evidence: Mapping[str, Any]) -> str:
    """`train.log:26`."""
    name = evidence.get("file") or "log"
    return f"{name}:{evidence['line']}" if evidence.get("line") else str(name)


def who(root: Mapping[str, Any]) -> str:
    """Which rank on which host, and when: `rank 2 (local rank 2) on node-1 at 12:00:01`."""
    ranks = [rank for rank in root.get("ranks") or [] if rank is not None]
    if root.get("rank") is not None:
        text = f"rank {root['rank']}" + (" (inferred)" if root.get("rank_assumed") else "")
        if root.get("local_rank") not in (None, root["rank"]):
            text += f" (local rank {root['local_rank']})"
        if len(ranks) > 1:
            text += f", first of {rank_words(ranks)}"
    elif ranks:
        text = rank_words(ranks)
    elif root.get("local_rank") is not None:
        text = f"local rank {root['local_rank']} (the log does not say which global rank)"
    else:
        text = "the log does not say which rank"
    text += f" on {root['host']}" if root.get("host") else ""
    return text + (f" at {root['time']}" if root.get("time") else "")


def extent(group: Mapping[str, Any]) -> str:
    """How often and on whom: `x5, ranks 0,3,5`."""
    parts = [f"x{group['count']:,}"] if group.get("count", 1) > 1 else []
    words = rank_words(group.get("ranks") or [])
    hosts = [host for host in group.get("hosts") or [] if host]
    if words:
        parts.append(words)
    if hosts:
        parts.append(f"on {', '.join(hosts[:3])}" + (f" and {len(hosts) - 3} more hosts" if len(hosts) > 3 else ""))
    return ", ".join(parts)


def is_empty(result: Result) -> bool:
    """Whether nothing but line ends was read."""
    stats = result.get("stats") or {}
    return result["verdict"] == "no-failure" and bool(stats) and stats.get("bytes", 0) <= stats.get("lines", 0) + 2


def lead(result: Result) -> str:
    """What the verdict means, where its headline alone does not say it."""
    if is_empty(result):
        what = "No text was read." if result["stats"].get("bytes") else "The input is empty."
        return f"{what} Give the whole output of the run, all ranks' files at once if there are several."
    return LEADS.get(result["verdict"], "")


def headline(result: Result) -> str:
    """What the verdict is called."""
    if is_empty(result):
        return "Nothing to diagnose"
    return HEADLINES.get(result["verdict"], str(result["verdict"]))


def title(result: Result) -> str:
    """The failure's name: the entry's; of a failure without an entry the error's own words, cut where a title is too long."""
    root = result.get("root") or {}
    name = str(root.get("title") or root.get("label") or "")
    return name if len(name) <= 140 else name[:137] + "..."


def named_by_log(result: Result) -> bool:
    """Whether the title is log text, not an entry's."""
    return not (result.get("root") or {}).get("entry")


def link(root: Mapping[str, Any]) -> str:
    """Where to read on: the page when its address is known, else the command that shows it offline."""
    address = str(root.get("url") or "")
    if address.startswith(("https://", "http://")):
        return address
    return f"firstfault explain {root['entry']}" if root.get("entry") else ""


def flags(item: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Warnings of a step: `needs root; destructive`."""
    return "; ".join(words for name, words in names.items() if item.get(name))


def measured(counts: Mapping[str, int] | None) -> str:
    """How often an entry was right and was found on the labelled logs, with the numbers; never a share without them."""
    if not counts or not (counts["given"] or counts["known"]):
        return "not measured yet: no labelled log has it"
    precision = f"right in {counts['right']} of {plural(counts['given'], 'labelled log')} that named it" if counts["given"] else "named on no labelled log"
    recall = f"found in {counts['found']} of {counts['known']} whose first fault it is" if counts["known"] else "the first fault of none"
    return f"{precision}, {recall}"


def steps(root: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The steps of the fix, each as a mapping."""
    fix = root.get("remedy") or root.get("fix") or []
    fix = fix.get("steps") or [] if isinstance(fix, Mapping) else fix
    return [{"do": step} if isinstance(step, str) else step for step in fix]


STEP_FLAGS = {"destructive": "loses data, state or a running job", "root": "needs administrator rights"}
COLLECT_FLAGS = {"rerun": "needs another run", "root": "needs administrator rights", "slows": "slows the run"}


def read_summary(result: Result) -> str:
    """What was read and with which database."""
    stats, database = result.get("stats") or {}, result.get("database") or {}
    parts = [plural(stats.get("files", 0), "file"), plural(stats.get("lines", 0), "line"), size(stats.get("bytes", 0))]
    text = f"{', '.join(parts)} read in {stats.get('seconds', 0):.2f} s"
    if database:
        text += f"; {database.get('entries', 0)} entries, database {database.get('version', '?')}"
    return text


def lost_time(result: Result) -> str:
    """GPU-hours between the first fault and the last recognised line, when times and the number of ranks are known."""
    events = result.get("events") or []
    began = next((event["time"] for event in events if event.get("role") == "root" and isinstance(event.get("time"), int | float)), None)
    times = [event["time"] for event in events if isinstance(event.get("time"), int | float)]
    world = (result.get("ranks") or {}).get("world_size") or len((result.get("ranks") or {}).get("seen") or [])
    if result["verdict"] != "diagnosed" or began is None or not world:
        return ""
    seconds = max(times) - began
    # Under a minute nothing was lost; over a week two clocks were mixed up.
    if not 60 <= seconds <= 7 * 86400:
        return ""
    return (f"{seconds / 60:.0f} minutes passed between the first fault and the last line that follows from it: "
            f"{seconds * world / 3600:.1f} GPU-hours on {plural(world, 'rank')}")


def rank_summary(result: Result) -> str:
    """Which ranks the log shows and which it does not, when a world size is known."""
    seen = (result.get("ranks") or {}).get("seen") or []
    world, missing = (result.get("ranks") or {}).get("world_size"), (result.get("ranks") or {}).get("missing") or []
    if not seen:
        return ""
    text = f"{plural(len(seen), 'rank')} seen" + (f" of {world:,}" if world else "")
    return text + (f"; nothing from {rank_words(missing)}" if missing else "")


_LINK = re.compile(r"\[([^\]\n]{1,200})\]\(([^)\s]{1,400})\)")
_BOLD = re.compile(r"\*\*([^*\n]{1,400})\*\*")


def plain(prose: str) -> str:
    """An entry's prose without Markdown marks; `code` keeps its backticks, which read well in a terminal."""
    prose = _BOLD.sub(r"\1", _LINK.sub(r"\1 (\2)", prose.strip()))
    lines: list[str] = []
    for line in prose.split("\n"):
        # A paragraph that the entry's author wrapped is one line again; list items and blank lines stay.
        joins = lines and lines[-1] and line.strip() and not re.match(r"\s*([-*]|\d{1,3}\.)\s", line)
        if joins:
            lines[-1] += " " + line.strip()
        else:
            lines.append(line.strip())
    return "\n".join(lines)
