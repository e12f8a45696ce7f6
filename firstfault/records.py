# SPDX-License-Identifier: MIT
"""Dataclasses with slots, made in a tenth of the time: importing `dataclasses` takes longer than reading a short log."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import dataclass as record
    from dataclasses import field
else:

    class _Made:
        """A default that is made anew for each object."""

        def __init__(self, make):
            self.make = make

    def field(*, default_factory):
        """What `dataclasses.field` is, for the one use of it here."""
        return _Made(default_factory)

    def record(*, slots=True):
        """What `dataclasses.dataclass` is: annotated names become arguments of `__init__`, in order."""
        return _slotted if slots else NotImplemented

    def _slotted(cls):
        names = list(cls.__dict__.get("__annotations__", ()))
        defaults = {name: cls.__dict__[name] for name in names if name in cls.__dict__}
        body = {key: value for key, value in cls.__dict__.items() if key not in defaults and key not in ("__dict__", "__weakref__")}
        body |= {"__slots__": tuple(names), "__match_args__": tuple(names), "__init__": _init(names, defaults), "__repr__": _repr, "__eq__": _eq, "__hash__": None}
        return type(cls.__name__, cls.__bases__, body)

    def _init(names, defaults):
        arguments = "".join(f", {name}" if name not in defaults else f", {name}=_{name}" for name in names)
        lines = (
            f" self.{name} = {name} if {name} is not _{name} else _{name}.make()\n" if isinstance(defaults.get(name), _Made) else f" self.{name} = {name}\n"
            for name in names
        )
        space = {f"_{name}": value for name, value in defaults.items()}
        exec(f"def __init__(self{arguments}):\n{''.join(lines)}", space)  # noqa: S102 - the text is made of our own names
        return space["__init__"]

    def _repr(self):
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self.__slots__)})"

    def _eq(self, other):
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)
