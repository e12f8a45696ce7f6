# SPDX-License-Identifier: MIT
"""Templates: how an entry says what a line looks like.

A template is literal text with fields, and not a regular expression, because regular expressions from
strangers are bombs in Python's ``re`` (`rank.*rank.*timeout` is cubic).  A template compiles to a regular
expression that is linear by construction: every field is bounded, and each field is atomic together with
the literal that follows it, so a failure further right never re-opens a choice made further left.

========================  =====================================================================
``{name}``                a word: no blanks (up to 200 characters)
``{name:int}``            a whole number, sign allowed
``{name:hex}``            hexadecimal digits, ``0x`` allowed
``{name:float}``          a number with an optional fraction and exponent
``{name:path}``           a file name: no blanks, no quotes
``{name:quoted}``         text in single or double quotes, quotes included
``{name:addr}``           host, host:port, IP, PCI address
``{name:rest}``           the rest of the line
``{name:A|B|C}``          one of several literal texts
``{...}``                 a gap of up to 400 characters
``{^}`` ``{$}`` ``{b}``   start of the message, end of the line, a word border
``{{`` ``}}``             literal braces
========================  =====================================================================

A blank in a template matches any run of blanks; matching is case-sensitive.
"""
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

#: A word that stands before more template: taken as short as possible, up to what follows.
_SHORT = {
    "word": r"\S{1,200}?",
    "path": r"[^\s'\"]{1,400}?",
    "addr": r"[\w.:\[\]<>%/-]{1,120}?",
}
#: The same fields at the end of a template: taken as long as they go.
_LONG = {
    "word": r"[^\s,;)\]}]{1,200}+",
    "path": r"[^\s'\",;)\]]{1,400}+",
    "addr": r"[\w.:\[\]%/-]{1,120}+",
}
#: Fields whose extent does not depend on what follows.
_FIXED = {
    "int": r"[-+]?[0-9]{1,20}+",
    "hex": r"(?:0x)?[0-9a-fA-F]{1,64}+",
    "float": r"[-+]?[0-9]{1,20}+(?:\.[0-9]{0,20}+)?(?:[eE][-+]?[0-9]{1,4}+)?",
    "quoted": r"(?:'[^']{0,400}+'|\"[^\"]{0,400}+\")",
    "rest": r".{0,1000}+",
}
_GAP = r".{0,400}?"
_BLANK = r"[ \t\xa0]{1,40}+"
_FIELD = re.compile(r"\{\{|\}\}|\{([^{}]{0,300})\}|[{}]")
_NAME = re.compile(r"[a-z][a-z0-9_]{0,30}\Z")
TYPES = ("word", *sorted(_FIXED), "addr", "path")


class PatternError(ValueError):
    """A template that cannot be compiled; the message says what is wrong and what to write instead."""


class Token(NamedTuple):
    """One piece of a template: ``kind`` is literal, field, gap, start, end or border."""

    kind: str
    text: str = ""
    type: str = ""


@dataclass(frozen=True)
class Template:
    """A compiled template.

    ``regex`` is the source of a linear regular expression (to be used with ``search``), ``literals`` the
    literal runs in order, ``names`` the fields, ``anchored`` whether it starts at the start of the message.
    """

    source: str
    regex: str
    literals: tuple[str, ...]
    names: tuple[str, ...]
    anchored: bool


def compile_template(source: str) -> Template:
    """Compile a template; raises :class:`PatternError` with a sentence for its author."""
    tokens = tokens_of(source)
    _refuse(source, tokens)
    literals = tuple(token.text for token in tokens if token.kind == "literal")
    names = tuple(token.text for token in tokens if token.kind == "field" and token.text)
    anchored = bool(tokens) and tokens[0].kind == "start"
    return Template(source, _regex(tokens), literals, names, anchored)


