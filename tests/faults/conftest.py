"""Fixtures of the tests of faults."""

from collections.abc import Mapping

import pytest

from referee.rules.seats import Seat
from referee.rules.state import Phase
from tests.faults.positions import Way, ways


@pytest.fixture(scope="session")
def all_ways() -> Mapping[tuple[Phase, Seat], Way]:
    return ways()
