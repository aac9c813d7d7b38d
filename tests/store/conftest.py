"""Fixtures of all store tests."""

import pytest

from tests.store.contract import Listener


@pytest.fixture
async def listener() -> Listener:
    return Listener()
