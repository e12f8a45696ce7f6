# SPDX-License-Identifier: MIT
"""Search: each entry is found by what its software prints, whole lines with another run's numbers included."""

import re
import time

import pytest

from firstfault import entries
from firstfault.database import load
from firstfault.search import Index, tokens

TEXTS = entries.load()
INDEX = Index(TEXTS, load())


@pytest.mark.parametrize("id_", TEXTS)
def test_every_entry_is_found_by_its_signature(id_: str) -> None:
    found = [hit.id for hit in INDEX.search(TEXTS[id_]["signature"])]
    assert id_ in found[:3], found


@pytest.mark.parametrize("id_", TEXTS)
def test_every_entry_is_found_first_by_its_own_name(id_: str) -> None:
    assert INDEX.search(id_)[0].id == id_
    for alias in TEXTS[id_].get("aliases") or []:
        assert INDEX.search(alias)[0].id == id_


@pytest.mark.parametrize("id_", TEXTS)
def test_every_entry_is_found_by_the_decisive_line_of_its_sample(id_: str) -> None:
    sample = TEXTS[id_]["samples"][0]
    line = next(line for line in sample["log"].split("\n") if sample["root_line"] in line)
    assert id_ in [hit.id for hit in INDEX.search(line)][:3]


def test_numbers_paths_and_ranks_do_not_matter() -> None:
    first = INDEX.search("[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 3 has a total capacity of 79.15 GiB")
    other = INDEX.search("/data/x/train.py:12: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 512.00 MiB. "
                         "GPU 0 has a total capacity of 23 GiB")
    assert first[0].id == other[0].id == "cuda-out-of-memory"
    assert first[0].matched


@pytest.mark.parametrize("query", [
    "hello world", "error", "12345 0x7ffe", "the quick brown fox jumps over the lazy dog", "*", "a:b +c -d ~e ^f", "\x00\udc80", "()[]{}\\"])
def test_everyday_words_and_operators_find_nothing_or_little(query: str) -> None:
    assert all(hit.words for hit in INDEX.search(query))
    assert len(INDEX.search(query)) <= 3


def test_identifiers_count_whole_and_in_parts() -> None:
    assert list(tokens("NCCL_IB_TIMEOUT")) == ["nccl_ib_timeout", "nccl", "ib", "timeout"]
    assert list(tokens("OutOfMemoryError at /usr/lib/x.py 0x7f3b 12")) == ["outofmemoryerror", "out", "memory", "error"]
    assert list(tokens("Tried to allocate {size:float} {unit:GiB|MiB}")) == ["tried", "allocate"]


def test_a_long_paste_takes_no_long_time() -> None:
    started = time.process_time()
    INDEX.search("rank " * 200_000)
    assert time.process_time() - started < 2


def test_an_unknown_name_offers_the_closest() -> None:
    with pytest.raises(entries.EntriesError, match=re.escape("close: cuda-out-of-memory")):
        entries.resolve("cuda-out-memory", TEXTS)
    with pytest.raises(entries.EntriesError, match="firstfault search"):
        entries.resolve("zzzz", TEXTS)


@pytest.mark.parametrize(("typed", "id_"), [
    ("XID 79", "xid-79-gpu-fell-off-bus"), ("79", "xid-79-gpu-fell-off-bus"), ("CUDA_OUT_OF_MEMORY", "cuda-out-of-memory"),
    ("https://host/sub/cuda-out-of-memory/", "cuda-out-of-memory")])
def test_names_are_forgiving(typed: str, id_: str) -> None:
    assert entries.resolve(typed, TEXTS) == id_


def test_several_numbers_of_one_entry_lead_to_it() -> None:
    texts = {"xid-94-95-contained-ecc": {"title": "Contained ECC error"}, "xid-9-x": {"title": "Another"}}
    assert entries.resolve("xid 95", texts) == "xid-94-95-contained-ecc"
    assert entries.resolve("9", texts) == "xid-9-x"
