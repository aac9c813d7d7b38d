"""Limits of the server as a whole."""

import grpc
import pytest
from unoduo.v1 import session_pb2

from referee.server.limits import Limits
from referee.server.pace import Pace
from tests.server.wire import Item, referee


async def test_session_too_many_is_refused_and_its_place_given_again() -> None:
    async with referee(limits=Limits(max_sessions=1)) as host:
        first = host.session()
        await first.alive()
        assert await host.session().end() == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_CALLS")
        await first.call.done_writing()
        assert await first.end() == (grpc.StatusCode.OK, "")
        again = host.session()
        await again.alive()


async def test_request_may_be_as_large_as_the_referee_is_told() -> None:
    async with referee(limits=Limits(max_request_bytes=1_000_000)) as host:
        session = host.session()
        await session.send(Item(handle=1, ready=session_pb2.Ready(entropy=bytes(900_000))))
        assert await session.problem(1) == (9, "HANDLE_UNKNOWN", "handle")
        await session.send(Item(handle=1, ready=session_pb2.Ready(entropy=bytes(1_000_000))))
        assert await session.end() == (grpc.StatusCode.RESOURCE_EXHAUSTED, "MESSAGE_TOO_LARGE")


async def test_fast_session_is_read_on_and_refused_nothing() -> None:
    async with referee(limits=Limits(max_items_per_s=1_000)) as host:
        session = host.session()
        for _ in range(300):
            await session.alive()


@pytest.mark.parametrize(("items", "waits"), [(100, 0.0), (101, 0.001), (1_000, 0.9)])
def test_reading_pauses_behind_more_than_a_tenth_of_a_second_of_items(items: int, waits: float) -> None:
    assert Pace(1_000).wait_s(items, 5_000) == pytest.approx(waits)


def test_pauses_add_up_and_time_pays_them_off() -> None:
    pace = Pace(1_000)
    assert [pace.wait_s(100, now) for now in (0, 0, 200, 1_000, 1_000)] == pytest.approx([0.0, 0.1, 0.0, 0.0, 0.1])
