# SPDX-License-Identifier: MIT
"""Ranks from the names of files, where the contents do not tell."""
import pytest

from firstfault.naming import local_rank, ranks


@pytest.mark.parametrize(
    ("names", "spoken", "expected"),
    [
        (["run/rank0.log", "run/rank12.log"], {}, [0, 12]),
        (["run/rank_3.err", "run/global-rank-4.out"], {}, [3, 4]),
        (["out/slurm-881_0.out", "out/slurm-881_1.out", "out/slurm-881_2.out"], {}, [0, 1, 2]),
        (["a/x_a1/attempt_0/0/stderr.log", "a/x_a1/attempt_0/1/stderr.log"], {}, [0, 1]),
        (["n0/x/attempt_0/0/stderr.log", "n0/x/attempt_0/1/stderr.log", "n1/y/attempt_0/0/stderr.log", "n1/y/attempt_0/1/stderr.log"], {}, [0, 1, 2, 3]),
        (["n1/y/attempt_0/0/stderr.log", "n1/y/attempt_0/1/stderr.log"], {"n1/y/attempt_0/0/stderr.log": {6}}, [6, 7]),
        (["run/a.log", "run/b.log"], {}, [None, None]),
        (["run/console-0.log", "run/console-1.log"], {"run/console-0.log": {0, 1}, "run/console-1.log": {2, 3}}, [None, None]),
        (["run/rank1.log"], {"run/rank1.log": {5}}, [5]),
        (["rank-1-fails/v0.log", "rank-1-fails/v1.log"], {}, [0, 1]),
        (["rank-1-fails/console.log"], {}, [None]),
        (["rank_1/stdout.log", "rank_1/stderr.log"], {}, [1, 1]),
        (["run/rank_0/out.log", "run/rank_1/out.log"], {}, [0, 1]),
    ],
)
def test_ranks(names: list[str], spoken: dict[str, set[int]], expected: list[int | None]) -> None:
    """Contents first, then the tree, the word `rank`, a counting series."""
    found = ranks(names, spoken)

    assert [found.get(name) for name in names] == expected


def test_the_folder_of_a_tree_is_the_local_rank() -> None:
    """`attempt_0/1` on node 1 is local rank 1, whatever the global one is."""
    assert local_rank("logs/none_ab/attempt_0/1/stderr.log") == 1
    assert local_rank("logs/rank1.log") is None
