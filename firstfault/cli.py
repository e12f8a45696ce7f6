# SPDX-License-Identifier: MIT
"""The command line. Each command imports only what it needs, so that `--help` answers at once.

Exit codes: 0 it ran, 1 a finding (only `diagnose --exit-code`, `check`, `bench --compare`), 2 bad use, 130 interrupted.
"""

import argparse
import gc
import os
import sys
from collections.abc import Callable, Sequence

from . import __version__

_TOP = """\
Find the first fault in the log of a distributed GPU run: which rank failed first, on which line,
why, what every other line is, and what to do. Everything runs here; nothing is sent anywhere."""
_TOP_EXAMPLES = """\
examples:
  firstfault diagnose train.log                 one log, read like a senior engineer would
  firstfault diagnose logs/                     a folder with one file per rank, dmesg and Slurm output beside them
  kubectl logs job/train | firstfault diagnose  standard input
  firstfault explain xid-79                     what an error means and how to fix it, offline
  firstfault search "unhandled system error"    find an entry by what the log says

exit codes: 0 it ran, 1 a finding (where an option asks for it), 2 bad use, 130 interrupted"""
_DIAGNOSE_EXAMPLES = """\
Reads text of any encoding, .gz, .xz, .bz2, .zip and .tar, files and folders together. Give all ranks' files at
once: which rank failed first often shows only when they are compared.

examples:
  firstfault diagnose train.log
  firstfault diagnose slurm-*.out dmesg.txt
  firstfault diagnose run.tar.gz --format markdown > report.md     masked, to paste in an issue or chat
  firstfault diagnose run/ --html report.html                      the verdict page as one file, to send or keep
  firstfault diagnose - --format json < train.log | jq .root
  firstfault diagnose train.log --exit-code                        1 when the log shows a failure, for scripts

Secrets, user names, e-mail and IP addresses and host names are replaced by stable names (<host-1>) in text and
Markdown. JSON keeps the lines as they are unless --mask is given."""
_COMPARE_EXAMPLES = """\
Numbers, times and paths do not count, only words. Give a folder or an archive where a run has several files.

examples:
  firstfault compare good.log failed.log
  firstfault compare last-week/ today/
  firstfault compare attempt-1.log attempt-2.log --format json"""
_EXPLAIN_EXAMPLES = """\
examples:
  firstfault explain                 lists all entries
  firstfault explain cuda-out-of-memory
  firstfault explain xid-79          an alias; `79` works too
  firstfault explain nccl-watchdog-timeout --format markdown"""
_SEARCH_EXAMPLES = """\
Paste the line as it stands: numbers, paths and ranks do not matter.

examples:
  firstfault search "RuntimeError: NCCL error in: ProcessGroupNCCL.cpp:1333, unhandled system error"
  firstfault search fell off the bus"""
_CHECK_EXAMPLES = """\
Works inside a checkout of the encyclopedia, found upwards from the current folder.

examples:
  firstfault check
  firstfault check entries/cuda-memory/cuda-out-of-memory.yaml
  firstfault check --fix entries/slurm/slurm-time-limit.yaml      quotes, dates and the order of fields put right first
  firstfault check --format github                                annotations for the lines of a pull request"""
_NEW_EXAMPLES = """\
Writes entries/FAMILY/ID.yaml with the signal, a masked sample and blanks to fill. Works inside a checkout of the
encyclopedia. Nothing that exists is overwritten.

examples:
  firstfault new "RuntimeError: the quuxifier lost its widget 77"
  firstfault new "lost its widget" --log train.log               the sample is taken from the log, with its traceback
  firstfault new --log logs/ --family data-loading               the line that the diagnosis points at"""
_BENCH_EXAMPLES = """\
A case is NAME.log (or a folder or archive NAME) with NAME.yaml beside it, which says the line and rank that are right.

examples:
  firstfault bench tests/cases
  firstfault bench tests/cases --format json > before.json
  firstfault bench tests/cases --compare before.json      exits 1 when a case got worse"""


COMMANDS = ("diagnose", "compare", "explain", "search", "check", "new", "bench")


