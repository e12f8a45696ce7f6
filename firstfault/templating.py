# SPDX-License-Identifier: MIT
"""One error line -> the template that also matches the next one: numbers, paths, names and quoted values become fields.

A field is named after the word before it (`rank 3` gives `rank {rank:int}`), so that who reads the draft sees what varies,
and the engine learns rank, host and process where the line says them.
"""

from __future__ import annotations

import builtins
from typing import NamedTuple

from .lazy import Pattern
from .patterns import PatternError, compile_template
from .prefilter import project

#: letters that the longest literal must hold for the prefilter; `firstfault check` asks for as many
LEAST_LETTERS = 6
#: fields and characters after which the rest of a line is left out: its beginning tells enough
MOST_FIELDS, LONGEST = 8, 320
#: names that the engine gives a meaning, by the word before the value, and the type that the meaning takes
_MEANT = {
    "rank": ("rank", "int"), "local_rank": ("local_rank", "int"), "pid": ("pid", "int"), "gpu": ("gpu", "int"), "device": ("gpu", "int"), "host": ("host", "addr"),
    "node": ("host", "addr"), "peer": ("peer", "int"), "seq": ("seq", "int"), "seqnum": ("seq", "int"), "exitcode": ("exitcode", "int"),
}
_SUFFIXES = tuple(f".{suffix}:" for suffix in "py pyx cpp cc cxx cu cuh hpp h c go rs hip".split())
_SMALL = frozenset("a an and are as at be by for from got has in is it its of on or than that the this to was were with value".split())
#: quoted words that are a part of the message, not a value
_FIXED = frozenset("NoneType int str float bool list dict tuple set bytes function method type object module Tensor generator builtin_function_or_method".split())
#: numbers behind these words tell one failure from another
_TELLING = Pattern(r"(?:Xid(?: \([^)]{0,40}\))?:?|SXid|[Ee]rrno|[Ee]rror(?: code)?:?|HTTP|status(?: code)?:?|[Ss]ignal|SIG) ?\Z")
_WORD = Pattern(r"[A-Za-z][A-Za-z_]{0,30}")
_VALUE = Pattern(
    r"(?P<url>[a-z][a-z0-9+]{1,9}://[^\s'\",)\]]{1,300})"
    r"|(?P<hidden><(?:token|key|url|email|user|ip|host)-\d{1,4}>)(?P<port>:\d{2,5})?"
    r"|(?<![\w'])(?P<quoted>'[^'\n]{0,200}'|\"[^\"\n]{0,200}\")(?!\w)"
    r"|(?<![\w/.])(?P<path>(?:~|\.{1,2})?(?:/[\w.@+<>=-]{1,120}){1,30}/?)"
    r"|(?<![\w./])(?P<source>[\w-]{1,60}\.(?:py|pyx|cpp|cc|cxx|cu|cuh|hpp|h|c|go|rs|hip):\d{1,6})(?!\w)"
    r"|(?<![\w.])(?P<date>\d{4}-\d\d-\d\d[T_ ]?(?:\d\d:\d\d:\d\d(?:[.,]\d{1,9})?)?|\d\d:\d\d:\d\d(?:[.,]\d{1,9})?)"
    r"|(?<![\w.])(?P<address>[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}(?:\.\d)?|\d{1,3}(?:\.\d{1,3}){3}(?::\d{2,5})?|[A-Za-z][\w-]{0,60}(?:\.[\w-]{1,60}){1,6}:\d{2,5})(?![\w.])"
    r"|(?<!\w)(?P<uuid>(?:GPU-)?[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})"
    r"|(?<!\w)(?P<hex>0x[0-9a-fA-F]{1,64}|(?=[0-9a-f]{0,40}\d)(?=\d{0,40}[a-f])[0-9a-f]{8,64})(?!\w)"
    r"|(?<![\w.])(?P<version>\d{1,5}(?:\.\d{1,6}){2,4}(?:\+\w{1,12})?)"
    r"|(?<![\w.])(?P<float>-?\d{1,20}\.\d{1,20}(?:[eE][-+]?\d{1,3})?)(?!\.?\d)"
    r"|(?<![\w.])(?P<int>-?\d{1,20}(?!\d))(?![\w.]*\w=)"
)
_TYPES = {"url": "", "hidden": "addr", "quoted": "quoted", "path": "path", "date": "", "address": "addr", "uuid": "", "hex": "hex", "version": "", "float": "float", "int": "int"}
_NAMES = {"url": "url", "hidden": "address", "quoted": "value", "path": "path", "date": "when", "address": "address", "uuid": "id", "hex": "address", "version": "version", "float": "n", "int": "n"}


