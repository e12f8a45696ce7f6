# SPDX-License-Identifier: MIT
"""A decision -> a picture: inline SVG laid out here at build time, so that no script and no browser is needed to draw it.

The tree grows from left to right, one column per question; each box carries the answer that leads to it. Colours are
style-sheet variables, so the picture is readable in both colour schemes and in print.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from typing import Any

from .drawing import STRONG, number, wrapped
from .markup import bare

WIDTH, GAP_X, GAP_Y, PAD, LINE = 216, 40, 14, 12, 17


@dataclass
class Box:
    """One box of the picture, with its children to the right."""

    answer: list[str]
    text: list[str]
    kind: str
    entry: str = ""
    children: list[Box] = field(default_factory=list)
    x: float = 0
    y: float = 0

    @property
    def height(self) -> float:
        """Height that its lines need."""
        return 2 * PAD - 3 + LINE * (len(self.answer) + len(self.text)) + (5 if self.answer and self.text else 0)


def wrap(text: str, factor: float = 1) -> list[str]:
    """Break a text into lines that fit a box."""
    return wrapped(text, (WIDTH - 2 * PAD) / factor)


def boxes(question: dict[str, Any], answer: str = "") -> Box:
    """Turn a question and what follows from it into boxes."""
    box = Box(wrap(answer, STRONG), wrap(question["ask"]), "ask")
    for item in question["answers"]:
        if "then" in item:
            child = boxes(item["then"], item["answer"])
            child.entry = ""
        else:
            child = Box(wrap(item["answer"], STRONG), wrap(item["do"]), "link" if item.get("entry") else "do", item.get("entry", ""))
        box.children.append(child)
    return box


def place(box: Box, column: int, top: float) -> float:
    """Give a box and its children their places; returns where the next box may start."""
    box.x = column * (WIDTH + GAP_X)
    bottom = top
    for child in box.children:
        bottom = place(child, column + 1, bottom)
    if box.children:
        middle = (box.children[0].y + box.children[-1].y + box.children[-1].height) / 2
        box.y = max(top, middle - box.height / 2)
    else:
        box.y = top
    return max(bottom, box.y + box.height + GAP_Y)


def every(box: Box) -> Iterator[Box]:
    """Yield a box and all below it."""
    yield box
    for child in box.children:
        yield from every(child)


def edge(parent: Box, child: Box) -> str:
    """Draw the line from a question to one of its answers."""
    x1, y1, x2, y2 = parent.x + WIDTH, parent.y + parent.height / 2, child.x, child.y + child.height / 2
    bend = (x1 + x2) / 2
    points = [number(value) for value in (x1, y1, bend, y1, bend, y2, x2, y2)]
    return "<path d='M{} {}C{} {} {} {} {} {}'/>".format(*points).replace("'", '"')


def drawn(box: Box, base: str, names: dict[str, str]) -> str:
    """Draw one box; one that leads to an entry is a link."""
    x, y = box.x + PAD, box.y + PAD + LINE - 6
    spans = []
    for style, lines in (("a", box.answer), ("t", box.text)):
        if style == "t" and box.answer:
            y += 5
        for line in lines:
            spans.append(f'<tspan class="{style}" x="{number(x)}" y="{number(y)}">{escape(line)}</tspan>')
            y += LINE
    rect = f'<rect x="{number(box.x)}" y="{number(box.y)}" width="{WIDTH}" height="{number(box.height)}" rx="7"/>'
    group = f'<g class="{box.kind}">{rect}<text>{"".join(spans)}</text></g>'
    if not box.entry:
        return group
    target = names.get(box.entry, box.entry)
    return f'<a href="{base}{target}/">{group}</a>'


def svg(decision: dict[str, Any], title: str, base: str, names: dict[str, str]) -> str:
    """Draw a decision."""
    root = boxes(decision)
    height = place(root, 0, 1) - GAP_Y + 2
    shift = min(box.y for box in every(root)) - 1
    parts = list(every(root))
    width = max(box.x for box in parts) + WIDTH
    lines = "".join(edge(parent, child) for parent in parts for child in parent.children)
    nodes = "".join(drawn(box, base, names) for box in parts)
    name = escape(f"Decision tree: {bare(title)}")
    told = escape("; ".join(outline(decision)))
    return (
        f'<svg class="pg-tree" viewBox="-1 {number(shift)} {number(width + 2)} {number(height - shift)}" width="{number(width + 2)}" height="{number(height - shift)}" role="group" '
        f'aria-labelledby="tree-title tree-desc"><title id="tree-title">{name}</title><desc id="tree-desc">{told}</desc>'
        f'<g class="edges">{lines}</g>{nodes}</svg>'
    )


def outline(question: dict[str, Any]) -> Iterator[str]:
    """Tell the tree as a list of rules, for those who hear the picture."""
    for item in question["answers"]:
        head = f"{bare(question['ask'])} {bare(item['answer'])}"
        if "then" in item:
            yield from (f"{head}, then {rest}" for rest in outline(item["then"]))
        else:
            yield f"{head}: {bare(item['do'])}"
