# SPDX-License-Identifier: MIT
"""Text as YAML that a person goes on writing: quoted only where it must be, logs as blocks with their lines.

The engine has the standard library only, and no YAML writer lets its user say where a comment stands; an entry needs
two forms of a value, so they are written here.
"""

from __future__ import annotations

from .lazy import Pattern

# What stands for itself in YAML: begins with a letter, holds no mark that YAML reads, and is no word that YAML takes for something else.
_PLAIN = Pattern(r"[A-Za-z](?:[A-Za-z0-9 _./()+,=;-]{0,200}[A-Za-z0-9_./()+=;-])?")
_OTHER = frozenset("true false null yes no on off y n".split())


def value(text: str) -> str:
    """One line of text as a YAML value; the empty text, a blank to fill, is two quotes."""
    if "\n" in text:
        raise ValueError("a value of one line; use block() for text with lines")
    if _PLAIN.fullmatch(text) and text.lower() not in _OTHER:
        return text
    return "'" + text.replace("'", "''") + "'"


def block(text: str, indent: int) -> str:
    """Text with lines as a YAML block; `indent` is the column of its key. Starts behind the key's colon."""
    lines = text.rstrip("\n ").split("\n")
    # A first line that begins with blanks would be taken for the indentation, so that is told.
    told = "2" if not lines[0] or lines[0].startswith(" ") else ""
    margin = " " * (indent + 2)
    return f"|{told}\n" + "\n".join(margin + line if line else "" for line in lines)


def clean(text: str) -> str:
    """Text without what must not stand in an entry: what cannot be seen, or looks like a blank and is none; tabs become blanks."""
    return "".join(_clean(character) for character in text)


def _clean(character: str) -> str:
    if character == "\n" or (character.isprintable() and character not in _UNSEEN):
        return character
    if character == "\t":
        return "    "
    return " " if character.isspace() else ""


#: printable to Python, and yet not seen
_UNSEEN = frozenset("\u034f")
