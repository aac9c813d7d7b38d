import asyncio
import logging
from typing import Any

import grpc
import pytest
from unoduo.v1 import seat_pb2, session_pb2
from unoduo_client import ClientError, ProblemError, SeatSession, Session, SessionLost, connect

from tests.clients import scripted as referee
from tests.clients.scripted import MATCH_ID, Peer, scripted

SEAT_A, SEAT_B = seat_pb2.SEAT_A, seat_pb2.SEAT_B


async def first_sequence(seat: SeatSession) -> int:
    return (await anext(aiter(seat.observations()))).sequence


async def test_connect_raises_session_lost_where_nobody_listens(closed_address: str) -> None:
    with pytest.raises(SessionLost) as lost:
        async with connect(closed_address):
            pytest.fail("there is no referee")
    assert lost.value.code is grpc.StatusCode.UNAVAILABLE
    assert lost.value.reason == ""


async def test_connect_sends_the_token_and_introduces_itself() -> None:
    async def script(peer: Peer) -> None:
        metadata = dict(peer.context.invocation_metadata() or ())
        assert metadata["authorization"] == "Bearer secret-token"
        item = await peer.expect("hello")
        assert (item.handle, item.hello.client, item.hello.protocol) == (0, "test", 1)
        await peer.send(session_pb2.ResponseItem(session_info=session_pb2.SessionInfo(protocol=1)))
        await peer.wait_for_the_end()

    async with scripted(script) as address, connect(address, token="secret-token", client="test"):
        pass


async def test_connect_raises_what_the_referee_says_to_the_hello() -> None:
    async def script(peer: Peer) -> None:
        await peer.expect("hello")
        await peer.send(referee.problem(0, code=9, reason="PROTOCOL_UNSUPPORTED", field="hello.protocol"))
        await peer.wait_for_the_end()

    async with scripted(script) as address:
        with pytest.raises(SessionLost, match=r"PROTOCOL_UNSUPPORTED in hello\.protocol"):
            async with connect(address):
                pytest.fail("the referee refused")


async def test_join_gives_each_seat_a_handle_of_its_own() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        for handle, seat, token in ((1, SEAT_A, "a"), (2, SEAT_B, "b")):
            item = await peer.expect("join")
            assert (item.handle, item.join.seat, item.join.seat_token) == (handle, seat, token)
            assert not item.join.HasField("after_sequence")
            await peer.send(referee.joined(item))
        await peer.wait_for_the_end()

    async with scripted(script) as address, connect(address) as session:
        seat_a = await session.join(MATCH_ID, SEAT_A, token="a")
        seat_b = await session.join(MATCH_ID, SEAT_B, token="b")
        assert (seat_a.seat, seat_b.seat) == (SEAT_A, SEAT_B)
        assert seat_a.match_id == MATCH_ID
        assert seat_a.header.match_number == 7


async def test_session_routes_items_by_handle() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        first, second = await peer.seat(), await peer.seat()
        await peer.send(
            referee.observed(second, referee.decision(20)),
            referee.observed(77, referee.decision(70)),
            referee.observed(first, referee.decision(10)),
        )
        await peer.wait_for_the_end()

    async with scripted(script) as address, connect(address) as session:
        seats = [await session.join(MATCH_ID, SEAT_A), await session.join(MATCH_ID, SEAT_B)]
        assert [await first_sequence(seat) for seat in seats] == [10, 20]


async def test_session_skips_kinds_that_it_does_not_know() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        handle = await peer.seat()
        unknown_kind = session_pb2.ResponseItem(handle=handle)
        unknown_kind.MergeFromString(b"\xfa\x3e\x01x")  # field 1007
        await peer.send(unknown_kind, session_pb2.ResponseItem(), referee.observed(handle, referee.decision(10)))
        await peer.wait_for_the_end()

    async with scripted(script) as address, connect(address) as session:
        assert await first_sequence(await session.join(MATCH_ID, SEAT_A)) == 10


async def test_session_puts_what_is_ready_into_one_request() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        joins = [await peer.expect("join") for _ in range(50)]
        assert [len(request.items) for request in peer.requests] == [1, 50]
        await peer.send(*map(referee.joined, joins))
        await peer.wait_for_the_end()

    async with scripted(script) as address, connect(address) as session:
        await asyncio.gather(*(session.join(MATCH_ID, SEAT_A) for _ in range(50)))


async def test_session_keeps_the_limits_that_the_referee_reports() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet(max_items=3, max_message_bytes=200)
        joins = [await peer.expect("join") for _ in range(8)]
        long_joins = [await peer.expect("join") for _ in range(3)]
        assert [len(request.items) for request in peer.requests[1:]] == [3, 3, 3, 1, 1]
        assert all(request.ByteSize() <= 200 for request in peer.requests)
        await peer.send(*map(referee.joined, joins + long_joins))
        await peer.wait_for_the_end()

    async with scripted(script) as address, connect(address) as session:
        short = [session.join(MATCH_ID, SEAT_A) for _ in range(8)]
        long = [session.join(MATCH_ID, SEAT_A, token="x" * 80) for _ in range(3)]
        await asyncio.gather(*short, *long)


