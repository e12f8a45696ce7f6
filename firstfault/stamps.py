# SPDX-License-Identifier: MIT
"""Dates and times of day as logs write them, in seconds: their forms, as parts of patterns, and what they count."""
from __future__ import annotations

TIME = r"(?P<t>\d\d:\d\d:\d\d(?:[.,]\d{1,9})?)"
DATE = r"(?P<date>\d{4}[-/]\d\d[-/]\d\d)"
MON = r"(?P<mon>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
MONTHS = {name: number for number, name in enumerate("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(), 1)}


def clock(year: int, month: int, day: int, rest: str) -> float | None:
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
