"""A seat goes on over lost connections as if there had been one."""

import asyncio
from pathlib import Path

import grpc
import pytest
from unoduo.v1 import match_pb2, seat_pb2, session_pb2
from unoduo_client import EntropyMissing, MatchOver, ProblemError, SeatDetached, connect, play_seat

from tests.clients import scripted as referee
from tests.clients.resuming import (
    PLAYING,
    detached,
    end,
    first_legal,
    lost_when_acting,
    lost_when_ready,
    news,
    one_seat,
    page,
    rejoin,
    told,
)
from tests.clients.scripted import MATCH_ID, Peer, in_turn, scripted
from tests.clients.test_journal import records

SEAT_A, SEAT_B = seat_pb2.SEAT_A, seat_pb2.SEAT_B
ENDED = match_pb2.LIFECYCLE_ENDED
FROZEN, REPLACED, REVOKED = (
    session_pb2.DETACH_REASON_MATCH_FROZEN,
    session_pb2.DETACH_REASON_REPLACED,
    session_pb2.DETACH_REASON_TOKEN_REVOKED,
)
DRAW = referee.decision().decision.legal[1]
ENDINGS = pytest.mark.parametrize(
    ("code", "reason"),
    [
        (grpc.StatusCode.UNAVAILABLE, "DRAINING"),
        (grpc.StatusCode.UNAVAILABLE, ""),
        (grpc.StatusCode.CANCELLED, ""),
        (grpc.StatusCode.INTERNAL, ""),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, "SLOW_READER"),
    ],
)


@ENDINGS
async def test_observations_go_on_behind_the_last_one(code: grpc.StatusCode, reason: str) -> None:
    async def before(peer: Peer) -> None:
        await peer.greet()
        handle = await peer.seat()
        await peer.send(referee.observed(handle, news(5, 1)))
        await peer.expect("resign")  # by now the client has read
        await end(peer, code, reason)

    async def after(peer: Peer) -> None:
        item = await rejoin(peer, after=5)
        assert (item.join.match_id, item.join.seat, item.join.seat_token) == (MATCH_ID, SEAT_A, "t")
        await peer.send(referee.observed(item.handle, page(9, 6)))
        await peer.send(referee.observed(item.handle, referee.decision(9)))
        await peer.send(referee.observed(item.handle, news(12, 10)), referee.ended(item.handle))
        await peer.wait_for_the_end()

    async with one_seat(before, after) as seat:
        assert (await anext(aiter(seat.observations()))).sequence == 5
        resigning = asyncio.create_task(seat.resign())
        observations = await told(seat)
        assert (await resigning).sequence == 9
    assert [observation.sequence for observation in observations] == [9, 9, 12]
    assert [event.sequence for observation in observations for event in observation.events] == [6, 7, 8, 9, 10, 11, 12]


async def test_observations_tell_no_event_and_no_view_twice() -> None:
    async def before(peer: Peer) -> None:
        await peer.greet()
        handle = await peer.seat()
        await peer.send(referee.observed(handle, news(5, 1)))
        await peer.expect("resign")
        await end(peer)

    async def after(peer: Peer) -> None:
        item = await rejoin(peer, after=5)
        await peer.send(
            referee.observed(item.handle, referee.decision(5)),
            referee.observed(item.handle, news(4, 3)),
            referee.observed(item.handle, news(7, 4)),
            referee.ended(item.handle),
        )
        await peer.wait_for_the_end()

    async with one_seat(before, after) as seat:
        resigning = asyncio.create_task(seat.resign())
        observations = await told(seat)
        await resigning
    assert [observation.sequence for observation in observations] == [5, 7]
    assert [event.sequence for event in observations[1].events] == [6, 7]


async def test_seat_that_was_told_nothing_resumes_from_the_start() -> None:
    async def before(peer: Peer) -> None:
        await peer.greet()
        await peer.seat()
        await peer.expect("ready")
        await end(peer)

    async def after(peer: Peer) -> None:
        item = await rejoin(peer, after=0)
        ready = await peer.expect("ready")
        assert ready.handle == item.handle
        await peer.send(referee.ready_accepted(item.handle), referee.observed(item.handle, news(5, 1)))
        await peer.send(referee.ended(item.handle))
        await peer.wait_for_the_end()

    async with one_seat(before, after) as seat:
        await seat.ready()
        assert [len(observation.events) for observation in await told(seat)] == [5]


async def test_seat_of_a_running_match_that_was_told_nothing_joins_without_history() -> None:
    async def before(peer: Peer) -> None:
        await peer.greet()
        item = await peer.expect("join")
        await peer.send(referee.joined(item, lifecycle=PLAYING))
        await peer.expect("ready")
        await end(peer)

    async def after(peer: Peer) -> None:
        item = await rejoin(peer, after=None)
        await peer.expect("ready")
        await peer.send(referee.ready_accepted(item.handle), referee.ended(item.handle))
        await peer.wait_for_the_end()

    async with one_seat(before, after) as seat:
        await seat.ready()


