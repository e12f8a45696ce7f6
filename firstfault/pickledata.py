# SPDX-License-Identifier: MIT
"""Pickles that hold plain data, read without executing anything.

`pickle.load` runs what the file says. This reader knows only the opcodes that build dicts, lists, tuples, texts, bytes
and numbers; every other one (GLOBAL, REDUCE, BUILD, ...) is refused by its name, so a file can at most be wrong. Work
and memory are bounded by the size of the file: shared objects are never copied, and keys are plain values, since the
hash of a nested tuple can take exponential time.
"""
from __future__ import annotations

from functools import cache
from struct import Struct
from typing import Any

#: Bounds: objects in all, open marks, values on the stack, bytes of one number.
MOST_OBJECTS, MOST_MARKS, MOST_STACK, LONGEST_NUMBER = 4_000_000, 100, 2_000_000, 255
_FIXED = {"BININT": Struct("<i"), "BININT1": Struct("<B"), "BININT2": Struct("<H"), "BINFLOAT": Struct(">d")}
_SIZES = {1: Struct("<B"), 4: Struct("<I"), 8: Struct("<Q")}
_SIZED = {
    "BINUNICODE": (4, True), "SHORT_BINUNICODE": (1, True), "BINUNICODE8": (8, True), "BINSTRING": (4, True), "SHORT_BINSTRING": (1, True),
    "BINBYTES": (4, False), "SHORT_BINBYTES": (1, False), "BINBYTES8": (8, False),
}
_CONSTANTS: dict[str, Any] = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False, "EMPTY_TUPLE": ()}
_BINUNICODE, _BINGET, _BININT1, _BINPUT, _STOP = b"XhKq."
_MEMO_SIZES = {"BINPUT": 1, "LONG_BINPUT": 4, "BINGET": 1, "LONG_BINGET": 4}
_TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
_PLAIN = (str, int, float, bytes, type(None))


@cache
def _names() -> dict[int, str]:
    """The opcodes' names; the module that knows them is large, and few inputs are pickles."""
    import pickletools

    return {code.code.encode("latin-1")[0]: code.name for code in pickletools.opcodes}


class PickleError(ValueError):
    """A pickle that is damaged, too large, or holds more than data; the message says which, and where."""


class Incomplete(PickleError):
    """The bytes end before the pickle does."""


def load(data: bytes) -> Any:
    """The value of a pickle of plain data."""
    return _Machine(data).run()


