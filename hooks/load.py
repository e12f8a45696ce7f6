# SPDX-License-Identifier: MIT
"""YAML file -> Entry, from strangers: a restricted YAML that remembers lines and never ends in a traceback.

PyYAML keeps the last of two equal keys silently and expands merge keys without bound, so the tree is built here, from
its events: what an entry has no use for (anchors, tags, merge keys, further documents) is refused with its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from .characters import ESCAPED, IN_LOGS, unwelcome, why
from .entry import Entry
from .problems import Problem

ROOT = Path(__file__).resolve().parent.parent
ENTRIES = ROOT / "entries"
LARGEST = 1_000_000
DEEPEST = 30
# The C parser reads the same YAML many times faster; the pure one stands in where PyYAML was built without it.
PARSER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
WHOLE_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None, "~": None, "": None}
RESOLVER = yaml.SafeLoader("")


class Refused(Exception):
    """The file cannot be read as an entry any further."""

    def __init__(self, line: int, path: str, what: str, why: str, todo: str) -> None:
        """Keep the parts of the problem."""
        super().__init__(what)
        self.parts = (line, path, what, why, todo)


class Tree:
    """Builds plain data from YAML events, and notes lines and problems on the way."""

    def __init__(self, text: str, file: str) -> None:
        """Start reading `text`."""
        self.file = file
        self.events: Iterator[Any] = yaml.parse(text, Loader=PARSER)
        self.spans: dict[str, tuple[int, int]] = {}
        self.problems: list[Problem] = []

    def note(self, event: Any, path: str, what: str, why: str, todo: str) -> None:
        """Report a problem that does not stop the reading."""
        self.problems.append(Problem(self.file, event.start_mark.line + 1, path, what, why, todo))

    def document(self) -> Any:
        """Read the one document of the file."""
        next(self.events)
        event = next(self.events)
        if isinstance(event, yaml.StreamEndEvent):
            raise Refused(1, "", "the file is empty", "an entry says at least what its schema requires", "copy an existing entry as a start")
        value = self.node(next(self.events), "", 0)
        next(self.events)
        event = next(self.events)
        if not isinstance(event, yaml.StreamEndEvent):
            raise Refused(event.start_mark.line + 1, "", "a second document starts here", "one file is one entry", "move it to a file of its own")
        return value

    def node(self, event: Any, path: str, depth: int) -> Any:
        """Read the value that starts with `event`."""
        if depth > DEEPEST:
            raise Refused(event.start_mark.line + 1, path, f"nested deeper than {DEEPEST} levels", "no entry needs that", "flatten it")
        if isinstance(event, yaml.AliasEvent):
            self.note(event, path, f"`*{event.anchor}` is an alias", "entries are plain data without references", "write the value out")
            return ""
        if event.anchor:
            self.note(event, path, f"`&{event.anchor}` is an anchor", "entries are plain data without references", "remove it")
        if event.tag is not None:
            self.note(event, path, f"`{event.tag}` is a tag", "types come from the schema", "remove it")
        first = event.start_mark.line + 1
        if isinstance(event, yaml.MappingStartEvent):
            value, last = self.mapping(path, depth)
        elif isinstance(event, yaml.SequenceStartEvent):
            value, last = self.sequence(path, depth)
        else:
            value, last = self.scalar(event, path), max(first, event.end_mark.line + (event.end_mark.column > 0))
        self.spans.setdefault(path, (first, last))
        return value

    def mapping(self, path: str, depth: int) -> tuple[dict[str, Any], int]:
        """Read keys and values; a key that stands twice is refused."""
        found: dict[str, Any] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            line = event.start_mark.line + 1
            if not isinstance(event, yaml.ScalarEvent):
                raise Refused(line, path, "a key is not a word", "every field has a name", "check the indentation and quote braces")
            key = event.value
            here = f"{path}.{key}" if path else key
            if key == "<<" and event.implicit[0]:
                self.note(event, path, "`<<` is a merge key", "entries are plain data without references", "write the fields out")
            elif key in found:
                self.note(event, here, f"`{key}` stands twice", f"it was given on line {self.spans[here][0]} already", "keep one of them")
            first_time = key not in found
            value = self.node(next(self.events), here, depth + 1)
            if first_time:
                found[key] = value
                self.spans[here] = (line, self.spans.get(here, (line, line))[1])
        return found, event.end_mark.line + 1

    def sequence(self, path: str, depth: int) -> tuple[list[Any], int]:
        """Read a list."""
        items: list[Any] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            items.append(self.node(event, f"{path}[{len(items)}]", depth + 1))
        return items, event.end_mark.line + 1

    def scalar(self, event: Any, path: str) -> Any:
        """Read text, a whole number, true, false or null; what YAML would take for something else must be quoted."""
        text = event.value
        if not event.implicit[0]:
            if "\t" in text and event.style == "'":
                self.note(event, path, "the value holds a tab", "it looks like a blank and is not one", "use blanks")
            if event.style == '"' and (found := ESCAPED.search(re.sub(f"[{IN_LOGS}]", "", text))):
                self.note(event, path, f"an escape writes U+{ord(found.group()):04X}", why(found.group()), "remove it")
            return text
        if text in WORDS:
            return WORDS[text]
        if WHOLE_NUMBER.fullmatch(text):
            return int(text)
        if "\t" in text:
            self.note(event, path, "the value holds a tab", "it looks like a blank and is not one", "use blanks")
        kind = RESOLVER.resolve(yaml.ScalarNode, text, (True, False)).rpartition(":")[2]
        if kind != "str" or re.fullmatch(r"[-+]?[0-9][0-9_.]*(?:[eE][-+]?[0-9]+)?|0o[0-7]+", text):
            names = {"bool": "a yes/no value", "timestamp": "a date", "float": "a number", "int": "a number", "null": "nothing"}
            self.note(event, path, f"`{text}` is not text to YAML", f"without quotes it can mean {names.get(kind, 'a number')}", f'quote this: "{text}"')
        return text


def decode(raw: bytes) -> str:
    """Give the file's text, or say why it is none."""
    if not raw.strip():
        raise Refused(1, "", "the file is empty", "an entry says at least what its schema requires", "copy an existing entry as a start")
    if raw.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        raise Refused(1, "", "the file starts with a byte order mark", "entries are plain UTF-8", "save it as UTF-8 without BOM")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        column = error.start - (raw.rfind(b"\n", 0, error.start) + 1) + 1
        raise Refused(line, "", f"byte 0x{raw[error.start]:02x} in column {column} is not UTF-8", "entries are UTF-8 text", "save the file as UTF-8") from None


