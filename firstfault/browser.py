# SPDX-License-Identifier: MIT
"""The face that the browser's worker calls: bytes in, JSON out, one diagnosis at a time.

JavaScript holds no Python text: it imports this module and calls these functions. Everything crosses as strings and
bytes, so no object of one language has to be looked after by the other.

What the first verdict does not need is imported where it is used: every module that is imported at the start is waited for.
"""

from __future__ import annotations

import gc
import importlib
import io
import json
import sys
from typing import TYPE_CHECKING, Any, Protocol

from firstfault import database, report
from firstfault.diagnose import Intaking, Session, is_archive
from firstfault.reading import ReadingError

if TYPE_CHECKING:
    from firstfault.excerpt import Excerpt

#: An archive's list of members stands at its end, so it is held whole; a browser tab cannot hold more than this.
LARGEST_ARCHIVE = 256 << 20
#: How much is read at a time, at first and later.
HEAD, CHUNK = 1 << 15, 1 << 17
#: Where the checks lie in the browser's own file system, which is memory.
CHECKS = "/lib/firstfault-checks"
#: Two ranks, a traceback, a collective that times out, a launcher's block: what most logs have.
MADE_UP = b"""\
2026-11-30 12:00:00,000 INFO [rank0]: step 1 loss 4.100 of job 7 in /home/user/run at http://10.0.0.1:29500
2026-11-30 12:00:01,000 INFO [rank1]: step 1 loss 4.100
[rank1]: Traceback (most recent call last):
[rank1]:   File "/home/user/run/train.py", line 10, in <module>
[rank1]:     main()
[rank1]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 336.00 MiB. GPU 0 has a total capacity of 79.15 GiB
[rank0]:[E1130 12:10:00.103000000 ProcessGroupNCCL.cpp:632] [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=8, OpType=ALLREDUCE, \
NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600001 milliseconds before timing out.
E1130 12:10:05.000000 140001 torch/distributed/elastic/multiprocessing/api.py:874] failed (exitcode: 1) local_rank: 1 (pid: 4242) of binary: /usr/bin/python
torch.distributed.elastic.multiprocessing.errors.ChildFailedError:
"""


class Buffer(Protocol):
    """What Pyodide hands over for a Uint8Array."""

    def to_bytes(self) -> bytes:
        """Copy the JavaScript memory."""


class Run:
    """One diagnosis: several inputs, of which those that are no logs are noted and passed over."""

    def __init__(self, session: Intaking) -> None:
        self.session = session
        self.refused: list[dict[str, str]] = []
        self._name = ""
        self._archive: io.BytesIO | None = None
        self._fresh = True
        self._refused = False

    def open(self, name: str, size: int | None = None) -> None:
        """Begin an input; of one that is known to be large, only what matters is read closely from the start."""
        self._name, self._archive, self._fresh, self._refused = name, None, True, False
        self.session.open(name, size)

    def feed(self, piece: bytes) -> None:
        """Read its next piece; an archive is only gathered."""
        fresh, self._fresh = self._fresh, False
        if fresh and is_archive(piece):
            self._archive = io.BytesIO()
        if self._refused:
            return
        try:
            if self._archive is None:
                self._read(piece, HEAD if fresh else 0)
            elif self._archive.write(piece) and self._archive.tell() > LARGEST_ARCHIVE:
                raise ReadingError(f"{self._name}: an archive of over {LARGEST_ARCHIVE >> 20} MiB is too large for a browser; unpack it, or diagnose it in a terminal")
        except ReadingError as error:
            self._refuse(error)

    def _read(self, piece: bytes, head: int) -> None:
        """Give a piece to the session, as much at a time as a terminal reads: the first block of a large log is read closely, and costs by its size."""
        if head:
            self.session.feed(piece[:head])
        for start in range(head, len(piece), CHUNK):
            self.session.feed(piece[start:start + CHUNK])

    def close(self) -> None:
        """End the input."""
        if self._archive is not None and not self._refused:
            self._read_archive(self._archive)
        elif not self._refused:
            try:
                self.session.close()
            except ReadingError as error:
                self._refuse(error)
        self._archive = None

    def _read_archive(self, archive: io.BytesIO) -> None:
        from firstfault.archives import ArchiveError, open_archive  # the libraries behind it would delay every first answer

        archive.seek(0)
        try:
            for member, pieces, note in open_archive(self._name, archive):
                if note:
                    self.session.notes.append(note)
                else:
                    self._read_member(member, pieces)
        except ArchiveError as error:
            self._refuse(error)

    def _read_member(self, member: str, pieces: Any) -> None:
        self.session.open(member)
        try:
            for piece in pieces:
                self.session.feed(piece)
            self.session.close()
        except ReadingError as error:
            self.session.notes.append(f"{error}; passed over")

    def _refuse(self, error: Exception) -> None:
        self._refused = True
        self._archive = None
        self.refused.append({"name": self._name, "why": str(error).removeprefix(f"{self._name}: ")})
        self.session.notes.append(f"{error}; passed over")


_database: database.Database | None = None
_run: Run | None = None
_session: Session | None = None
_sides: list[Any] = []
_excerpt: Excerpt | None = None
_result: dict[str, Any] | None = None


