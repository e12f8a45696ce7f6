# SPDX-License-Identifier: MIT
"""The report for an issue or a chat: whole when pasted, and harmless there.

Log text stands only in fences longer than any run of backticks inside, or in code spans. Outside of them nothing may ping
(`@name`), close or reference an issue (`fixes #12`, an issue's address), load (images) or open markup (`<img>`).
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from . import phrases
from .terminal import clip, visible

# Pieces that a code host would act on; in a code span they are only text.
_ACTIVE = re.compile(r"[\w./-]{0,100}(?:#|\bGH-)\d+|[\w.+-]{0,100}@[A-Za-z0-9_][\w./-]{0,100}|<[^<>\n]{0,200}>?|"
                     r"https?://[\w.-]{1,100}/[\w.-]{1,100}/[\w.-]{1,100}/(?:issues|pull|commit|discussions|-/issues|-/merge_requests)/[\w#-]{1,80}")
_SPANS = re.compile(r"(`{1,20})(?!`).{0,2000}?(?<!`)\1(?!`)", re.DOTALL)
_IMAGE = re.compile(r"!(?=\[)")
_SCHEME = re.compile(r"\]\((?!https?://)[^)\n]{0,400}\)", re.IGNORECASE)


def quiet(prose: str) -> str:
    """Prose in which nothing pings, closes, loads or opens markup; existing code spans stay."""
    parts, position = [], 0
    for span in _SPANS.finditer(prose):
        parts += [_calm(prose[position:span.start()]), visible_lines(span[0])]
        position = span.end()
    return "".join([*parts, _calm(prose[position:])])


def _calm(text: str) -> str:
    text = _SCHEME.sub("]", _IMAGE.sub("", visible_lines(text)))
    return _ACTIVE.sub(lambda found: code(found[0]), text.replace("`", "'"))


def visible_lines(text: str) -> str:
    """Many lines with hidden characters spelled out; the line breaks stay."""
    return "\n".join(map(visible, text.split("\n")))


def code(text: str) -> str:
    """A code span that its content cannot leave."""
    text = visible(text)
    ticks = "`" * (_longest_run(text) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text or ' '}{pad}{ticks}"


def fence(lines: Sequence[str], language: str = "text") -> str:
    """A code block that its content cannot leave."""
    body = [visible(line) for line in lines]
    ticks = "`" * max(3, max(map(_longest_run, body), default=0) + 1)
    return "\n".join([f"{ticks}{language}", *body, ticks])


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def render(result: Mapping[str, Any], footer: Sequence[str] = ()) -> str:
    """The whole report."""
    root = result.get("root") or {}
    blocks = [
        *_verdict(result, root), *_fault(result, root), *_why(result), *_rest(result, root), *_others(result), *_unhide(root),
        *_suspects(result), *_closest(result), *_cure(root), *_collect(result), *_unexplained(result), *_foot(result, root, footer),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _verdict(result: Mapping[str, Any], root: Mapping[str, Any]) -> list[str]:
    name = phrases.title(result)
    shown = code(name) if phrases.named_by_log(result) else quiet(name)
    return [f"### {phrases.headline(result)}" + (f": {shown}" if name else ""), phrases.lead(result),
            quiet(root.get("summary") or ""), f"**First:** {quiet(root['first_step'])}" if root.get("first_step") else ""]


def _fault(result: Mapping[str, Any], root: Mapping[str, Any]) -> list[str]:
    if not root.get("evidence"):
        return []
    word = "First fault" if result["verdict"] == "diagnosed" else "Earliest line"
    decisive = root["evidence"][0]
    rows = [row for row in root.get("context") or [] if decisive.get("line") and row.get("line") != decisive["line"]]
    rows = sorted([*rows, decisive], key=lambda row: row.get("line") or 0)
    digits = max(len(str(row.get("line") or "")) for row in rows)
    lines = [f"{'>' if row is decisive else ' '} {row.get('line') or '':>{digits}} | {clip(row['text'], 600 if row is decisive else 200)}"
             for row in rows]
    return [f"**{word}:** {quiet(phrases.who(root))}, {code(phrases.place(decisive))}", fence(lines)]


def _why(result: Mapping[str, Any]) -> list[str]:
    reasons = [*(result.get("why") or []), *([result["counterfactual"]] if result.get("counterfactual") else [])]
    if reasons and (result.get("root") or {}).get("entry"):
        reasons.append(f"This entry: {phrases.measured(result['root'].get('measured'))}.")
    return ["**Why**", _bullets(reasons)] if reasons else []


def _bullets(sentences: Sequence[str]) -> str:
    return "\n".join("- " + _item(sentence, "  ") for sentence in sentences)


def _item(prose: str, indent: str) -> str:
    """Prose as part of a list item: later lines are indented so that they stay in it."""
    return quiet(prose.strip()).replace("\n", "\n" + indent)


def _group(word: str, group: Mapping[str, Any]) -> str:
    where = code(phrases.place(group["evidence"][0])) if group.get("evidence") else ""
    about = ", ".join(part for part in (quiet(phrases.extent(group)), where) if part)
    note = f". {_item(group['why'], '  ')}" if group.get("why") else ""
    name = str(group.get("title") or group.get("entry") or group.get("label"))
    shown = quiet(name) if group.get("entry") else code(clip(name, 160))
    return f"- {word}: {shown}" + (f" ({about})" if about else "") + note


def _rest(result: Mapping[str, Any], root: Mapping[str, Any]) -> list[str]:
    rows = [_group(phrases.ROLES.get(item.get("role"), "consequence"), item) for item in result.get("consequences") or []]
    rows += [_group("recovered", item) for item in result.get("recovered") or []]
    rows += [_group("harmless", item) for item in result.get("benign") or []]
    explained = root.get("explains") or 0
    head = "**Everything else**" + (f" (the first fault explains {phrases.plural(explained, 'line')})" if explained else "")
    return [head, "\n".join(rows), *_seen(result, root)] if rows else []


def _seen(result: Mapping[str, Any], root: Mapping[str, Any]) -> list[str]:
    """The lines themselves, where there is no first fault to show."""
    lines = [item["evidence"][0] for item in result.get("consequences") or [] if item.get("evidence")]
    if root.get("evidence") or not lines:
        return []
    return [fence([f"{phrases.place(line)}  {clip(line['text'], 300)}" for line in lines[:10]])]


def _others(result: Mapping[str, Any]) -> list[str]:
    blocks = []
    if result.get("others"):
        blocks += ["**A second, independent fault**", "\n".join(
            _group("fault" if item.get("rank") is None else f"rank {item['rank']}", item) for item in result["others"])]
    rows = []
    for item in result.get("alternatives") or []:
        rows.append(f"- {quiet(str(item.get('title') or item['entry']))}")
        rows += [f"  - {word}: {_item(reason, '    ')}" for word in ("for", "against") for reason in item.get(word) or []]
    if rows:
        blocks += ["**Also weighed**" if result["verdict"] == "diagnosed" else "**Also possible**", "\n".join(rows)]
    return blocks


def _command(text: str | None, indent: str) -> str:
    return "\n" + "\n".join(indent + row for row in fence(text.strip().split("\n"), "sh").split("\n")) if text else ""


def _unhide(root: Mapping[str, Any]) -> list[str]:
    unhide = root.get("unhide") or {}
    if not unhide:
        return []
    return ["**Where the real error is**", quiet(unhide.get("where") or ""), quiet(unhide.get("how") or "") + _command(unhide.get("command"), "")]


def _suspects(result: Mapping[str, Any]) -> list[str]:
    rows = [f"- {quiet(item['title'])} ({code('firstfault explain ' + item['entry'])})" for item in result.get("suspects") or []]
    return ["**Behind it can be**", "\n".join(rows)] if rows else []


def _closest(result: Mapping[str, Any]) -> list[str]:
    rows = [f"- {quiet(item['title'])} ({code('firstfault explain ' + item['entry'])}): {_item(item['why'], '  ')}" for item in result.get("closest") or []]
    return ["**Closest entries** (none of them fits)", "\n".join(rows)] if rows else []


def _cure(root: Mapping[str, Any]) -> list[str]:
    blocks = []
    if phrases.steps(root):
        blocks.append(f"**Fix.** {quiet(root.get('root_cause') or '')}".strip())
        rows = []
        for number, step in enumerate(phrases.steps(root), 1):
            warning = phrases.flags(step, phrases.STEP_FLAGS)
            rows.append(f"{number}. {_item(step['do'], '   ')}" + (f" **Careful: {warning}.**" if warning else "") + _command(step.get("command"), "   ")
                        + (f"\n   Costs: {_item(step['cost'], '   ')}" if step.get("cost") else ""))
        blocks.append("\n".join(rows))
    if root.get("verify"):
        verify = root["verify"]
        blocks += ["**Verify**" + _command(verify.get("command"), ""), _bullets(
            [f"{word}: {verify[word]}" for word in ("expected", "otherwise") if verify.get(word)])]
    if root.get("restart"):
        resume = root["restart"].get("resume_from") or ""
        blocks.append(f"**Restart?** {phrases.RESTART.get(root['restart'].get('helps'), '')}." + (f" Resume from: {quiet(resume)}" if resume else ""))
    return blocks


def _collect(result: Mapping[str, Any]) -> list[str]:
    rows = []
    for item in (result.get("collect") or [])[:8]:
        item = {"what": item} if isinstance(item, str) else item
        cost = phrases.flags(item, phrases.COLLECT_FLAGS)
        rows.append(f"- {_item(item['what'], '  ')}" + (f" ({cost})" if cost else "") + _command(item.get("command"), "  ")
                    + (f"\n  Tells apart: {_item(item['separates'], '  ')}" if item.get("separates") else ""))
    return ["**Collect**", "\n".join(rows)] if rows else []


def _unexplained(result: Mapping[str, Any]) -> list[str]:
    lines = result.get("unexplained") or []
    if not lines:
        return []
    return [f"**Not explained** ({phrases.plural(len(lines), 'line')})", fence([f"{phrases.place(line)}  {clip(line['text'], 300)}" for line in lines[:10]])]


def _foot(result: Mapping[str, Any], root: Mapping[str, Any], footer: Sequence[str]) -> list[str]:
    notes = list(result.get("notes") or [])
    if (result.get("attempts") or 1) > 1:
        notes.insert(0, f"The log holds {result['attempts']} attempts; the last one is judged.")
    more = phrases.link(root)
    more = more if more.startswith("http") else code(more) if more else ""
    rows = [quiet(row) for row in [phrases.lost_time(result), phrases.rank_summary(result), phrases.read_summary(result), *footer] if row]
    return [_bullets(notes) if notes else "", f"More: {more}" if more else "", "---\n\n" + "  \n".join(rows)]
