# SPDX-License-Identifier: MIT
"""What the pictures share: text measured and broken without a browser, so that inline SVG can be laid out at build time."""

from __future__ import annotations

from html import escape

from .markup import bare

#: advance widths at 13 px of the widest of the usual system fonts, so that no font overflows a box
NARROW, CAPITAL, WIDE, OTHER = 4.9, 9.4, 12.6, 8.1
#: how much wider the same text is in bold
STRONG = 1.1


def measure(text: str) -> float:
    """Estimate the width of a text from above."""
    return sum(NARROW if c in "iljtfrI.,:;'|!()[] -" else WIDE if c in "mwMW@%" else CAPITAL if c.isupper() else OTHER for c in text)


def wrapped(text: str, room: float, most: int = 0) -> list[str]:
    """Break a text into lines that fit; a word that is too long is cut, and after `most` lines an ellipsis stands."""
    lines = [""]
    for word in bare(text).split():
        if lines[-1] and measure(f"{lines[-1]} {word}") > room:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
        while measure(lines[-1]) > room:
            cut = next((n for n in range(len(lines[-1]) - 1, 0, -1) if measure(lines[-1][:n]) <= room), 1)
            lines[-1:] = [lines[-1][:cut], lines[-1][cut:]]
    lines = [line for line in lines if line]
    if most and len(lines) > most:
        lines = [*lines[: most - 1], shortened(lines[most - 1], room)]
    return lines


def shortened(text: str, room: float) -> str:
    """Cut a line so that its ellipsis fits."""
    while text and measure(f"{text} …") > room:
        text = text[:-1].rstrip()
    return f"{text.rstrip(' ,;:')} …"


def number(value: float) -> str:
    """Write a coordinate in few characters."""
    return f"{value:.1f}".rstrip("0").rstrip(".")


def spans(lines: list[str], x: float, y: float, step: float, style: str = "") -> str:
    """Write lines of text below each other."""
    kind = f' class="{style}"' if style else ""
    return "".join(f'<tspan{kind} x="{number(x)}" y="{number(y + step * place)}">{escape(line)} </tspan>' for place, line in enumerate(lines))


def path(*points: tuple[float, float]) -> str:
    """Draw a line through points."""
    return f'<path d="M{"L".join(f"{number(x)} {number(y)}" for x, y in points)}"/>'


def arrow(*points: tuple[float, float]) -> str:
    """Draw a line through points that ends in an arrow head; the last stretch is level or upright."""
    (x0, y0), (x, y) = points[-2:]
    if abs(x - x0) > abs(y - y0):
        back = 7 if x < x0 else -7
        head = [(x + back, y - 4.5), (x, y), (x + back, y + 4.5)]
    else:
        back = 7 if y < y0 else -7
        head = [(x - 4.5, y + back), (x, y), (x + 4.5, y + back)]
    return path(*points) + path(*head)