class _Machine:
    """The stack machine of the pickle format, reduced to its data opcodes."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self.stack: list[Any] = []
        self.marks: list[int] = []
        self.memo: dict[int, Any] = {}
        self.objects = 0

    def run(self) -> Any:
        """Execute opcodes until STOP; the five opcodes of which a dump is full are done in place."""
        data, stack, memo = self.data, self.stack, self.memo
        at, end, floor, texts = 0, len(self.data), 0, 0
        while at < end:
            code = data[at]
            if code == _BINUNICODE:
                start = at + 5
                at = start + int.from_bytes(data[at + 1:start], "little")
                if at > end:
                    raise Incomplete("it ends in the middle of a value")
                stack.append(data[start:at].decode("utf-8", "replace"))
                texts += 1
                if texts > MOST_OBJECTS:
                    raise PickleError(f"it holds over {MOST_OBJECTS} texts")
            elif code == _BINGET and at + 1 < end and data[at + 1] in memo:
                stack.append(memo[data[at + 1]])
                at += 2
            elif code == _BININT1 and at + 1 < end:
                stack.append(data[at + 1])
                at += 2
            elif code == _BINPUT and at + 1 < end and len(stack) > floor:
                memo[data[at + 1]] = stack[-1]
                at += 2
            elif code == _STOP:
                return self._pop(at)
            else:
                self.at = at + 1
                self._step(_names().get(code), at)
                at, floor = self.at, self.marks[-1] if self.marks else 0
                if self.objects > MOST_OBJECTS or len(stack) > MOST_STACK:
                    raise PickleError(f"it holds over {MOST_OBJECTS if self.objects > MOST_OBJECTS else MOST_STACK} values")
        raise Incomplete("it ends before its STOP mark")

    def _step(self, name: str | None, where: int) -> None:
        """One opcode; those met most come first."""
        stack = self.stack
        if name in _MEMO_SIZES:
            key = self._number(_SIZES[_MEMO_SIZES[name]])
            self._put(key, where) if name.endswith("PUT") else self._get(key, where)
        elif name in _SIZED:
            size, text = _SIZED[name]
            self._push(self._sized(size, text))
        elif name in _FIXED:
            self._push(self._number(_FIXED[name]))
        elif name in _CONSTANTS:
            self._push(_CONSTANTS[name])
        elif name == "MARK":
            self.marks.append(len(stack))
            if len(self.marks) > MOST_MARKS:
                raise PickleError(f"it is nested over {MOST_MARKS} deep")
        elif name == "MEMOIZE":
            self._put(len(self.memo), where)
        elif name in ("EMPTY_DICT", "EMPTY_LIST"):
            self._push({} if name == "EMPTY_DICT" else [])
        elif name in _TUPLES:
            count = _TUPLES[name]
            values = [self._pop(where) for _ in range(count)]
            self._push(tuple(reversed(values)))
        else:
            self._collect(name, where) if name in _COLLECTING else self._rare(name, where)

    def _collect(self, name: str, where: int) -> None:
        """Opcodes that put values from the stack into a container."""
        if name in ("APPEND", "SETITEM"):  # noqa: SIM108 - two lines read better than one of 160 characters
            values = [self._pop(where) for _ in range(1 if name == "APPEND" else 2)][::-1]
        else:
            values = self._since_mark(where)
        if name in ("TUPLE", "LIST"):
            self._push(tuple(values) if name == "TUPLE" else values)
        elif name in ("APPEND", "APPENDS"):
            self._top(list, name, where).extend(values)
        else:
            target = {} if name == "DICT" else self._top(dict, name, where)
            self._fill(target, values, where)
            if name == "DICT":
                self._push(target)

    def _rare(self, name: str | None, where: int) -> None:
        """Opcodes of old or unusual writers, and the refusal of all others."""
        if name == "FRAME":
            self._take(8)
        elif name == "PROTO":
            if not 2 <= self._take(1)[0] <= 5:
                raise PickleError(f"its protocol is {self.data[self.at - 1]}; 2 to 5 are read")
        elif name in ("LONG1", "LONG4"):
            size = self._number(_SIZES[1 if name == "LONG1" else 4])
            if size > LONGEST_NUMBER:
                raise PickleError(f"a number of {size} bytes at byte {where}")
            self._push(int.from_bytes(self._take(size), "little", signed=True))
        elif name in ("INT", "LONG", "FLOAT"):
            self._push(self._written(name, where))
        elif name == "POP":
            self._pop(where)
        else:
            what = name or f"0x{self.data[where]:02x}"
            raise PickleError(f"opcode {what} at byte {where} is no plain data: loading it could run code")

    def _written(self, name: str, where: int) -> Any:
        """A number in decimal digits, ended by a line feed."""
        end = self.data.find(b"\n", self.at, self.at + 40)
        if end < 0:
            raise PickleError(f"{name} at byte {where} has no end")
        text, self.at = self.data[self.at:end].rstrip(b"L"), end + 1
        try:
            if name == "INT" and text in (b"00", b"01"):
                return text == b"01"
            return float(text) if name == "FLOAT" else int(text)
        except ValueError:
            raise PickleError(f"{name} at byte {where} is no number") from None

    def _take(self, count: int) -> bytes:
        piece = self.data[self.at:self.at + count]
        if len(piece) < count:
            raise Incomplete("it ends in the middle of a value")
        self.at += count
        return piece

    def _number(self, form: Struct) -> Any:
        return form.unpack(self._take(form.size))[0]

    def _sized(self, size: int, text: bool) -> Any:
        value = self._take(self._number(_SIZES[size]))
        return value.decode("utf-8", "replace") if text else value

    def _push(self, value: Any) -> None:
        self.objects += 1
        self.stack.append(value)

    def _pop(self, where: int) -> Any:
        if len(self.stack) <= (self.marks[-1] if self.marks else 0):
            raise PickleError(f"it is damaged: nothing to take at byte {where}")
        return self.stack.pop()

    def _since_mark(self, where: int) -> list[Any]:
        if not self.marks:
            raise PickleError(f"it is damaged: no mark at byte {where}")
        at = self.marks.pop()
        values = self.stack[at:]
        del self.stack[at:]
        return values

    def _top(self, wanted: type, name: str, where: int) -> Any:
        if len(self.stack) <= (self.marks[-1] if self.marks else 0) or type(self.stack[-1]) is not wanted:
            raise PickleError(f"it is damaged: {name} at byte {where} without a {wanted.__name__}")
        return self.stack[-1]

    def _fill(self, target: dict[Any, Any], values: list[Any], where: int) -> None:
        if len(values) % 2:
            raise PickleError(f"it is damaged: a key without a value at byte {where}")
        for key in values[::2]:
            if not isinstance(key, _PLAIN):
                raise PickleError(f"a key at byte {where} is a {type(key).__name__}, not a plain value")
        target.update(zip(values[::2], values[1::2], strict=True))

    def _put(self, key: int, where: int) -> None:
        if len(self.stack) <= (self.marks[-1] if self.marks else 0):
            raise PickleError(f"it is damaged: nothing to remember at byte {where}")
        self.memo[key] = self.stack[-1]

    def _get(self, key: int, where: int) -> None:
        if key not in self.memo:
            raise PickleError(f"it is damaged: nothing was remembered as {key} (byte {where})")
        self._push(self.memo[key])


_COLLECTING = frozenset(("APPEND", "APPENDS", "SETITEM", "SETITEMS", "TUPLE", "LIST", "DICT"))