def explain(error: yaml.YAMLError) -> Refused:
    """Turn the parser's own words into a problem with a line."""
    mark = getattr(error, "problem_mark", None)
    line = mark.line + 1 if mark else 1
    words = str(getattr(error, "problem", None) or error).splitlines()[0]
    todo = "check the indentation, and quote values that hold `: `, ` #` or start with `{`, `[`, `*`, `&`, `%`, `@` or a backtick"
    if "cannot start any token" in words:
        todo = "indent with blanks, never with tabs, and quote values that start with a special character"
    return Refused(line, "", "the YAML cannot be read", f"{words}, column {mark.column + 1 if mark else 1}", todo)


def parse(raw: bytes, file: str, folder: str = "") -> tuple[Entry | None, list[Problem]]:
    """Read the bytes of one entry file."""
    problems: list[Problem] = []
    try:
        if len(raw) > LARGEST:
            raise Refused(1, "", f"the file has {len(raw):,} bytes", f"an entry has at most {LARGEST:,}", "cut its samples to the lines that matter")
        text = decode(raw)
        problems += [Problem(file, *rest) for rest in unwelcome(text)]
        if problems:
            return None, problems
        tree = Tree(text, file)
        try:
            data = tree.document()
        finally:
            problems += tree.problems
        if not isinstance(data, dict):
            raise Refused(1, "", "the file is not a list of fields", "an entry starts with `id: ...`", "write `field: value` lines")
        return Entry(file, folder, data, tree.spans, text.split("\n")), problems
    except Refused as refused:
        return None, [*problems, Problem(file, *refused.parts)]
    except yaml.YAMLError as error:
        return None, [*problems, Problem(file, *explain(error).parts)]


def load_file(path: Path, root: Path | None = None) -> tuple[Entry | None, list[Problem]]:
    """Read one entry file; `root` is what its name is shown relative to."""
    file = path.relative_to(root).as_posix() if root and path.is_relative_to(root) else path.as_posix()
    try:
        size = path.stat().st_size
        with path.open("rb") as stream:
            raw = stream.read(LARGEST + 1)
    except OSError as error:
        return None, [Problem(file, 1, "", "the file cannot be read", error.strerror or str(error), "check its name and permissions")]
    if size > LARGEST:
        why = f"an entry has at most {LARGEST:,}"
        return None, [Problem(file, 1, "", f"the file has {size:,} bytes", why, "cut its samples to the lines that matter")]
    return parse(raw, file, path.parent.name)


def load_folder(folder: Path, root: Path | None = None) -> tuple[list[Entry], list[Problem]]:
    """Read every entry below a folder, in the order of their paths."""
    entries: list[Entry] = []
    problems: list[Problem] = []
    for path in sorted(p for p in folder.rglob("*") if not any(part.startswith(".") for part in p.relative_to(folder).parts)):
        if path.is_dir() and not path.is_symlink():
            continue
        if path.suffix != ".yaml" or path.is_symlink():
            file = path.relative_to(root).as_posix() if root and path.is_relative_to(root) else path.as_posix()
            problems.append(Problem(file, 1, "", "this is not an entry", "the folder holds only plain `<id>.yaml` files", "move or rename it"))
            continue
        entry, found = load_file(path, root)
        problems += found
        if entry:
            entries.append(entry)
    return entries, problems
