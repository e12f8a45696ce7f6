# SPDX-License-Identifier: MIT
"""Scores as a table for people, rows for programs, and what changed between two runs."""

import json

from .bench import OUTCOMES, RIGHT, Changes, Report, Row, as_data, precision, totals
from .terminal import Style, clip

_COLUMNS = ("cases", "root", "blamed", "abstained", "silent", "rank right", "healthy", "clean", "false alarm", "error")


def as_json(report: Report) -> str:
    """Everything, to store or compare."""
    return json.dumps(as_data(report), ensure_ascii=True, indent=1) + "\n"


def as_text(report: Report, width: int = 100, style: Style | None = None) -> str:
    """The table, the wrong cases, the measured precision of each entry."""
    style = style or Style()
    families = sorted({row.family for row in report.rows})
    table = [("", *_COLUMNS), *((family, *_cells([row for row in report.rows if row.family == family])) for family in families),
             ("all", *_cells(report.rows))]
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    lines = ["  ".join(cell.ljust(wide) if index == 0 else cell.rjust(wide) for index, (cell, wide) in enumerate(zip(row, widths, strict=True)))
             for row in table]
    lines[0], lines[-1] = style(lines[0], "dim"), style(lines[-1], "bold")
    wrong = [row for row in report.rows if row.outcome not in RIGHT or row.rank_right is False]
    for name in (*OUTCOMES, "root"):
        group = [row for row in wrong if row.outcome == name]
        if group:
            heading = "right line, wrong rank" if name == "root" else name
            lines += ["", style(f"{heading.upper()} ({len(group)})", "bold")]
            wrong = [row for row in wrong if row.outcome != name]
        for row in group:
            lines += _case(row, width)
    measured = [f"{entry} {right}/{n}" for entry, (right, n) in precision(report.rows).items()]
    if measured:
        lines += ["", style("PRECISION PER ENTRY (right / given)", "bold"), *(f"  {item}" for item in measured)]
    seconds = sum(row.seconds for row in report.rows)
    lines += ["", style(f"{len(report.rows)} cases in {seconds:.1f} s; {report.database.get('entries', 0)} entries, "
                        f"database {report.database.get('version', '?')}", "dim")]
    return "\n".join(lines) + "\n"


def _cells(rows: list[Row]) -> list[str]:
    counts = totals(rows)
    failures, healthy, ranked = counts["failures"], counts["healthy"], counts["rank_known"]
    share = [f"{counts[name]} ({100 * counts[name] / failures:.0f} %)" if failures else "-" for name in ("root", "blamed", "abstained", "silent")]
    rank = f"{counts['rank_right']}/{ranked}" if ranked else "-"
    return [str(failures), *share, rank, str(healthy), str(counts["clean"]) if healthy else "-", str(counts["false-alarm"]) if healthy else "-",
            str(counts["error"])]


def _case(row: Row, width: int) -> list[str]:
    lines = [f"  {row.case}: {row.verdict}" + (f", {row.entry}" if row.entry else "") + (" (a consequence or wrapper)" if row.collateral else "")]
    if row.expected:
        lines.append(f"      right: {clip(row.expected, width - 13)}")
    if row.named and row.outcome != "root":
        lines.append(f"      named: {clip(row.named, width - 13)}")
    if row.rank_right is False:
        lines.append(f"      rank:  {row.rank if row.rank is not None else 'none'}, right is {row.expected_rank}")
    return lines


def changes_as_text(changes: Changes) -> str:
    """What got better and worse."""
    lines = [""]
    for heading, rows in (("BETTER", changes.better), ("WORSE", changes.worse)):
        lines += [f"{heading} ({len(rows)})", *(f"  {case}: {was} -> {is_}" for case, was, is_ in rows)]
    if changes.new:
        lines.append(f"NEW ({len(changes.new)})  {', '.join(changes.new[:20])}")
    if changes.gone:
        lines.append(f"GONE ({len(changes.gone)})  {', '.join(changes.gone[:20])}")
    return "\n".join(lines) + "\n"
