# SPDX-License-Identifier: MIT
"""Search: each entry is found by what its software prints, whole lines with another run's numbers included."""
from __future__ import annotations

import re
import time

import pytest

from firstfault import entries
from firstfault.search import Search
from firstfault.searchformat import Reader, SearchIndexError, load
from firstfault.searchmatch import holds, shared, whole
from firstfault.searchtypos import corrections, distance
from firstfault.searchwords import keys, stem, words

TEXTS = entries.load()
SEARCH = Search(load())


def found(query: str) -> list[str]:
    """Ids, best first."""
    return [hit.id for hit in SEARCH.search(query)]


def test_every_entry_is_found_by_its_signature() -> None:
    late = [id_ for id_, entry in TEXTS.items() if entry["status"] != "retired" and id_ not in found(entry["signature"])[:3]]
    assert late == []


def test_every_entry_is_found_first_by_its_own_names() -> None:
    late = [(id_, name) for id_, entry in TEXTS.items() if entry["status"] != "retired"
            for name in (id_, *(entry.get("aliases") or [])) if found(name)[:1] != [id_]]
    assert late == []


def test_numbers_paths_and_ranks_do_not_matter() -> None:
    first = SEARCH.search("[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 3 has a total capacity of 79.15 GiB")
    other = SEARCH.search("/data/x/train.py:12: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 512.00 MiB. "
                          "GPU 0 has a total capacity of 23 GiB")
    assert first[0].id == other[0].id == "cuda-out-of-memory"
    assert first[0].matched and first[0].group == "exact"


@pytest.mark.parametrize("query", [
    "error", "12345 0x7ffe", "*", "a:b +c -d ~e ^f", "\x00\udc80", "()[]{}\\", "", " \n\t ", "\u202e\u0130", "__proto__ constructor", "=cuda", "#79 xid", "\U0001f600" * 50])
def test_operators_and_odd_characters_end_in_an_answer(query: str) -> None:
    assert all(hit.words or hit.group == "exact" for hit in SEARCH.search(query))


def test_words_about_nothing_here_find_nothing_exactly() -> None:
    assert all(hit.group == "prose" for hit in SEARCH.search("the quick brown fox jumps over the lazy dog"))


def test_identifiers_count_whole_and_in_parts() -> None:
    assert [word.terms for word in words("NCCL_IB_TIMEOUT")] == [("nccl_ib_timeout", "nccl", "ib", "timeout")]
    assert [word.terms for word in words("OutOfMemoryError at /usr/lib/x.py 0x7f3b")] == [("outofmemoryerror", "out", "memory", "error")]


def test_a_number_counts_together_with_the_word_before_it() -> None:
    assert keys("NVRM: Xid (PCI:0000:91:00): 79, pid=x") == ["nvrm", "xid", "pci", "#79 pci", "pid"]
    assert keys("[Errno 28] at 19:46:07.336 on 10.0.0.1") == ["errno", "#28 errno"]


def test_folders_are_dropped_and_file_names_stay() -> None:
    assert keys("/opt/conda/lib/libcudnn_cnn.so: gone") == ["libcudnn_cnn", "gon"]


@pytest.mark.parametrize(("one", "other"), [("hangs", "hang"), ("killed", "kill"), ("closed", "close"), ("devices", "device"), ("processes", "process"), ("mapping", "map")])
def test_endings_do_not_matter(one: str, other: str) -> None:
    assert stem(one) == stem(other)


def test_a_text_is_held_with_its_runs_in_order() -> None:
    assert holds("nvrm: xid (pci:0000): 79, pid", ["xid (", "): 79,"])
    assert not holds("79, xid (pci:0): 7", ["xid (", "): 79,"])


def test_words_in_order_and_side_by_side_count_most() -> None:
    def weigh(_: str) -> float:
        return 1.0

    text = ["a", "b", "c"]
    assert shared(text, text, weigh) == whole(text, weigh)
    assert shared(["a", "x", "b", "c"], text, weigh) < whole(text, weigh)
    assert shared(["c", "b", "a"], text, weigh) == 1.0
    assert shared([], text, weigh) == 0.0


def test_typing_errors_lead_to_near_words() -> None:
    assert distance("wathcdog", "watchdog", 2) == 1
    assert distance("abcdefgh", "zyxwvuts", 2) == 3
    assert corrections("wathcdog", ["watch", "watchdog", "water"])[0][0] == stem("watchdog")
    assert corrections("watc", ["watchdog", "water"])[0][0] == stem("watchdog")
    assert corrections("x", ["xid"]) == []
    assert found("oom kiler slrum")[0] in ("kernel-oom-kill", "slurm-oom-kill")


@pytest.mark.parametrize("query", ["rank " * 40_000, "/a" * 60_000, "A" * 100_000, "x y\n" * 25_000, "Xid (PCI" * 12_000, "\u0301" * 100_000, "79 " * 30_000])
def test_a_long_paste_takes_no_long_time(query: str) -> None:
    started = time.process_time()
    SEARCH.search(query)
    assert time.process_time() - started < 2


def test_another_format_says_what_to_do() -> None:
    with pytest.raises(SearchIndexError, match="rebuild it with `make`"):
        Reader({"format": 99})


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
    assert found(typed)[0] == id_


def test_several_numbers_of_one_entry_lead_to_it() -> None:
    texts = {"xid-94-95-contained-ecc": {"title": "Contained ECC error"}, "xid-9-x": {"title": "Another"}}
    assert entries.resolve("xid 95", texts) == "xid-94-95-contained-ecc"
    assert entries.resolve("9", texts) == "xid-9-x"
