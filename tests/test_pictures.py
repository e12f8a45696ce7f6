# SPDX-License-Identifier: MIT
"""Pictures made at build time: text fits its boxes, boxes keep apart in both arrangements, and everything drawn is said in words."""
from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from hooks import checks_reading, neighbourhood, ranktime
from hooks.drawing import measure, wrapped
from hooks.edges import neighbours
from hooks.entry import Entry
from hooks.load import ENTRIES, load_folder
from hooks.runbook import runbook
from hooks.schema import schema_problems
from hooks.shelf import Shelf

TIMELINE: dict[str, Any] = {
    "caption": "One raises, the other waits",
    "lanes": ["rank 0", "rank 1"],
    "steps": [
        {"events": [{"lane": "rank 0", "text": "all_reduce <7> & more", "waits_for": "rank 1"}, {"lane": "rank 1", "text": "raises", "kind": "fault"}]},
        {"when": "+600 s", "events": [{"lane": "rank 0", "text": "watchdog", "kind": "prints"}]},
        {"events": [{"lane": "rank 0", "text": "SIGABRT", "kind": "ends"}]},
    ],
}
LEAST_TIMELINES = 30


@pytest.fixture(scope="module")
def shelf() -> Shelf:
    """All entries."""
    entries, _ = load_folder(ENTRIES)
    return Shelf(entries, neighbours(entries))


def with_timeline(**changes: Any) -> list[str]:
    """What the checks say of an entry whose timeline is changed."""
    entry = Entry("entries/x/x.yaml", "x", {"kind": "failure", "behaviour": "hang", "timeline": {**TIMELINE, **changes}})
    return [str(problem) for problem in checks_reading.timeline_is_sound(entry)]


def test_lines_fit_their_room_and_an_ellipsis_says_that_more_was_there() -> None:
    """No word is lost unless a limit is given, and then it is said."""
    text = "one " * 30 + "W" * 60
    lines = wrapped(text, 120)
    assert all(measure(line) <= 120 for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    short = wrapped(text, 120, 3)
    assert len(short) == 3
    assert short[-1].endswith("…")
    assert measure(short[-1]) <= 120


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, ""),
        ({"lanes": ["rank 0", "rank 1", "launcher"]}, "nothing happens in `launcher`"),
        ({"steps": [{"events": [{"lane": "rank 0", "text": "x", "waits_for": "rank 2"}, {"lane": "rank 1", "text": "y"}]}]}, "there is no lane `rank 2`"),
        ({"steps": [{"events": [{"lane": "rank 0", "text": "x"}, {"lane": "rank 0", "text": "y"}]}, {"events": [{"lane": "rank 1", "text": "z"}]}]}, "has two events in one moment"),
        ({"steps": [{"events": [{"lane": "rank 0", "text": "x", "waits_for": "rank 0"}, {"lane": "rank 1", "text": "y"}]}]}, "waits for itself"),
        ({"steps": [{"events": [{"lane": "rank 0", "text": "x", "kind": "fault"}, {"lane": "rank 1", "text": "y", "kind": "fault"}]}]}, "2 events are the first fault"),
    ],
)
def test_a_picture_that_cannot_be_right_is_refused(changes: dict[str, Any], said: str) -> None:
    """Each problem is named once, and a sound picture has none."""
    problems = with_timeline(**changes)
    assert len(problems) == bool(said)
    assert said in "".join(problems)


def test_the_outward_form_fits_the_kind_of_line() -> None:
    """A run does not go on after a failure, and a second form is another one."""
    entry = Entry("entries/x/x.yaml", "x", {"kind": "failure", "behaviour": "goes-on", "also_seen_as": ["goes-on"]})
    assert len(list(checks_reading.behaviour_fits_kind(entry))) == 2
    entry.data.update(behaviour="hang", also_seen_as=["crash"])
    assert not list(checks_reading.behaviour_fits_kind(entry))


