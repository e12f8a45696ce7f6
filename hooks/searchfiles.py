# SPDX-License-Identifier: MIT
"""The search index as the site serves it: cut into pieces of a few kilobytes, in a folder named by its content.

A query fetches the pieces that its words are in and those of the entries that it compares, whatever the encyclopedia's
size. Pages name the folder, so pages and pieces are always of one build.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

#: How large a piece is about, compressed. A query of many words fetches a few dozen: see `make bench-search`.
PIECE = 2_600


def files(index: dict[str, Any]) -> dict[str, str]:
    """Give the files of an index by name."""
    terms = [[f"{dump(term)}:{dump(index['terms'][term])}", term] for term in sorted(index["terms"], key=utf16)]
    pieces = list(cut([text for text, _ in terms]))
    made = {f"terms-{number}.json": "{" + ",".join(text for text, _ in terms[start:end]) + "}" for number, (start, end) in enumerate(pieces)}
    cards = index["cards"]
    step = max(1, len(cards) * PIECE // max(1, packed(dump(cards))))
    for start in range(0, len(cards), step):
        made[f"cards-{start // step}.json"] = dump(cards[start:start + step])
    made["words.json"] = dump(index["words"])
    head = {"format": index["format"], "entries": index["entries"], "step": step, "cuts": [terms[start][1] for start, _ in pieces]}
    return {"index.json": dump(head), **made}


def folder(made: dict[str, str]) -> str:
    """Give the address of these files below the site's root."""
    return f"assets/search/{sha256(dump(made).encode()).hexdigest()[:12]}/"


def write(site: Path, made: dict[str, str], address: str = "", name: str = "") -> None:
    """Write the files into a built site, and for a site that knows its address what browsers call a search engine."""
    if address:
        (site / "opensearch.xml").write_text(opensearch(address, name), encoding="utf-8")
    place = site / folder(made)
    place.mkdir(parents=True, exist_ok=True)
    for name, text in made.items():
        (place / name).write_text(text, encoding="utf-8", newline="\n")


def opensearch(address: str, name: str) -> str:
    """Make the site a keyword of the browser's address bar; what is searched for stands behind `#`, so no server sees it."""
    place = escape(address.rstrip("/") + "/")
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">\n'
        f"  <ShortName>{escape(name[:16])}</ShortName>\n  <Description>Failures of distributed GPU runs, by their error line</Description>\n"
        f'  <InputEncoding>UTF-8</InputEncoding>\n  <Image height="16" width="16" type="image/svg+xml">{place}assets/logo.svg</Image>\n'
        f'  <Url type="text/html" method="get" template="{place}#q={{searchTerms}}"/>\n</OpenSearchDescription>\n')


def cut(texts: list[str]) -> Iterator[tuple[int, int]]:
    """Give where pieces begin and end, so that each is about PIECE large when it is compressed."""
    whole = max(1, packed(",".join(texts)))
    wanted = PIECE * sum(map(len, texts)) / whole
    start, size = 0, 0
    for number, text in enumerate(texts):
        size += len(text)
        if size >= wanted:
            yield start, number + 1
            start, size = number + 1, 0
    if start < len(texts) or not texts:
        yield start, len(texts)


def utf16(term: str) -> bytes:
    """Sort as a browser compares."""
    return term.encode("utf-16-be", "surrogatepass")


def packed(text: str) -> int:
    """How large a text is when it is compressed."""
    return len(zlib.compress(text.encode(), 9))


def dump(value: Any) -> str:
    """Write JSON, short."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
