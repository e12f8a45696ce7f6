# SPDX-License-Identifier: MIT
"""What was named on the command line, looked at before anything is read: each mistake gets one line that says what to do."""

import os
import stat
from collections.abc import Sequence


class InputError(ValueError):
    """Bad use: the message says what is wrong and what to do."""


def name_of(path: str | os.PathLike[str]) -> str:
    """A path as it may be printed: bytes that are no text and control characters spelled out."""
    text = os.fspath(path)
    if text.isascii() and text.isprintable():
        return text
    from .terminal import visible

    return visible(text)


def check(paths: Sequence[str]) -> None:
    """Refuse what cannot be read, before the first byte is."""
    for path in paths:
        if path != "-":
            _check_one(path)


def _check_one(path: str) -> None:
    shown = name_of(path)
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - pathlib takes milliseconds to import
    except FileNotFoundError:
        raise InputError(f"{shown}: no such file or folder; {_neighbours(path)}") from None
    except PermissionError:
        raise InputError(f"{shown}: a folder on the way may not be entered; check the rights with `ls -ld`, or copy the log elsewhere") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{shown}: cannot be opened ({getattr(error, 'strerror', None) or error}); give the path of a log or a folder of logs") from None
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        if not _is_standard_input(path):
            raise InputError(f"{shown}: is a device, not a log; give a file, a folder, or - for standard input")
    elif stat.S_ISSOCK(mode):
        raise InputError(f"{shown}: is a socket, not a log; pipe its output into `firstfault diagnose -`")
    if not os.access(path, os.R_OK | (os.X_OK if stat.S_ISDIR(mode) else 0)):
        raise InputError(f"{shown}: may not be read by this user; copy it, or change its rights (chmod u+r)")


    if stat.S_ISREG(mode) and _looks_binary(path):
        raise InputError(f"{shown}: holds binary data, not text; give what the run printed (its console output or log file)")


# Control characters that no log has; NUL is left out, since UTF-16 and preallocated files are full of it.
_CONTROLS = bytes([*range(1, 7), *range(14, 27), *range(28, 32), 127])
_SAMPLE = 8192


def _looks_binary(path: str) -> bool:
    """Whether both ends of a file are full of control characters; compressed files and archives are for the reader to judge."""
    from .flightrecorder import kind_of as recorded_kind
    from .reading import Reader, kind_of

    with open(path, "rb") as data:  # noqa: PTH123 - pathlib takes milliseconds to import
        head = data.read(_SAMPLE)
        if kind_of(head) != "text" or recorded_kind(head) == "pickle" or not _is_noise(head):
            return False
        next(iter(Reader(name_of(path)).feed(head)), None)  # what the reader knows by its first bytes, it names better
        data.seek(-min(_SAMPLE, os.fstat(data.fileno()).st_size), os.SEEK_END)
        return _is_noise(data.read(_SAMPLE))


def _is_noise(piece: bytes) -> bool:
    present = piece.replace(b"\0", b"")
    controls = len(present) - len(present.translate(None, _CONTROLS))
    return len(present) >= 64 and controls > len(present) / 20


def _is_standard_input(path: str) -> bool:
    return os.fspath(path).startswith(("/dev/stdin", "/dev/fd/", "/proc/self/fd/"))


def _neighbours(path: str) -> str:
    """Files whose name is close, since a typo is the usual reason."""
    from difflib import get_close_matches
    from pathlib import Path

    folder = Path(path).parent
    try:
        names = [entry.name for entry in os.scandir(folder)][:5000]
    except OSError:
        return f"the folder {name_of(folder)} does not exist either"
    close = get_close_matches(Path(path).name, names, 3, 0.7)
    return f"close: {', '.join(name_of(folder / name) for name in close)}" if close else "give the path of a log, a folder of logs, or - for standard input"