async def test_session_refuses_an_item_that_no_request_can_hold() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.seat()
        await peer.wait_for_the_end()

    async with scripted(script) as address, connect(address) as session:
        with pytest.raises(ClientError, match="larger than the 65536 bytes"):
            await session.join(MATCH_ID, SEAT_A, token="x" * 65536)
        await session.join(MATCH_ID, SEAT_A)


async def test_join_raises_the_problem_and_the_session_goes_on() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        item = await peer.expect("join")
        await peer.send(referee.problem(item.handle, field="join.seat_token"))
        await peer.seat()
        await peer.wait_for_the_end()

    async with scripted(script) as address, connect(address) as session:
        with pytest.raises(ProblemError) as error:
            await session.join(MATCH_ID, SEAT_A, token="wrong")
        assert (error.value.code, error.value.reason) == (grpc.StatusCode.PERMISSION_DENIED, "NOT_YOURS")
        assert (error.value.field, error.value.message) == ("join.seat_token", "no")
        assert error.value.retry_after_ms == 20
        await session.join(MATCH_ID, SEAT_A, token="right")


async def test_session_warns_of_a_problem_with_itself(caplog: pytest.LogCaptureFixture) -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.send(referee.problem(0, reason="KIND_MISSING"))
        await peer.seat()
        await peer.wait_for_the_end()

    with caplog.at_level(logging.WARNING, "unoduo_client"):
        async with scripted(script) as address, connect(address) as session:
            await session.join(MATCH_ID, SEAT_A)
    assert "KIND_MISSING" in caplog.text


async def test_connect_raises_the_status_that_the_referee_gives() -> None:
    async def script(peer: Peer) -> None:
        await peer.context.abort(grpc.StatusCode.UNAUTHENTICATED, "nobody has this token")

    async with scripted(script) as address:
        for _ in range(20):  # whether the greeting or the status comes first is a race
            with pytest.raises(SessionLost) as lost:
                async with connect(address, token="wrong"):
                    pytest.fail("the referee refused")
            assert lost.value.code is grpc.StatusCode.UNAUTHENTICATED
            assert lost.value.message == "nobody has this token"


async def lose(session: Session, seats: list[SeatSession]) -> list[BaseException | int]:
    """Waits on every seat at once, then tries to join again."""
    waits = (first_sequence(seat) for seat in seats)
    results = await asyncio.gather(*waits, return_exceptions=True)
    return [*results, *await asyncio.gather(session.join(MATCH_ID, SEAT_A), return_exceptions=True)]  # type: ignore[list-item]


async def test_session_tells_every_seat_that_it_is_lost() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.seat()
        await peer.seat()
        code = grpc.StatusCode.RESOURCE_EXHAUSTED
        peer.context.set_trailing_metadata([referee.status_details(code, "SLOW_READER", "")])
        await peer.context.abort(code, "the client does not read")

    async with scripted(script) as address, connect(address, patience=0) as session:
        seats = [await session.join(MATCH_ID, SEAT_A), await session.join(MATCH_ID, SEAT_B)]
        for lost in await lose(session, seats):
            assert isinstance(lost, SessionLost)
            assert (lost.code, lost.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "SLOW_READER")
            assert lost.message == "the client does not read"


async def test_session_is_lost_when_the_referee_ends_it() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.seat()

    async with scripted(script) as address, connect(address, patience=0) as session:
        for lost in await lose(session, [await session.join(MATCH_ID, SEAT_A)]):
            assert isinstance(lost, SessionLost)
            assert lost.code is grpc.StatusCode.OK


async def test_session_is_lost_when_it_is_closed() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.seat()
        await peer.wait_for_the_end()

    async with scripted(script) as address:
        async with connect(address, patience=0) as session:
            seat = await session.join(MATCH_ID, SEAT_A)
        with pytest.raises(SessionLost, match="the session was closed"):
            await first_sequence(seat)


async def test_a_session_whose_closing_is_cancelled_leaves_nothing_running() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.wait_for_the_end()

    async with scripted(script) as address:
        ours = asyncio.all_tasks()
        session = Session(address, None, None, bytes(32), None, "test")
        await session.open()
        assert _of_the_client(asyncio.all_tasks() - ours)
        closing = asyncio.create_task(session.close())
        await asyncio.sleep(0)
        closing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await closing
        assert _of_the_client(asyncio.all_tasks() - ours) == set()


def _of_the_client(tasks: set[asyncio.Task[Any]]) -> set[str]:
    """Returns what those tasks do that the client has made."""
    names = {task.get_coro().__qualname__ for task in tasks}  # type: ignore[union-attr]
    return {name for name in names if name.startswith(("Connection.", "Session."))}