class UsageError(Exception):
    """Bad use; the message is shown on one line."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code."""
    _prepare_streams()
    try:
        code = _command(sys.argv[1:] if arguments is None else arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of the pipe (`| head`) has gone. Python would complain once more at exit: give it somewhere to write.
        _silence_stdout()
        return 141
    except Exception as error:
        if not _is_expected(error):
            raise
        return _complain(error)


def run() -> None:
    """The whole process: `main`, and out at once. A large log leaves hundreds of thousands of small objects, which the system frees faster than we do."""
    code = main()
    if sys.stderr is not None:
        sys.stderr.flush()
    os._exit(code)


def _command(arguments: Sequence[str]) -> int:
    parser = _parser()
    if not arguments:
        parser.print_help(sys.stderr)
        return 2
    named = arguments[0]
    if named not in COMMANDS and not named.startswith("-") and os.path.exists(named):  # noqa: PTH110 - pathlib takes milliseconds to import
        raise UsageError(f"{named} is no command; to read it: `firstfault diagnose {named}`")
    options = parser.parse_args(arguments)
    return int(options.run(options))


def _complain(error: Exception) -> int:
    if isinstance(error, OSError):
        from .inputs import name_of

        where = f"{name_of(error.filename)}: " if error.filename else ""
        message = f"{where}{error.strerror or error}"
        if not error.filename:
            _silence_stdout()
            message = f"the report could not be written: {message}"
    else:
        message = str(error)
    if sys.stderr is not None:
        from .terminal import visible

        print(f"firstfault: {visible(message)}", file=sys.stderr)
    return 2


def _is_expected(error: Exception) -> bool:
    """Errors of the user's input; anything else is a defect of ours and keeps its traceback."""
    from .bench import BenchError
    from .database import DatabaseError
    from .draft import DraftError
    from .entries import EntriesError
    from .inputs import InputError
    from .reading import ReadingError
    from .report_html import HtmlError

    return isinstance(error, (UsageError, OSError, HtmlError, BenchError, DatabaseError, DraftError, EntriesError, InputError, ReadingError))


def _prepare_streams() -> None:
    """A locale without Unicode must not end the report: what it cannot show is spelled out."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _silence_stdout() -> None:
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    except OSError:
        sys.stdout = None  # type: ignore[assignment]


def _formatter(prog: str) -> argparse.HelpFormatter:
    """A formatter that knows its width: argparse makes one per argument, and would load `shutil` to ask."""
    try:
        width = int(os.environ.get("COLUMNS") or os.get_terminal_size(1).columns)
    except (OSError, ValueError):
        width = 80
    return argparse.RawDescriptionHelpFormatter(prog, width=max(width - 2, 20))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="firstfault", description=_TOP, epilog=_TOP_EXAMPLES, formatter_class=_formatter)
    parser.add_argument("--version", action="version", version=f"firstfault {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, prog="firstfault")

    def command(name: str, run: Callable[[argparse.Namespace], int], about: str, examples: str, formats: Sequence[str] = ()) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=about, description=about[0].upper() + about[1:] + ".", epilog=examples,
                                   formatter_class=_formatter)
        if formats:
            made.add_argument("--format", choices=formats, default=formats[0], help=f"how to write the answer (default: {formats[0]})")
        made.add_argument("--no-color", "--no-colour", action="store_true", help="no colours; NO_COLOR and FORCE_COLOR are heeded too")
        made.set_defaults(run=run)
        return made

    diagnose = command("diagnose", _diagnose, "find the first fault in logs", _DIAGNOSE_EXAMPLES, ("text", "json", "markdown"))
    diagnose.add_argument("paths", nargs="*", metavar="FILE|FOLDER|-", help="logs; standard input when none is given")
    diagnose.add_argument("--mask", action=argparse.BooleanOptionalAction, default=None, help="hide secrets and names (default: in text and Markdown)")
    diagnose.add_argument("--html", metavar="FILE", help="write the verdict page into one file too, masked, that opens without a network")
    diagnose.add_argument("--exit-code", action="store_true", help="exit 1 when the log shows a failure")
    compare = command("compare", _compare, "the first line of a failed run that a good run never shows", _COMPARE_EXAMPLES, ("text", "json"))
    compare.add_argument("good", metavar="GOOD", help="log, folder or archive of a run that went well")
    compare.add_argument("bad", metavar="BAD", help="the same of the run that failed")
    explain = command("explain", _explain, "show an entry of the encyclopedia", _EXPLAIN_EXAMPLES, ("text", "markdown", "json"))
    explain.add_argument("id", nargs="*", metavar="ID", help="id, alias, or Xid number; without one all entries are listed")
    search = command("search", _search, "find entries by the words of an error", _SEARCH_EXAMPLES, ("text", "json"))
    search.add_argument("query", nargs="+", metavar="WORDS", help="the error, or a part of it; - reads standard input")
    check = command("check", _check, "check entries before a pull request", _CHECK_EXAMPLES, ("text", "json", "github"))
    check.add_argument("files", nargs="*", metavar="FILE", help="entry files (default: all)")
    check.add_argument("--fix", action="store_true", help="first put right what is mechanical: quotes, dates, the order of the fields")
    new = command("new", _new, "draft an entry for an error that has none", _NEW_EXAMPLES)
    new.add_argument("error", nargs="?", default="", metavar="LINE", help="the error line, or a part of it that the log holds")
    new.add_argument("--log", action="append", default=[], metavar="FILE", help="log, folder or archive that shows it; may be given several times")
    new.add_argument("--family", default="", metavar="FAMILY", help="the shelf, where the guess is wrong")
    new.add_argument("--anyway", action="store_true", help="also when an entry explains the line already")
    bench = command("bench", _bench, "score the diagnosis on labelled cases", _BENCH_EXAMPLES, ("text", "json"))
    bench.add_argument("folder", metavar="DIR", help="folder with cases")
    bench.add_argument("--compare", metavar="FILE", help="a stored result (--format json); exits 1 when a case got worse")
    return parser


def _write(text: str) -> None:
    if sys.stdout is None:
        raise UsageError("standard output is closed; give it somewhere to go")
    sys.stdout.write(text)


def _layout(options: argparse.Namespace) -> dict[str, object]:
    from .terminal import Style, columns, wants_colour

    return {"width": columns(), "style": Style(wants_colour(sys.stdout, not options.no_color))}


def _paths(options: argparse.Namespace) -> list[str]:
    paths = list(options.paths) or ["-"]
    if "-" in paths and sys.stdin is None:
        raise UsageError("standard input is closed; give a file or a folder")
    if "-" in paths and sys.stdin.isatty():
        if not options.paths:
            raise UsageError("give a log file, a folder, or pipe a log in: `firstfault diagnose train.log` (see `firstfault diagnose --help`)")
        print("firstfault: paste the log, then press Ctrl-D on a line of its own", file=sys.stderr)
    if paths.count("-") > 1:
        raise UsageError("standard input can be read once; give - once")
    return paths


def _diagnose(options: argparse.Namespace) -> int:
    from . import inputs
    from .database import load
    from .diagnose import diagnose_paths
    from .progress import Progress
    from .report import render

    if options.format == "markdown" and options.mask is False:
        raise UsageError("Markdown is made to be pasted elsewhere, so it is always masked; use --format text --no-mask")
    paths = _paths(options)
    inputs.check(paths)
    if options.html:
        from . import report_html

        report_html.check(options.html, paths)
    gc.set_threshold(50_000)  # lines and events are no cycles: looking for them as often as usual costs a few per cent
    with Progress(paths) as progress:
        result = diagnose_paths(paths, (data := load()), progress)
    if options.html:
        report_html.write(options.html, result, data.site)
    _write(render(result, options.format, masked=options.mask, **({} if options.format == "json" else _layout(options))))
    return 1 if options.exit_code and result["verdict"] != "no-failure" else 0


def _compare(options: argparse.Namespace) -> int:
    from . import compare, inputs
    from .diagnose import read_paths
    from .progress import Progress
    from .report_compare import render
    from .terminal import columns

    paths = [options.good, options.bad]
    if paths.count("-") > 1:
        raise UsageError("standard input can be read once; give - for one of the two")
    inputs.check(paths)
    good = compare.Good()
    bad = compare.Bad(good)
    with Progress(paths) as progress:
        read_paths(good, [options.good], progress)
        read_paths(bad, [options.bad], progress)
    _write(render(compare.outcome(good, bad), options.format, columns()))
    return 0


def _explain(options: argparse.Namespace) -> int:
    from . import entries
    from .explain import listing, render

    texts = entries.load()
    if not options.id:
        _write(listing(texts, options.format, **_layout(options)))
        return 0
    id_ = entries.resolve(" ".join(options.id), texts)
    _write(render(texts[id_], options.format, **_layout(options)))
    return 0


def _search(options: argparse.Namespace) -> int:
    from . import search
    from .report_search import render
    from .searchformat import load

    query = " ".join(options.query)
    if query == "-":
        if sys.stdin is None:
            raise UsageError("standard input is closed; give the words of the error")
        query = sys.stdin.buffer.read(search.LONGEST).decode("utf-8", "replace")
    if not query.strip():
        raise UsageError('give the words of the error: `firstfault search "unhandled system error"`')
    hits = search.Search(load()).search(query)
    _write(render(hits, query, options.format, **_layout(options)))
    return 0


def _check(options: argparse.Namespace) -> int:
    from .checkout import check

    return check(options.files, ["--format", options.format, *(["--fix"] if options.fix else [])])


def _new(options: argparse.Namespace) -> int:
    from . import inputs, newentry
    from .database import load

    if not options.error.strip() and not options.log:
        raise UsageError('give the error line, or its log: `firstfault new "lost its widget" --log train.log`')
    inputs.check(options.log)
    made = newentry.create(options.error, options.log, options.family, load(), options.anyway)
    _write(newentry.said(made))
    return 0


def _bench(options: argparse.Namespace) -> int:
    from . import bench, report_bench
    from .database import load

    report = bench.run(options.folder, load())
    before = bench.stored(options.compare) if options.compare else None
    if options.format == "json":
        _write(report_bench.as_json(report))
    else:
        _write(report_bench.as_text(report, **_layout(options)))
    if before is None:
        return 0
    changes = bench.compare(before, report)
    text = report_bench.changes_as_text(changes)
    if options.format == "json":
        print(text, end="", file=sys.stderr)
    else:
        _write(text)
    return 1 if changes.worse else 0
