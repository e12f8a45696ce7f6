# SPDX-License-Identifier: MIT
"""An entry's relations -> a picture of its neighbourhood: causes above, consequences below, look-alikes beside.

One SVG holds two arrangements of the same tiles. The `transform` attributes make the wide one; where the picture's
container is narrow, the style sheet takes the places of a single column from each tile's `--x` and `--y` instead, so
that nothing is drawn twice and no script is needed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape

from .drawing import STRONG, arrow, number, path, spans, wrapped
from .edges import Neighbour
from .entry import Entry
from .markup import BASE, bare
from .pieces import role

WIDTH, GAP, PAD, LINE, SMALL = 208, 20, 11, 16, 15
LABEL, STEM = 22, 34
COLUMNS = 3
#: where the page has everybody, also those whom the picture has no room for
LIST = "#all-related"
#: what stands on which side, and how many tiles a picture holds there; the list below it has them all
SIDES = {"before": ("caused_by", "wraps"), "after": ("causes", "wrapped_by"), "beside": ("confused_with", "superseded_by", "supersedes")}
MOST = {"before": 6, "after": 6, "beside": 4}
NAMES = {"before": "What can bring it about", "after": "What follows from it", "beside": "Looks like it"}
TAGS = {"wraps": "hidden behind this line", "wrapped_by": "can hide this line", "superseded_by": "better name for it", "supersedes": "weaker name for it"}


@dataclass
class Tile:
    """One entry of the picture: its title, the line that tells it apart, and its place in both arrangements."""

    title: list[str]
    tag: str
    tell: list[str]
    target: str = ""
    kind: str = ""
    wide: tuple[float, float] = (0, 0)
    narrow: tuple[float, float] = (0, 0)

    @property
    def height(self) -> float:
        """Height that its lines need."""
        return 2 * PAD - 4 + LINE * len(self.title) + SMALL * (len(self.tell) + bool(self.tag)) + (3 if self.tell or self.tag else 0)

    def __str__(self) -> str:
        """Draw it at its own origin."""
        y = PAD + 10.0
        text = spans(self.title, PAD, y, LINE, "a")
        y += LINE * len(self.title) + 1
        if self.tag:
            text += spans([self.tag], PAD, y, SMALL, "g")
            y += SMALL
        text += spans(self.tell, PAD, y, SMALL, "t")
        place = f'transform="translate({number(self.wide[0])} {number(self.wide[1])})" style="--x:{number(self.narrow[0])}px;--y:{number(self.narrow[1])}px"'
        group = f'<g class="tile {self.kind}" {place}><rect width="{WIDTH}" height="{number(self.height)}" rx="7"/><text>{text}</text></g>'
        return f'<a href="{BASE}{self.target}/">{group}</a>' if self.target else group


@dataclass
class Picture:
    """Tiles by side, and what is left out on each."""

    centre: Tile
    sides: dict[str, list[Tile]]
    more: dict[str, int]
    lines: dict[str, list[str]] = field(default_factory=lambda: {"wide": [], "narrow": []})
    labels: list[str] = field(default_factory=list)


def tile(entry: Entry, near: Neighbour | None = None) -> Tile:
    """Make the tile of an entry; without a neighbour it is the one in the middle."""
    title = wrapped(entry.data["title"], (WIDTH - 2 * PAD) / STRONG, 4)
    if not near:
        return Tile(title, "", [], kind="here")
    return Tile(title, TAGS.get(near.type, ""), wrapped(near.tell, (WIDTH - 2 * PAD) * 13 / 12, 7), entry.id, role(entry))


def chosen(entries: dict[str, Entry], near: list[Neighbour], degree: dict[str, int]) -> tuple[dict[str, list[Neighbour]], dict[str, int]]:
    """Choose for each side whom the picture shows: what can start a failure first, then what is best connected."""
    order = ("root", "either", "consequence", "wrapper", "benign")
    found, more = {}, {}
    for side, types in SIDES.items():
        known = {item.id: item for kind in reversed(types) for item in near if item.type == kind and item.id in entries}
        ranked = sorted(known.values(), key=lambda item: (types.index(item.type), order.index(role(entries[item.id])), -degree.get(item.id, 0), item.id))
        found[side] = ranked[: MOST[side]]
        more[side] = len(ranked) - len(found[side])
    return found, more


def rows(tiles: list[Tile]) -> list[list[Tile]]:
    """Put tiles side by side, the last row too."""
    return [tiles[start : start + COLUMNS] for start in range(0, len(tiles), COLUMNS)]


def column(number_: int) -> float:
    """Give where a column starts."""
    return number_ * (WIDTH + GAP)


def label(text: str, wide: tuple[float, float], narrow: tuple[float, float], href: str = "", kind: str = "") -> str:
    """Write the name of a side, or the link to what the picture leaves out."""
    place = f'transform="translate({number(wide[0])} {number(wide[1])})" style="--x:{number(narrow[0])}px;--y:{number(narrow[1])}px"'
    body = f'<g class="label {kind}" {place}><text y="12">{escape(text)}</text></g>'
    return f'<a href="{href}">{body}</a>' if href else body


MIDDLE = column(1) + WIDTH / 2


def grid(picture: Picture, side: str, y: float, ny: float) -> tuple[float, float]:
    """Place the tiles of what comes before or after, in rows; returns where both arrangements go on."""
    tiles = picture.sides[side]
    picture.labels.append(label(NAMES[side], (0, y), (0, ny)))
    y, ny = y + LABEL, ny + LABEL
    for row in rows(tiles):
        start = column(1) if len(row) == 1 else 0 if len(row) == COLUMNS else (WIDTH + GAP) / 2
        for place, item in enumerate(row):
            item.wide = (start + column(place), y)
            item.narrow = (0, ny)
            ny += item.height + 8
        y += max(item.height for item in row) + 12
    if more := picture.more[side]:
        picture.labels.append(label(f"and {more} more, in the list", (0, y - 4), (0, ny - 2), LIST))
        y, ny = y + LABEL, ny + LABEL
    return y - 12, ny - 8


def joined(picture: Picture, y: float, ny: float) -> tuple[float, float]:
    """Draw the arrow that leads down from what was placed last."""
    picture.lines["wide"].append(arrow((MIDDLE, y + 5), (MIDDLE, y + STEM - 4)))
    picture.lines["narrow"].append(arrow((WIDTH / 2, ny + 4), (WIDTH / 2, ny + STEM - 6)))
    return y + STEM, ny + STEM


def heart(picture: Picture, y: float, ny: float) -> tuple[float, float]:
    """Place the entry itself, with what looks like it to its right and left."""
    beside, centre = picture.sides["beside"], picture.centre
    right, left = beside[::2], beside[1::2]
    heights = [sum(item.height for item in stack) + 10 * max(len(stack) - 1, 0) + LABEL * bool(stack) for stack in (right, left)]
    room = max([centre.height, *heights])
    middle = y + room / 2
    centre.wide, centre.narrow = (column(1), middle - centre.height / 2), (0, ny)
    ny += centre.height + 10
    for stack, place, height in ((right, 2, heights[0]), (left, 0, heights[1])):
        top = middle - height / 2
        if stack:
            # One column needs the name once.
            picture.labels.append(label(NAMES["beside"], (column(place), top), (0, ny), kind="" if stack is right else "wide"))
            top += LABEL
            ny += LABEL if stack is right else 0
        for item in stack:
            item.wide = (column(place), top)
            item.narrow = (0, ny)
            edge = column(1) + WIDTH if place else column(1)
            bend = edge + (GAP / 2 if place else -GAP / 2)
            level = top + item.height / 2
            picture.lines["wide"].append(f'<g class="like">{path((edge, middle), (bend, middle), (bend, level), (column(2) if place else WIDTH, level))}</g>')
            top += item.height + 10
            ny += item.height + 8
    if picture.more["beside"]:
        picture.labels.append(label(f"and {picture.more['beside']} more look-alikes, in the list", (0, y + room + 6), (0, ny), LIST))
        room, ny = room + LABEL, ny + LABEL
    return y + room, ny - (8 if beside else 10)


def told(entries: dict[str, Entry], sides: dict[str, list[Neighbour]]) -> str:
    """Tell the picture in sentences, for those who hear it."""
    parts = []
    for side, items in sides.items():
        if items:
            names = "; ".join(f"{bare(entries[item.id].data['title'])}: {bare(item.tell)}" for item in items)
            parts.append(f"{NAMES[side]}: {names}")
    return " | ".join(parts)


def svg(entry: Entry, entries: dict[str, Entry], near: list[Neighbour], degree: dict[str, int]) -> tuple[str, int]:
    """Draw the neighbourhood of an entry; also give how many neighbours the picture had no room for."""
    sides, more = chosen(entries, near, degree)
    picture = Picture(tile(entry), {side: [tile(entries[item.id], item) for item in items] for side, items in sides.items()}, more)
    y, ny = 0.0, 0.0
    if picture.sides["before"]:
        y, ny = joined(picture, *grid(picture, "before", y, ny))
    y, ny = heart(picture, y, ny)
    if picture.sides["after"]:
        y, ny = grid(picture, "after", *joined(picture, y, ny))
    tiles = [*picture.sides["before"], picture.centre, *picture.sides["beside"], *picture.sides["after"]]
    width = column(COLUMNS) - GAP
    name = escape(f"Neighbours of: {bare(entry.data['title'])}")
    drawn = "".join(f'<g class="edges {kind}">{"".join(lines)}</g>' for kind, lines in picture.lines.items())
    return (
        f'<svg class="pg-map" width="{width}" height="{number(y)}" style="--w:{WIDTH}px;--h:{number(ny)}px" role="group" '
        f'aria-labelledby="map-title map-desc"><title id="map-title">{name}</title><desc id="map-desc">{escape(told(entries, sides))}</desc>'
        f'{drawn}{"".join(picture.labels)}{"".join(str(item) for item in tiles)}</svg>',
        sum(more.values()),
    )
