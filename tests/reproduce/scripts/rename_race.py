# SPDX-License-Identifier: MIT
"""Two processes publish the same staged checkpoint, as Trainer 4.36 did on two nodes with one shared folder: python3 rename_race.py"""
import multiprocessing
import os
import pathlib
import tempfile


def publish(folder: str, barrier: "multiprocessing.synchronize.Barrier") -> None:
    """Wait for the other process, then move the staging folder into place."""
    barrier.wait()
    os.rename(f"{folder}/tmp-checkpoint-49", f"{folder}/checkpoint-49")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        (pathlib.Path(scratch) / "tmp-checkpoint-49").mkdir()
        gate = multiprocessing.Barrier(2)
        both = [multiprocessing.Process(target=publish, args=(scratch, gate)) for _ in range(2)]
        for one in both:
            one.start()
        for one in both:
            one.join()
