"""Fixtures of all match tests."""

from collections.abc import AsyncIterator

import pytest

from tests.match.table import Table


@pytest.fixture
async def table() -> AsyncIterator[Table]:
    table = Table()
    await table.open()
    yield table
    await table.close()