async def test_a_frozen_match_is_joined_again_under_a_new_handle() -> None:
    async def script(peer: Peer) -> None:
        handle = await peer.play()
        await peer.send(referee.observed(handle, news(5, 1)))
        first = await peer.expect("action")
        await peer.send(detached(handle, FROZEN), referee.problem(handle, 9, "HANDLE_ENDED"))
        item = await peer.expect("join")
        assert item.handle > handle
        assert item.join.after_sequence == 5
        await peer.send(referee.joined(item, lifecycle=match_pb2.LIFECYCLE_FROZEN))
        second = await peer.expect("action")
        assert (second.handle, second.action) == (item.handle, first.action)
        await peer.send(referee.observed(handle, news(6, 6)), referee.accepted(second), referee.ended(item.handle))
        await peer.wait_for_the_end()

    async with one_seat(script) as seat:
        await seat.ready()
        assert (await seat.act(referee.decision(), DRAW)).HasField("accepted")
        assert [observation.sequence for observation in await told(seat)] == [5]


@pytest.mark.parametrize("reason", [REPLACED, REVOKED])
async def test_a_seat_that_was_taken_away_is_never_joined_again(reason: session_pb2.DetachReason.ValueType) -> None:
    async def before(peer: Peer) -> None:
        await peer.greet()
        first, second = await peer.seat(), await peer.seat()
        await peer.send(detached(first, reason), referee.observed(second, referee.decision(3)))
        await peer.expect("resign")
        await end(peer)

    async def after(peer: Peer) -> None:
        item = await rejoin(peer, after=3)
        assert item.join.seat == SEAT_B
        await peer.expect("resign")
        await peer.send(referee.ended(item.handle))
        await peer.expect_the_end()

    async with scripted(in_turn(before, after)) as address, connect(address) as session:
        seat, other = await session.join(MATCH_ID, SEAT_A), await session.join(MATCH_ID, SEAT_B)
        await anext(aiter(other.observations()))
        await other.resign()
        with pytest.raises(SeatDetached):
            await told(seat)


async def test_journal_goes_on_over_lost_connections(tmp_path: Path) -> None:
    async def before(peer: Peer) -> None:
        handle = await peer.play()
        await peer.send(referee.observed(handle, news(5, 1)))
        await peer.expect("action")
        await end(peer)

    async def after(peer: Peer) -> None:
        item = await rejoin(peer, after=5)
        await peer.send(referee.observed(item.handle, referee.decision(5)))
        await peer.send(referee.accepted(await peer.expect("action")), referee.observed(item.handle, news(8, 4)))
        await peer.send(referee.accepted(await peer.expect("action")), referee.ended(item.handle))
        await peer.wait_for_the_end()

    path = tmp_path / "a.journal"
    async with one_seat(before, after, journal=path) as seat:
        await play_seat(seat, first_legal)
    kept = records(path)
    kinds = [record.WhichOneof("kind") for record in kept]
    answer = ["action", "action_result"]
    assert kinds == ["joined", "ready", "ready_accepted", "observation", *answer, "observation", *answer, "ended"]
    events = [event.sequence for record in kept for event in record.observation.events]
    assert events == [1, 2, 3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize("keeps_entropy", [True, False])
async def test_the_deal_is_still_checked_behind_a_lost_connection(keeps_entropy: bool) -> None:
    entropy: list[bytes] = []

    async def before(peer: Peer) -> None:
        await peer.play(match_pb2.DEAL_MODE_FRESH)
        await end(peer)

    async def after(peer: Peer) -> None:
        await peer.greet()
        item = await peer.expect("join")
        await peer.send(referee.joined(item, match_pb2.DEAL_MODE_FRESH, PLAYING))
        deal = referee.deal_sealed(entropy[0] if keeps_entropy else b"x" * 32, b"")
        await peer.send(referee.observed(item.handle, deal), referee.ended(item.handle))
        await peer.wait_for_the_end()

    async with one_seat(before, after) as seat:
        await seat.ready()
        entropy.append(seat._guard.sent)
        if keeps_entropy:
            assert len(await told(seat)) == 1
        else:
            with pytest.raises(EntropyMissing):
                await told(seat)


async def test_a_problem_that_does_not_pass_is_raised_on_rejoining() -> None:
    async def after(peer: Peer) -> None:
        await peer.greet()
        item = await peer.expect("join")
        await peer.send(referee.problem(item.handle, 7, "NOT_YOURS"))
        await peer.wait_for_the_end()

    async with one_seat(lost_when_ready, after) as seat:
        await seat.ready()
        with pytest.raises(ProblemError, match="NOT_YOURS"):
            await told(seat)


async def test_the_end_is_told_behind_a_lost_connection() -> None:
    async def after(peer: Peer) -> None:
        item = await rejoin(peer, after=5, lifecycle=ENDED)
        await peer.send(referee.observed(item.handle, page(9, 6)), referee.ended(item.handle))
        await peer.expect_the_end()

    async with one_seat(lost_when_acting, after) as seat:
        await seat.ready()
        observation = await anext(aiter(seat.observations()))
        with pytest.raises(MatchOver):
            await seat.act(observation, DRAW)
        assert [observation.sequence for observation in await told(seat)] == [9]
