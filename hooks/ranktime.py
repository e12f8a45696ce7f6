# SPDX-License-Identifier: MIT
"""Who waits for whom -> a picture of ranks against time: a column per rank, time runs down, a bar is a wait.

Where its container is narrow the same boxes stand in one column (see hooks/neighbourhood.py for how), each with the
name of its rank, and the waits are said in words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

from .drawing import arrow, number, path, spans, wrapped
from .markup import bare, phrase

ROOM, GAP, PAD, LINE = 664, 14, 9, 15
WIDEST, HEAD, BETWEEN, STEP = 196, 26, 18, 9
#: what a phone leaves for a picture; lanes are told apart there by how far they are set in
PHONE, INSET = 340, 52
KINDS = {"fault": "First fault", "prints": "Prints the line", "ends": "Ends"}


@dataclass
class Event:
    """One box: what happens in a lane at a moment."""

    lane: int
    step: int
    kind: str
    text: list[str]
    waits: int | None
    said: str
    y: float = 0
    narrow: float = 0

    @property
    def height(self) -> float:
        """Height that its lines need."""
        return 2 * PAD - 2 + LINE * (len(self.text) + (self.kind in KINDS))


class Chart:
    """The layout of one timeline."""

    def __init__(self, raw: dict[str, Any]) -> None:
        """Measure the lanes and lay out the events."""
        self.raw = raw
        self.lanes: list[str] = raw["lanes"]
        self.gutter = 76 if any("when" in step for step in raw["steps"]) else 0
        self.width = min(WIDEST, (ROOM - self.gutter - GAP * (len(self.lanes) - 1)) / len(self.lanes))
        self.inset = min(INSET, (PHONE - self.width) / (len(self.lanes) - 1))
        self.events = [self.event(number_, item) for number_, step in enumerate(raw["steps"]) for item in step["events"]]
        self.tops: list[float] = []
        self.moments: list[float] = []
        self.height, self.narrow_height = self.lay_out()

    def event(self, step: int, raw: dict[str, Any]) -> Event:
        """Make the box of an event."""
        waits = self.lanes.index(raw["waits_for"]) if "waits_for" in raw else None
        text = wrapped(raw["text"], (self.width - 2 * PAD) * 13 / 12)
        said = f"waits for {raw['waits_for']}" if "waits_for" in raw else ""
        return Event(self.lanes.index(raw["lane"]), step, raw.get("kind", "runs"), text, waits, said)

    def lay_out(self) -> tuple[float, float]:
        """Give every moment its height, in both arrangements."""
        y, ny = HEAD + 6.0, 0.0
        for number_, step in enumerate(self.raw["steps"]):
            here = [event for event in self.events if event.step == number_]
            self.tops.append(y)
            self.moments.append(ny)
            ny += 20 if "when" in step else 0
            for event in here:
                event.y, event.narrow = y, ny + 16
                ny += 16 + event.height + (LINE + 2 if event.said else 0) + 8
            y += max(event.height for event in here) + BETWEEN + STEP * sum(event.waits is not None for event in here)
        return y - BETWEEN + 8, ny

    def left(self, lane: int) -> float:
        """Give where a lane starts."""
        return self.gutter + lane * (self.width + GAP)

    def axis(self, lane: int) -> float:
        """Give the middle of a lane."""
        return self.left(lane) + self.width / 2

    def next(self, event: Event) -> Event | None:
        """Give what happens next in the same lane."""
        return next((other for other in self.events if other.lane == event.lane and other.step > event.step), None)


def heads(chart: Chart) -> Iterator[str]:
    """Name the lanes and draw their lines down to where each ends."""
    for lane, name in enumerate(chart.lanes):
        mine = [event for event in chart.events if event.lane == lane]
        end = mine[-1].y + mine[-1].height if mine[-1].kind == "ends" else chart.height
        yield f'<text class="lane" x="{number(chart.axis(lane))}" y="15" text-anchor="middle">{escape(name)}</text>'
        yield f'<g class="life">{path((chart.axis(lane), HEAD), (chart.axis(lane), end))}</g>'


def waits(chart: Chart) -> Iterator[str]:
    """Draw each wait as a bar down to the lane's next event, with an arrow to the one that does not come."""
    for step in range(len(chart.raw["steps"])):
        here = [event for event in chart.events if event.step == step and event.waits is not None]
        level = max((event.y + event.height for event in chart.events if event.step == step), default=0) + 10
        for event in here:
            after = chart.next(event)
            top, bottom = event.y + event.height, after.y if after else chart.height
            axis, there = chart.axis(event.lane), chart.axis(event.waits or 0)
            yield f'<rect class="bar" x="{number(axis - 5)}" y="{number(top)}" width="10" height="{number(max(bottom - top, 4))}"/>'
            yield f'<g class="wait">{arrow((axis, level), (there + (7 if there < axis else -7), level))}</g>'
            level += STEP