def start() -> str:
    """Load the database; say what it holds."""
    global _database
    _database = _database or database.load()
    return json.dumps({"entries": len(_database.entries), "version": _database.version})


def warm() -> None:
    """Diagnose a made-up log, so that everything that a diagnosis imports and compiles is there; then forget it."""
    global _result
    start()
    begin()
    open("made-up.log")
    feed(MADE_UP)
    close()
    result()
    masked()
    _result = None
    gc.collect()


def begin() -> None:
    """Forget the last diagnosis and begin a new one."""
    global _run, _session, _result
    _result = None
    _session = Session(_database or database.load())
    _run = Run(_session)


def open(name: str, size: int | None = None) -> None:
    """Begin an input; its size in bytes tells at once that it is large."""
    _running().open(name, size)


def feed(piece: bytes | Buffer) -> None:
    """Read the next piece of the input."""
    _running().feed(piece if isinstance(piece, bytes) else piece.to_bytes())


def close() -> None:
    """End the input."""
    _running().close()


def result() -> str:
    """Give the verdict, with the content that `firstfault diagnose --format json` prints."""
    global _run, _session, _result
    run = _running()
    assert _session is not None
    _result = _session.result()
    if run.refused:
        _result["refused"] = run.refused  # what only a terminal can read
    _run = _session = None  # a large log leaves its memory before the next one comes
    return json.dumps(_result)  # ASCII only: a lone surrogate of a log would not cross


def masked() -> str:
    """Give the last verdict as it may leave the machine: as a result, and as Markdown; and what was hidden, which stays with the reader."""
    if _result is None:
        raise RuntimeError("there is no verdict yet: call result() first")
    from firstfault import redact

    masker = redact.masker_for(_result)
    shown = redact.mask_result(_result, masker)
    text = report.render(_result, "markdown", masker=masker)
    hidden = [{"kind": kind, "shown": name, "value": value} for kind, name, value in masker.hidden()]
    return json.dumps({"result": shown, "markdown": text, "hidden": hidden})


def begin_comparison(side: str) -> None:
    """Begin to read one side of a comparison: first `good`, then `bad`; then as for a diagnosis."""
    global _run
    from firstfault import compare

    _sides[:] = [compare.Good()] if side == "good" else [_sides[0], compare.Bad(_sides[0])]
    _run = Run(_sides[-1])


def comparison() -> str:
    """Give what the comparison says, as `firstfault compare --format json` prints it, and the same masked."""
    global _run
    from firstfault import compare, redact

    if len(_sides) != 2:
        raise RuntimeError("a comparison has two sides: call begin_comparison() for both")
    said = compare.outcome(*_sides)
    _run = None
    _sides.clear()
    return json.dumps({"raw": said, "masked": redact.mask_result(said, redact.masker_for(said))})


def candidates(result_json: str) -> str:
    """Give the lines of a verdict that an entry could be made of."""
    from firstfault import draft

    return json.dumps(draft.candidates(json.loads(result_json)))


def begin_excerpt(file: str, line: int) -> None:
    """Begin to look for a line in the same inputs, for its surroundings; then as for a diagnosis."""
    global _excerpt, _run
    from firstfault.excerpt import Excerpt

    _excerpt = Excerpt(file, line)
    _run = Run(_excerpt)


def has_excerpt() -> bool:
    """Whether the rest of the inputs need not be read."""
    return _excerpt is not None and _excerpt.found


def drafted(rank: int | None = None) -> str:
    """Give the draft of an entry for the line that was found, or why there is none."""
    global _excerpt, _run
    from firstfault import draft

    excerpt, _excerpt, _run = _excerpt, None, None
    if excerpt is None or not excerpt.found:
        return json.dumps({"refused": "the line was not found again in what you gave; choose another one"})
    try:
        return json.dumps(draft.draft(excerpt, (_database or database.load()).entries.__contains__, rank))
    except draft.DraftError as error:
        return json.dumps({"refused": str(error)})


def add_checks(archive: bytes | Buffer) -> None:
    """Unpack the checks of `firstfault check`, which come only when somebody drafts an entry."""
    import zipfile
    from pathlib import PurePosixPath

    data = archive if isinstance(archive, bytes) else archive.to_bytes()
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        packed.extractall(CHECKS)
        modules = [name for name in packed.namelist() if name.endswith(".pyc")]
    sys.path.append(CHECKS)
    # Of some packages the engine has the rest: this one's own, and the standard library's.
    whole = {name.removesuffix("/__init__.pyc") for name in modules if name.endswith("/__init__.pyc")}
    for folder in sorted({str(above) for name in modules for above in PurePosixPath(name).parents} - whole - {"."}):
        importlib.import_module(folder.replace("/", ".")).__path__.append(f"{CHECKS}/{folder}")


def check(text: str) -> str:
    """Check the text of a draft, after add_checks()."""
    return str(importlib.import_module("hooks.livecheck").check(text))


def _running() -> Run:
    if _run is None:
        raise RuntimeError("no diagnosis is running: call begin() first")
    return _run
