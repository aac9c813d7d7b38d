"""A fault as the status of a call."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from referee.match.faults import Fault, ProblemReason
from referee.server.status import abort_within


async def test_status_that_the_client_does_not_take_is_given_up() -> None:
    async def never(*status: object) -> None:
        await asyncio.Event().wait()

    context: Any = SimpleNamespace(abort=never)
    with pytest.raises(asyncio.CancelledError):
        await abort_within(context, Fault(ProblemReason.SLOW_READER), 0.01)
