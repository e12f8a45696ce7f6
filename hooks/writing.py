# SPDX-License-Identifier: MIT
"""While an entry is written: its page with its problems on it, made anew by itself within a second or two of saving.

The whole site takes much longer to build, and nobody who writes needs it: only the saved entry is read, checked beside an
outline of the others, and rendered. What other pages say of it is brought up to date when anything else is saved.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from .compiling import usable
from .edges import neighbours
from .entry import Entry
from .load import ROOT, load_file
from .page import Page
from .problems import Problem
from .render import entry_page
from .rest import Rest, rest_of
from .shelf import Shelf
from .site_pages import SiteMap
from .validate import validate_one

WATCHED = ("schema", "hooks", "overrides", "firstfault", "mkdocs.yml")
STYLE = (
    "<style>.pg-problems{margin:0 0 1.5rem;padding:.8rem 1.1rem;border:2px solid var(--pg-fault);border-radius:.3rem;background:var(--pg-fault-wash);font-size:.75rem}"
    ".pg-problems ol{margin:.5em 0 0;padding-left:1.4em}.pg-problems li{margin:.3em 0}</style>"
)
Stamp = tuple[int, int]


def stamps(folder: Path) -> dict[Path, Stamp]:
    """Give the time and size of every file below a folder, or of one file."""
    files = [folder] if folder.is_file() else [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts and "data" not in path.parts]
    return {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in files}


@dataclass
class Writing:
    """The site as it was last built, and what was saved since."""

    entries: dict[str, Entry] = field(default_factory=dict)
    pages: dict[str, Page] = field(default_factory=dict)
    _rest: Rest | None = None
    _seen: dict[Path, Stamp] = field(default_factory=dict)
    _others: dict[Path, Stamp] = field(default_factory=dict)

    def built(self, site_map: SiteMap) -> None:
        """Remember a whole build, and put the problems it found on their pages."""
        self.entries = {entry.file: entry for entry in site_map.entries}
        self.pages = {page.source: page for page in site_map.pages if page.source}
        self._rest = None
        self.look()
        found: dict[str, list[Problem]] = {}
        for problem in site_map.problems:
            found.setdefault(problem.file, []).append(problem)
        for file, problems in found.items():
            if file in self.pages:
                self.pages[file].top = box(problems) + self.pages[file].top
            elif file.endswith(".yaml"):
                site_map.pages.append(bare_page(ROOT / file, problems))

    def look(self) -> None:
        """Take what lies there now for seen."""
        self._seen = stamps(ROOT / "entries")
        self._others = {path: stamp for name in WATCHED for path, stamp in stamps(ROOT / name).items()}

    def saved(self) -> list[Path] | None:
        """Give the entries saved since the last look; None when something else changed, too, so that everything has to be built."""
        entries, others = self._seen, self._others
        self.look()
        if others != self._others or entries.keys() - self._seen.keys():
            return None
        changed = [path for path, stamp in self._seen.items() if entries.get(path) != stamp]
        return changed if changed and all(path.suffix == ".yaml" for path in changed) else None

    def page(self, path: Path) -> tuple[Page, list[Problem]]:
        """Make the page of a saved entry; one that cannot be rendered keeps its last page, with what is wrong above it."""
        file = path.relative_to(ROOT).as_posix()
        entry, loading = load_file(path, ROOT)
        if self._rest is None:
            self._rest = rest_of(self.entries.values())
        problems = validate_one(entry, loading, self._rest)
        if entry and not usable([entry])[1]:
            self.entries[file] = entry
            live = list({one.id: one for one in self.entries.values()}.values())
            page = entry_page(entry, Shelf(live, neighbours(live)))
            self.pages[file] = Page(**vars(page))
        else:
            page = Page(**vars(self.pages[file])) if file in self.pages else bare_page(path, [])
        page.top = box(problems) + page.top
        return page, problems


def box(problems: list[Problem]) -> str:
    """Give what is wrong as the first thing of a page."""
    if not problems:
        return ""
    items = "".join(f"<li><b>line {problem.line}</b> <code>{escape(problem.field or '(file)')}</code> {escape(f'{problem.what}: {problem.why}; {problem.todo}')}</li>" for problem in problems)
    count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
    return f'{STYLE}<aside class="pg-problems" aria-label="Problems"><b>{count} in {escape(problems[0].file)}</b><ol>{items}</ol></aside>'


def bare_page(path: Path, problems: list[Problem]) -> Page:
    """Give a page for a file that is no entry yet."""
    top = f"{box(problems)}<h1>{escape(path.stem)}</h1><p>Its page appears here as soon as the file can be read as an entry.</p>"
    return Page(f"{path.stem}/", path.stem, "", top, source=path.relative_to(ROOT).as_posix(), family=path.parent.name)


writing = Writing()
