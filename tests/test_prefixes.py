# SPDX-License-Identifier: MIT
"""Every prefix of a line that tells rank, host, time or level, and their nesting."""
import pytest

from firstfault.prefixes import peel, strip_ansi

CASES = [
    ("[rank3]: boom", "boom", {"rank": 3}),
    ("[default1]:[rank3]: boom", "boom", {"rank": 3, "local_rank": 1}),
    ("2: [rank11]: boom", "boom", {"rank": 11, "task": 2}),
    ("15: boom", "boom", {"task": 15}),
    ("[1,3]<stderr>: boom", "boom", {"rank": 3}),
    ("[1,3]<stderr>:boom", "boom", {"rank": 3}),
    ("[rank: 4] boom", "boom", {"rank": 4}),
    ("[rank0]:[E321 02:07:08.408123456 ProcessGroupNCCL.cpp:607] boom", "boom", {"rank": 0, "level": "E"}),
    ("[E ProcessGroupNCCL.cpp:475] boom", "boom", {"level": "E", "rank": None}),
    ("[W1122 03:41:17.004713211 ProcessGroupNCCL.cpp:1250] boom", "boom", {"level": "W"}),
    ("E1226 10:00:00.000000 123 site-packages/torch/distributed/elastic/multiprocessing/api.py:869] boom", "boom", {"level": "E", "clock": "noyear"}),
    ("W0814 07:25:18.110000 139801112364864 torch/distributed/elastic/multiprocessing/api.py:851] boom", "boom", {"level": "W"}),
    ("ERROR:torch.distributed.elastic.multiprocessing.api:boom", "boom", {"level": "E"}),
    ("[2023-10-16 22:06:36,234] torch.distributed.elastic.multiprocessing.api: [ERROR] boom", "boom", {"level": "E", "clock": "date"}),
    ("gpu-7:21842:22716 [2] NCCL INFO boom", "NCCL INFO boom", {"host": "gpu-7", "pid": 21842, "device": 2, "level": "I"}),
    ("[2026-03-13 22:26:02] host-07.example.com:2210:3251 [5] ibvwrap.c:262 NCCL WARN boom", "ibvwrap.c:262 NCCL WARN boom",
     {"host": "host-07.example.com", "device": 5, "level": "W", "clock": "date"}),
    ("[2024-01-01 10:00:00,123] [INFO] [logging.py:96:log_dist] [Rank 0] boom", "boom", {"rank": 0, "level": "I"}),
    ("[2024-01-01 10:00:00,123] [ERROR] [launch.py:434:sigkill_handler] boom", "boom", {"level": "E", "rank": None}),
    ("ERROR 11-22 03:41:16 engine.py:366] boom", "boom", {"level": "E"}),
    ("(EngineCore_0 pid=1) ERROR 11-22 03:41:16 [core.py:700] boom", "boom", {"pid": 1, "level": "E", "source": "EngineCore_0"}),
    ("(VllmWorker rank=1 pid=77) INFO 03-01 12:00:00 [worker.py:1] boom", "boom", {"rank": 1, "pid": 77}),
    ("(RayTrainWorker pid=12, ip=10.0.0.1) [rank3]: boom", "boom", {"rank": 3, "pid": 12, "host": "10.0.0.1"}),
    ("(worker6, rank=6, pid=8930, ip=10.42.3.240) boom", "boom", {"rank": 6, "pid": 8930}),
    ("Mar 22 14:02:31 ws-b kernel: [ 4412.118200] boom", "boom", {"host": "ws-b", "clock": "noyear"}),
    ("[81207.978071] boom", "boom", {"clock": "uptime"}),
    ("[Mon Feb 12 10:20:30 2024] boom", "boom", {"clock": "date"}),
    ("[NeMo E 2024-05-01 10:00:00 exp_manager:100 rank:5] boom", "boom", {"rank": 5, "level": "E"}),
    ("[2025-03-07 10:11:52,014 E 31877 31877] logging.cc:113: boom", "boom", {"level": "E", "clock": "date"}),
    ("2023-12-16 07:44:21 10.0.1.12: boom", "boom", {"host": "10.0.1.12", "source": "10.0.1.12"}),
    ("bench-nodes.cn-d004 [stderr] [rank14]: boom", "boom", {"rank": 14, "source": "bench-nodes.cn-d004"}),
    ("wrote to [stderr] and boom", "wrote to [stderr] and boom", {"source": None}),
    ("maxtext-llama2-7: boom", "boom", {"source": "maxtext-llama2-7"}),
    ("[pod/train-worker-3/pytorch] boom", "boom", {"host": "train-worker-3"}),
    ("2024-01-01T10:00:00.123456789Z stderr F [rank2]: boom", "boom", {"rank": 2, "clock": "date"}),
    ("[2024-01-01 10:00:00 DP0 TP3] boom", "boom", {"rank": None, "source": "DP0 TP3"}),
    ("> [rank1]: boom", "boom", {"rank": 1}),
    ("boom", "boom", {"rank": None, "time": None}),
    ("[titan] 2026-12-01 02:22:24,393 - root - ERROR - could not read it", "could not read it", {"level": "E", "clock": "date", "header": True}),
    ("[rank3]:[titan] 2026-12-01 02:22:24,393 - root - INFO - step 5", "step 5", {"rank": 3, "level": "I"}),
    ("2026-12-01 02:22:24,393 - trainer.data - WARNING - few left", "few left", {"level": "W", "clock": "date"}),
    ("2026-12-01 01:57:39.510 | ERROR    | __main__:main:299 - no shard", "no shard", {"level": "E", "clock": "date"}),
    ("12/01/2026 02:00:00 - INFO - __main__ -   hello", "hello", {"level": "I", "clock": "date"}),
    ("[data] 12 shards - ready - ERROR", "[data] 12 shards - ready - ERROR", {"level": None, "time": None}),
]


@pytest.mark.parametrize(("line", "message", "origin"), CASES, ids=[case[0][:40] for case in CASES])
def test_peel(line: str, message: str, origin: dict[str, object]) -> None:
    """The message is what remains, and the prefixes tell what they tell."""
    found, told = peel(line)

    assert found == message
    assert {name: getattr(told, name) for name in origin} == origin


def test_repeated_lines_of_ray_are_counted() -> None:
    """Ray prints one line for many; the count is kept and the mark removed."""
    message, origin = peel("(Worker pid=3) boom [repeated 7x across cluster]")

    assert (message, origin.repeats) == ("boom", 7)


@pytest.mark.parametrize("coloured", ["\x1b[31mboom\x1b[0m", "^[[31mboom^[[0m", "[31mboom[0m", "\x1b]8;;http://x\x07boom\x1b]8;;\x07", "\x1b[1;38;5;9mboom\x1b[K"])
def test_terminal_codes_go(coloured: str) -> None:
    """Colour codes go, also those that lost their escape character."""
    assert strip_ansi(coloured) == "boom"
