# SPDX-License-Identifier: MIT
"""A short run of every fuzzer; `make fuzz` runs them for ten minutes."""
import pytest
from hypothesis import HealthCheck, given, settings

from tests.fuzz.targets import TARGETS


@pytest.mark.parametrize("name", TARGETS)
def test_a_short_run_finds_nothing(name: str) -> None:
    target, strategy = TARGETS[name]
    settings(max_examples=25 if name == "engine" else 120, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))(given(strategy)(target))()