class Templated(NamedTuple):
    """A line as a template, as people read it (`<rank>` for what varies), and the names of its fields."""

    template: str
    wording: str
    names: tuple[str, ...]


class NoTemplate(ValueError):
    """A line with too few fixed words to be found by."""


def template_of(message: str) -> Templated:
    """Give the template of a message; raises NoTemplate with a sentence."""
    message = " ".join(message.split())
    for keep_quoted, least in ((False, 2 * LEAST_LETTERS), (True, LEAST_LETTERS)):
        made = _made(message, keep_quoted)
        try:
            literals = compile_template(made.template).literals
        except PatternError:
            continue
        if max((_telling_letters(literal) for literal in literals), default=0) >= least:
            return made
    raise NoTemplate("this line has too few fixed words to be found by; choose the line that names the error, or one beside it")


def _telling_letters(literal: str) -> int:
    """How many letters the prefilter keeps of a literal, without the name of an exception that everything raises."""
    name = literal.partition(":")[0]
    return len(project((literal[len(name):] if isinstance(getattr(builtins, name, None), type) else literal).encode()))


def _made(message: str, keep_quoted: bool) -> Templated:
    template, wording, names = [], [], []
    at = 0
    for found in _VALUE.finditer(message):
        if len(names) >= MOST_FIELDS or found.start() > LONGEST:
            break
        before = message[at:found.start()]
        kind = found.lastgroup if found.lastgroup != "port" else "hidden"
        if _is_fixed(str(kind), found.group(), message[:found.start()], keep_quoted) or (at and not before):
            continue
        if kind == "source":
            before = message[at:found.end()].rpartition(":")[0] + ":"
            kind = "int"
        name, type_ = ("line", "int") if kind == "int" and (before == ":" or before.endswith(_SUFFIXES)) and "line" not in names else _name(str(kind), before, names)
        names.append(name)
        template += [_literal(before), "{" + (f"{name}:{type_}" if type_ else name) + "}"]
        wording += [before, f"<{name}>"]
        at = found.end()
    rest = message[at:at + max(LONGEST - at, 40)]
    if at + len(rest) < len(message):
        rest = rest.rpartition(" ")[0] or rest
    template.append(_literal(rest))
    wording.append(rest)
    return Templated("".join(template).strip(), "".join(wording).strip(), tuple(names))


def _is_fixed(kind: str, text: str, before: str, keep_quoted: bool) -> bool:
    """Whether a value is a part of the message: a type's name, an error's number."""
    if kind == "quoted":
        return keep_quoted or text[1:-1] in _FIXED
    return kind == "int" and len(text) <= 4 and bool(_TELLING.search(before[-60:]))


def _name(kind: str, before: str, taken: list[str]) -> tuple[str, str]:
    """A field's name and type: by the word before the value, else by its kind."""
    words = [word.lower() for word in _WORD.findall(before[-60:])]
    near = next((word for word in reversed(words[-2:]) if word not in _SMALL and len(word) > 2), "")
    name, type_ = _MEANT.get(words[-1] if words else "", ("", ""))
    if not name or type_ != _TYPES[kind]:
        name, type_ = (near if kind in ("int", "float", "quoted") and near and near not in _MEANT else _NAMES[kind]), _TYPES[kind]
    name = name.strip("_")[:20].strip("_") or _NAMES[kind]
    number = 2
    unique = name
    while unique in taken:
        unique, number = f"{name}{number}", number + 1
    return unique, type_


def _literal(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
