# SPDX-License-Identifier: MIT
"""Which of several lines about one failure is shown, and whose it was: kinds seen in public threads."""
import pytest

from firstfault.database import Database
from tests.test_diagnosis import PROGRESS, diagnose, line


def old_watchdog(rank: int) -> str:
    """The watchdog before torch 2.3: no rank before the record, no time."""
    return (
        f"[E ProcessGroupNCCL.cpp:457] [Rank {rank}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=12, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, "
        "Timeout(ms)=1800000) ran for 1800035 milliseconds before timing out.\n"
    )


@pytest.mark.parametrize(("waited", "rank"), [((3, 2, 1), 0), ((1, 2, 4, 3, 0, 6, 7), 5)])
def test_one_number_left_out_is_the_silent_rank(database: Database, waited: tuple[int, ...], rank: int) -> None:
    """Nothing tells how many ranks there are, but of those below the highest one alone doesn't complain."""
    result = diagnose(database, PROGRESS + "".join(old_watchdog(each) for each in waited))

    assert result["root"]["rank"] == rank


@pytest.mark.parametrize("waited", [(0, 2), (1, 5, 7), (0, 1, 2)])
def test_gaps_that_say_nothing(database: Database, waited: tuple[int, ...]) -> None:
    """Two that waited, several gaps or none name nobody who is silent."""
    result = diagnose(database, PROGRESS + "".join(old_watchdog(each) for each in waited))

    assert result["root"]["rank"] in waited


@pytest.mark.parametrize(("said", "rank"), [
    ("=> init process group, backend gloo, world size 4, rank 2\n", 2), ("self.dist_rank: 1\n", 1), ("rank=3, world_size=4\n", 3), ("world_size: 4 is set by the launcher\n", 0)
])
def test_a_program_that_introduces_itself_has_that_rank(database: Database, said: str, rank: int) -> None:
    result = diagnose(database, said + PROGRESS + 'Traceback (most recent call last):\n  File "/app/train.py", line 8, in <module>\n    main()\nKeyError: \'input_ids\'\n')

    assert result["root"]["rank"] == rank


def test_what_was_seen_of_the_peer_tells_more_than_the_report_around_it(database: Database) -> None:
    """Nothing but consequences: the line that names the peer is shown, not the exception that quotes it."""
    result = diagnose(database, PROGRESS + """[rank1]:[E ProcessGroupNCCL.cpp:1182] [Rank 1] NCCL watchdog thread terminated with exception: NCCL error: remote process exited
ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.
Last error:
socketProgress: Connection closed by remote peer node-2<32926>
terminate called after throwing an instance of 'c10::DistBackendError'
""")

    assert (result["verdict"], "Connection closed by remote peer node-2" in line(result)) == ("needs-evidence", True)
