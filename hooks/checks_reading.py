# SPDX-License-Identifier: MIT
"""Checks of the fields that are there for browsing and for pictures: outward form, and who waits for whom."""

from __future__ import annotations

from collections.abc import Iterator

from .entry import Entry
from .problems import Problem


def behaviour_fits_kind(entry: Entry) -> Iterator[Problem]:
    """A run goes on after a harmless line and after no other; a second form is another form."""
    main = entry.data.get("behaviour")
    if main == "goes-on" and entry.kind != "benign":
        yield entry.problem("behaviour", "a failure does not leave the run alone", "`goes-on` is for harmless lines", "write crash, hang, slow, wrong-result or refuses-to-start")
    if main and main in entry.data.get("also_seen_as", []):
        yield entry.problem("also_seen_as", f"`{main}` is the main form already", "a second form is another one", "remove it")


def timeline_is_sound(entry: Entry) -> Iterator[Problem]:
    """A picture that cannot be drawn, or in which somebody waits for nobody, is refused."""
    raw = entry.data.get("timeline")
    if not raw:
        return
    lanes, met, faults = raw["lanes"], set(), 0
    for number, step in enumerate(raw["steps"]):
        here: set[str] = set()
        for place, event in enumerate(step["events"]):
            path = f"timeline.steps[{number}].events[{place}]"
            for key in ("lane", "waits_for"):
                if key in event and event[key] not in lanes:
                    yield entry.problem(f"{path}.{key}", f"there is no lane `{event[key]}`", "the picture has a column for each lane only", f"one of {', '.join(lanes)}")
            if event["lane"] in here:
                yield entry.problem(f"{path}.lane", f"`{event['lane']}` has two events in one moment", "a moment has one box per lane", "make them two steps, or one text")
            if event.get("waits_for") == event["lane"]:
                yield entry.problem(f"{path}.waits_for", f"`{event['lane']}` waits for itself", "a wait has two ends", "name the lane that does not come")
            here.add(event["lane"])
            faults += event.get("kind") == "fault"
        met |= here
    for lane in lanes:
        if lane not in met:
            yield entry.problem("timeline.lanes", f"nothing happens in `{lane}`", "an empty column says nothing", "add an event or remove the lane")
    if faults > 1:
        yield entry.problem("timeline.steps", f"{faults} events are the first fault", "there is one first fault", "keep the earliest")
