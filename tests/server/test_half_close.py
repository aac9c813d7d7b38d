"""A client that says no more is served to the end of its seats."""

import grpc
from unoduo.v1 import session_pb2 as pb

from tests.server.polling import KEEP
from tests.server.wire import Item, action_item, first_legal, play_seats, referee, started


async def test_half_close_keeps_sending_until_the_last_handle_has_ended() -> None:
    async with referee() as host:
        match = await host.create()
        one, two = host.session(), host.session()
        a, b = await one.join(match, 1), await two.join(match, 2)
        await one.ready(a, match)
        await one.call.done_writing()
        await two.ready(b, match)
        await one.until("observation", a)
        await two.send(Item(handle=b, resign=pb.Resign()))
        ended = await one.until("ended", a)
        assert ended.outcome.winner == 1
        assert await one.end() == (grpc.StatusCode.OK, "")
        await two.until("ended", b)
        await two.alive()
        await two.call.done_writing()
        assert await two.end() == (grpc.StatusCode.OK, "")


async def test_half_closed_session_ends_behind_its_last_answers() -> None:
    async with referee() as host:
        match, session, a, b = await started(host)
        await play_seats(session, {a: match, b: match}, first_legal)
        accepted = [item for item in session.items if item.WhichOneof("kind") == "action_result" and item.handle == a]
        decision_id = accepted[0].action_result.decision_id
        late = [action_item(a, decision_id, KEEP, name) for name in ("late", "later", "latest")]
        await session.send(*late)
        await session.call.done_writing()
        for item in late:
            assert (await session.until("action_result", a)).action_id == item.action.action_id
        assert await session.end() == (grpc.StatusCode.OK, "")


async def test_half_close_without_a_seat_ends_at_once() -> None:
    async with referee() as host:
        session = host.session()
        await session.call.done_writing()
        assert await session.end() == (grpc.StatusCode.OK, "")


async def test_leaving_the_last_seat_ends_a_half_closed_session() -> None:
    async with referee() as host:
        match = await host.create()
        session = host.session()
        handle = await session.join(match, 1)
        await session.send(Item(handle=handle, leave=pb.Leave()))
        await session.call.done_writing()
        detached = await session.until("detached", handle)
        assert (detached.reason, detached.join_number) == (pb.DETACH_REASON_LEFT, 1)
        assert await session.end() == (grpc.StatusCode.OK, "")