def tokens_of(source: str) -> list[Token]:
    """Split a template into tokens; neighbouring literal text is one token."""
    tokens: list[Token] = []

    def literal(text: str) -> None:
        if not text:
            return
        if tokens and tokens[-1].kind == "literal":
            tokens[-1] = Token("literal", tokens[-1].text + text)
        else:
            tokens.append(Token("literal", text))

    position = 0
    for found in _FIELD.finditer(source):
        literal(source[position:found.start()])
        position = found.end()
        whole = found.group()
        if whole in ("{{", "}}"):
            literal(whole[0])
        elif found.group(1) is None:
            raise PatternError(f"a lone {whole!r} at column {found.start() + 1}; write {whole * 2!r} for a literal brace")
        else:
            tokens.append(_field(found.group(1)))
    literal(source[position:])
    return tokens


def _field(text: str) -> Token:
    """The token of what stands between braces."""
    if text == "...":
        return Token("gap")
    if text in ("^", "$", "b"):
        return Token({"^": "start", "$": "end", "b": "border"}[text])
    name, colon, kind = text.partition(":")
    if name and not _NAME.match(name):
        raise PatternError(f"field name {name!r}: use lower-case letters, digits and _, or double the braces for literal ones")
    if not colon:
        kind = "word"
    elif kind not in TYPES and "|" not in kind:
        raise PatternError(f"field type {kind!r}: use one of {', '.join(TYPES)}, or alternatives as A|B")
    return Token("field", name, kind)


def _refuse(source: str, tokens: list[Token]) -> None:
    """Refuse what could not be matched in linear time or would match everything."""
    if len(source) > 600:
        raise PatternError("longer than 600 characters; the rare part of the line is enough")
    if not any(token.kind == "literal" and token.text.strip() for token in tokens):
        raise PatternError("holds no literal text; a signal must contain words that only this line has")
    names = [token.text for token in tokens if token.kind == "field" and token.text]
    for name in names:
        if names.count(name) > 1:
            raise PatternError(f"field {name!r} stands twice; give each field its own name")
    for index, token in enumerate(tokens):
        following = tokens[index + 1] if index + 1 < len(tokens) else None
        if token.kind == "start" and index:
            raise PatternError("{^} must stand first")
        if token.kind == "end" and following:
            raise PatternError("{$} must stand last")
        open_ended = token.kind == "gap" or (token.kind == "field" and token.type in _SHORT)
        if open_ended and following and following.kind in ("field", "gap"):
            raise PatternError("two open fields touch; put literal text between them")
        if token.kind == "field" and token.type == "rest" and following and following.kind != "end":
            raise PatternError("a rest field takes the whole line; it must stand last")
        if token.kind == "gap" and following is None:
            raise PatternError("a gap at the end says nothing; leave it out")
        if token.kind == "gap" and index == 0:
            raise PatternError("a gap at the start says nothing; leave it out")


def _regex(tokens: list[Token]) -> str:
    """The regular expression; an open field is atomic together with the literals up to the next open field."""
    parts: list[str] = []
    opened = False
    for index, token in enumerate(tokens):
        last = index + 1 == len(tokens) or tokens[index + 1].kind == "end"
        if _is_open(token) and not last:
            if opened:
                parts.append(")")
            parts.append("(?>")
            opened = True
        parts.append(_piece(token, last))
    if opened:
        parts.append(")")
    return "".join(parts)


def _is_open(token: Token) -> bool:
    """Whether the extent of a token depends on what follows it."""
    return token.kind == "gap" or (token.kind == "field" and token.type in _SHORT)


def _piece(token: Token, last: bool) -> str:
    """The regular expression of one token."""
    if token.kind == "literal":
        return _literal(token.text)
    if token.kind == "gap":
        return _GAP
    if token.kind == "start":
        return r"\A[ \t]{0,40}+"
    if token.kind == "end":
        return r"[ \t\r]{0,40}+\Z"
    if token.kind == "border":
        return r"\b"
    if "|" in token.type:
        inner = "(?:" + "|".join(_literal(choice) for choice in sorted(token.type.split("|"), key=len, reverse=True)) + ")"
    elif token.type in _FIXED:
        inner = _FIXED[token.type]
    else:
        inner = (_LONG if last else _SHORT)[token.type]
    return f"(?P<{token.text}>{inner})" if token.text else f"(?:{inner})"


def _literal(text: str) -> str:
    """Literal text, with every run of blanks widened."""
    return _BLANK.join(re.escape(word) for word in re.split(r"[ \t\xa0]+", text))
