# SPDX-License-Identifier: MIT
"""Tracebacks: chains, prefixes, interleaving, wrappers; the cause is the head that means something."""
import textwrap

import pytest

from firstfault.lines import split
from firstfault.tracebacks import TracebackReader


def causes(log: str) -> list[str]:
    """The cause of every block of a log."""
    reader = TracebackReader()
    for line in split(textwrap.dedent(log).encode(), "x.log", 1, 0):
        reader.feed(line)
    return [cause.label for block in reader.blocks if (cause := block.cause())]


def test_direct_cause_is_the_first() -> None:
    """`raise B from A`: A is the cause."""
    assert causes('''\
        Traceback (most recent call last):
          File "a.py", line 1, in f
            g()
        OSError: disk gone

        The above exception was the direct cause of the following exception:

        Traceback (most recent call last):
          File "a.py", line 2, in h
            f()
        RuntimeError: could not save
        ''') == ["OSError: disk gone"]


def test_a_failed_lookup_before_another_exception_is_not_the_cause() -> None:
    """`KeyError`, then during handling the error that means something."""
    assert causes('''\
        Traceback (most recent call last):
          File "a.py", line 1, in f
            x[1]
        KeyError: 1

        During handling of the above exception, another exception occurred:

        Traceback (most recent call last):
          File "a.py", line 2, in h
            f()
        ConfigError: no such model
        ''') == ["ConfigError: no such model"]


def test_interleaved_ranks_are_two_blocks() -> None:
    """Two ranks writing at once."""
    assert causes('''\
        [rank0]: Traceback (most recent call last):
        [rank1]: Traceback (most recent call last):
        [rank0]:   File "a.py", line 1, in f
        [rank1]:   File "a.py", line 1, in f
        [rank0]:     g()
        [rank1]: ValueError: one
        [rank0]: ValueError: zero
        ''') == ["ValueError: zero", "ValueError: one"]


@pytest.mark.parametrize("header", ["ERROR 11-22 03:41:16 engine.py:366] ", "(W pid=3) ", "15: [rank15]: ", "2024-01-01 10:00:00 10.0.0.3: ", "> "])
def test_prefixes_on_every_line(header: str) -> None:
    """A prefix on every line changes nothing."""
    lines = ["Traceback (most recent call last):", '  File "a.py", line 1, in f', "    g()", "ValueError: x"]
    assert causes("\n".join(header + line for line in lines)) == ["ValueError: x"]


def test_rich_box() -> None:
    """A traceback drawn in a box."""
    assert causes('''\
        ╭───────────── Traceback (most recent call last) ─────────────╮
        │ /app/train.py:10 in main                                    │
        │ ❱ 10     run()                                              │
        ╰─────────────────────────────────────────────────────────────╯
        ValueError: boxed
        ''') == ["ValueError: boxed"]


def test_remote_task_error_shows_the_inner_exception() -> None:
    """Ray prints the inner frames under the outer exception."""
    assert causes('''\
        Traceback (most recent call last):
          File "a.py", line 1, in main
            ray.get(x)
        ray.exceptions.RayTaskError(ValueError): ray::f() (pid=1, ip=10.0.0.1)
          File "b.py", line 1, in f
            raise ValueError("inner")
        ValueError: inner
        ''') == ["ValueError: inner"]


def test_exception_line_alone() -> None:
    """A paste that holds only the last line."""
    assert causes("torch.cuda.OutOfMemoryError: CUDA out of memory.\n") == ["torch.cuda.OutOfMemoryError: CUDA out of memory."]


def test_a_message_that_begins_below_its_type() -> None:
    """`RuntimeError: ` with nothing behind it: the message starts with a line break, and its first line is what was said."""
    assert causes('''\
        Traceback (most recent call last):
          File "a.py", line 1, in <module>
            import quantised
        RuntimeError:
                The set-up failed although a device is there. Run this:
                python -m quantised
        ''') == ["RuntimeError: The set-up failed although a device is there. Run this"]


def test_a_type_without_a_message_takes_none_from_below() -> None:
    """An exception without a colon has no message; the indented line below is somebody else's."""
    assert causes('''\
        Traceback (most recent call last):
          File "a.py", line 1, in <module>
            assert ready
        AssertionError
            epoch 3 of 9
        ''') == ["AssertionError"]


def test_a_plain_exception_that_reports_a_child_is_a_wrapper() -> None:
    """torch before 1.6 wraps what a spawned child raised in an `Exception` that begins with a line break."""
    log = '''\
        Traceback (most recent call last):
          File "train.py", line 9, in <module>
            raise Exception(msg)
        Exception:

        -- Process 2 terminated with the following error:
        Traceback (most recent call last):
          File "spawn.py", line 19, in _wrap
            fn(i, *args)
        ValueError: labels are not sorted
        '''
    reader = TracebackReader()
    for line in split(textwrap.dedent(log).encode(), "x.log", 1, 0):
        reader.feed(line)
    kinds = [cause.type for block in reader.blocks if (cause := block.cause())]
    assert kinds == ["ProcessRaisedException", "ValueError"]


CHILD = """\
Traceback (most recent call last):
  File "<string>", line 1, in <module>
  File "/usr/lib/python3.10/multiprocessing/spawn.py", line 126, in _main
    self = reduction.pickle.load(from_parent)
"""


@pytest.mark.parametrize(("last", "orphan"), [
    ("_pickle.UnpicklingError: pickle data was truncated\n", True),
    ("EOFError: Ran out of input\n", True),
    ("AttributeError: Can't get attribute 'Shards' on <module '__mp_main__' from 'train.py'>\n", False),
])
def test_a_child_that_lost_its_parent(last: str, orphan: bool) -> None:
    """A spawned child that reads half of what its parent sends has lost it; one that cannot use what it read failed by itself."""
    reader = TracebackReader()
    for line in split((CHILD + last).encode(), "x.log", 1, 0):
        reader.feed(line)
    assert reader.blocks[0].orphan is orphan
