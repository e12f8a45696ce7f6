# SPDX-License-Identifier: MIT
"""Stands for `typing`: annotations are read by people and checkers only, and the rest of it takes longer to import than a log to read."""
from collections import namedtuple

TYPE_CHECKING = False


class Generic:
    """A class with parameters, which are dropped."""

    def __class_getitem__(cls, _: object) -> type:
        return cls


class Protocol(Generic):
    """A class that describes others; nothing is ever checked against one here."""


class TypeVar:
    """A parameter, of which only the name is kept."""

    def __init__(self, name: str, *_: object, **__: object) -> None:
        self.__name__ = name


class ParamSpec(TypeVar):
    """The parameters of a function; `collections.abc` tells them by the name of this class."""


class _Form(Generic):
    """What can stand in an annotation and be subscripted."""


class ClassVar(Generic):
    """What a class has and not its objects: `dataclasses` asks of every field whether it is this, so it is no other form."""


Any = IO = BinaryIO = TextIO = Literal = Self = NoReturn = _Form


def get_origin(_: object) -> None:
    """Of a subscripted form what was subscripted: no form keeps it here."""


def overload(function):
    """Leave the function as it is: the last one of its name counts."""
    return function


def cast(_: object, value):
    """Give the value."""
    return value


class _Tuple(type):
    """Makes a named tuple of a class body."""

    def __new__(mcs, name, bases, body):
        if not bases:
            return super().__new__(mcs, name, bases, body)
        fields = list(body.get("__annotations__") or body["__annotate_func__"](1))
        made = namedtuple(name, fields, defaults=[body[field] for field in fields if field in body], module=body["__module__"])
        for key, value in body.items():
            if key not in fields and key not in ("__annotations__", "__annotate_func__", "__module__", "__qualname__", "__dict__", "__static_attributes__", "__firstlineno__"):
                setattr(made, key, value)
        return made


class NamedTuple(metaclass=_Tuple):
    """The base of named tuples."""
