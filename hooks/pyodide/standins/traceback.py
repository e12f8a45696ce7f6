# SPDX-License-Identifier: MIT
"""Stands for `traceback`, whose colours and suggestions import thirty modules: an error of the engine itself is told in its plainest form."""


def format_exception(exc, /, value=None, tb=None, *_: object, **__: object) -> list[str]:
    """Give the lines that Python prints, without those of the source, which is not there."""
    value = exc if value is None else value
    lines = ["Traceback (most recent call last):\n"]
    step = value.__traceback__ if tb is None else tb
    while step is not None:
        code = step.tb_frame.f_code
        lines.append(f'  File "{code.co_filename}", line {step.tb_lineno}, in {code.co_name}\n')
        step = step.tb_next
    return [*lines, f"{type(value).__name__}: {value}\n"]


def print_exception(*_: object, **__: object) -> None:
    """Print nothing: a log line must not reach a console."""
