# SPDX-License-Identifier: MIT
"""The glossary: every term has a place and words, and only the first use in running text leads there."""
from __future__ import annotations

from hooks.glossary import glossary, linked, terms, used
from hooks.load import ENTRIES, ROOT, load_folder
from hooks.site_pages import build


def test_every_term_has_a_place_and_own_words() -> None:
    """Anchors and sentences stand once."""
    assert len(terms()) >= 40
    assert len({term.anchor for term in terms()}) == len({term.text for term in terms()}) == len(terms())
    html = glossary().html
    assert all(f'id="{term.anchor}"' in html for term in terms())


def test_the_first_use_is_linked_outside_of_code_links_and_headings() -> None:
    """The longest form wins; a word inside a longer word is none."""
    html = linked('<p><code>rank</code> <a href="x">rank</a> The local rank and the ranks, the ranks; franked, rank-0.</p>')
    assert html.count("pg-term") == 2
    assert 'glossary/#local-rank">local rank</a>' in html
    assert 'the <a class="pg-term" href="\x02base\x03glossary/#rank">ranks</a>, the ranks; franked, rank-0.' in html
    assert "<code>rank</code> <a href=\"x\">rank</a>" in html


def test_acronyms_are_taken_as_written_and_never_twice_on_a_page() -> None:
    """`mr` is not `MR`; what the section before has said is not linked again."""
    assert "pg-term" not in linked("<p>mr bar</p>")
    assert "pg-term" not in linked("<p>The QP fails.</p>", before="<p>A queue pair.</p>")


def test_terms_are_used_by_entries_and_linked() -> None:
    """A term that no entry uses has no place in the glossary, and most of them are met in the sections that link."""
    entries, _problems = load_folder(ENTRIES, ROOT)
    texts = used("\n".join("\n".join(entry.source) for entry in entries))
    assert [term.name for number, term in enumerate(terms()) if number not in texts] == []
    pages = "".join(page.html for page in build(diagnose=False).pages if page.source)
    assert sum(f'glossary/#{term.anchor}"' in pages for term in terms()) > 0.8 * len(terms())