def moments(chart: Chart) -> Iterator[str]:
    """Write the times beside the moments."""
    for step, top, narrow in zip(chart.raw["steps"], chart.tops, chart.moments, strict=True):
        if "when" in step:
            yield f'<g class="when" transform="translate(0 {number(top)})" style="--x:0px;--y:{number(narrow)}px"><text y="13">{escape(step["when"])}</text></g>'


def box(chart: Chart, event: Event) -> str:
    """Draw an event; the lane's name and the wait in words are for the narrow arrangement."""
    text = spans([KINDS[event.kind]], PAD, PAD + 9, LINE, "k") if event.kind in KINDS else ""
    text += spans(event.text, PAD, PAD + 9 + LINE * (event.kind in KINDS), LINE)
    words = f'<text class="said" x="2" y="{number(event.height + 13)}">{escape(event.said)}</text>' if event.said else ""
    place = f'transform="translate({number(chart.left(event.lane))} {number(event.y)})" style="--x:{number(event.lane * chart.inset)}px;--y:{number(event.narrow)}px"'
    return (
        f'<g class="event {event.kind}" {place}><text class="said lane" y="-4">{escape(chart.lanes[event.lane])}</text>'
        f'<rect width="{number(chart.width)}" height="{number(event.height)}" rx="5"/><text>{text}</text>{words}</g>'
    )


def sentence(event: dict[str, Any]) -> str:
    """Say an event in words."""
    kind = f" ({KINDS[event['kind']].lower()})" if event.get("kind") in KINDS else ""
    wait = f"; waits for {event['waits_for']}" if "waits_for" in event else ""
    return f"{event['lane']}: {event['text']}{kind}{wait}"


def listing(raw: dict[str, Any]) -> str:
    """Tell the picture as a numbered list."""
    items = []
    for step in raw["steps"]:
        when = f"<b>{escape(step['when'])}</b> " if "when" in step else ""
        items.append(f"<li>{when}{'; '.join(phrase(sentence(event)) for event in step['events'])}</li>")
    return f"<ol>{''.join(items)}</ol>"


def svg(raw: dict[str, Any]) -> str:
    """Draw a timeline."""
    chart = Chart(raw)
    width = chart.left(len(chart.lanes) - 1) + chart.width
    body = f'<g class="wide">{"".join(heads(chart))}{"".join(waits(chart))}</g>{"".join(moments(chart))}{"".join(box(chart, event) for event in chart.events)}'
    story = "; ".join(bare(sentence(event)) for step in raw["steps"] for event in step["events"])
    return (
        f'<svg class="pg-ranks" width="{number(width)}" height="{number(chart.height)}" '
        f'style="--w:{number(chart.width + chart.inset * (len(chart.lanes) - 1))}px;--h:{number(chart.narrow_height)}px" role="img" aria-labelledby="ranks-title ranks-desc">'
        f'<title id="ranks-title">{escape(bare(raw["caption"]))}</title><desc id="ranks-desc">{escape(story)}</desc>{body}</svg>'
    )