def test_a_timeline_is_drawn_and_told() -> None:
    """Every event is a box and a sentence, the wait is a bar with an arrow, and nothing in a text becomes markup."""
    picture = ranktime.svg(TIMELINE)
    assert picture.count('class="event') == 4
    assert picture.count('class="bar"') == 1
    assert "waits for rank 1" in picture
    assert "all_reduce &lt;7&gt; &amp; more" in picture
    assert "(first fault)" in ranktime.listing(TIMELINE)
    assert "<b>+600 s</b>" in ranktime.listing(TIMELINE)


def overlaps(boxes: list[tuple[float, float, float, float]]) -> bool:
    """Whether any two of (x, y, width, height) lie over each other."""
    return any(
        a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]
        for place, a in enumerate(boxes) for b in boxes[place + 1 :]
    )


def test_no_box_lies_over_another_in_any_timeline(shelf: Shelf) -> None:
    """In the wide arrangement and in the single column."""
    drawn = [entry for entry in shelf.entries.values() if "timeline" in entry.data]
    assert len(drawn) >= LEAST_TIMELINES
    for entry in drawn:
        chart = ranktime.Chart(entry.data["timeline"])
        assert chart.left(len(chart.lanes) - 1) + chart.width <= ranktime.ROOM + 1, entry.id
        assert not overlaps([(chart.left(event.lane), event.y, chart.width, event.height) for event in chart.events]), entry.id
        assert not overlaps([(0, event.narrow, chart.width, event.height) for event in chart.events]), entry.id


def test_no_tile_lies_over_another_in_any_neighbourhood(shelf: Shelf) -> None:
    """Both arrangements; and who is drawn or counted is everybody there is."""
    for id_, entry in shelf.entries.items():
        near = shelf.near.get(id_, [])
        if not near:
            continue
        picture, more = neighbourhood.svg(entry, shelf.entries, near, shelf.degree)
        tiles = re.findall(r'<g class="tile [^"]*" transform="translate\(([-\d.]+) ([-\d.]+)\)" style="--x:([-\d.]+)px;--y:([-\d.]+)px"><rect width="(\d+)" height="([\d.]+)"', picture)
        wide = [(float(x), float(y), float(w), float(h)) for x, y, _, _, w, h in tiles]
        narrow = [(float(x), float(y), float(w), float(h)) for _, _, x, y, w, h in tiles]
        assert not overlaps(wide), id_
        assert not overlaps(narrow), id_
        linked = set(re.findall(r'href="[^"#]*?([a-z0-9-]+)/"', picture))
        assert linked <= {item.id for item in near}
        if not more:
            assert linked == {item.id for item in near}, id_


def test_stable_entries_say_their_outward_form(shelf: Shelf) -> None:
    """The schema asks for it, so that browsing by it leaves nobody out."""
    assert all("behaviour" in entry.data for entry in shelf.entries.values() if entry.data["status"] == "stable")
    entry, = [e for e in shelf.entries.values() if e.id == "kernel-oom-kill"]
    bare = Entry(entry.file, entry.folder, {key: value for key, value in entry.data.items() if key != "behaviour"}, entry.spans, entry.source)
    assert any("behaviour" in str(problem) for problem in schema_problems(bare))


def test_a_runbook_has_a_box_for_every_step_of_the_page(shelf: Shelf) -> None:
    """The names in it are those of the page's own items, and a harmless line has none."""
    entry = shelf.entries["nccl-watchdog-timeout"]
    text = runbook(entry)
    names = re.findall(r"^- \[ \] \{([a-z]+-\d+)\}", text, re.MULTILINE)
    expected = [f"{name}-{n}" for name, field in (("check", entry.data["confirm"]), ("step", entry.data["fix"]["steps"]), ("evidence", entry.data["collect"])) for n in range(1, len(field) + 1)]
    assert names == expected
    assert runbook(next(e for e in shelf.entries.values() if e.kind == "benign")) == ""
    assert Path(entry.file).stem in entry.id
