"""How long a session tries, and when it is given up."""

import asyncio
from collections.abc import Awaitable
from pathlib import Path

import grpc
import pytest
from unoduo.v1 import match_pb2, seat_pb2, session_pb2
from unoduo_client import (
    ClientError,
    ForkedError,
    SeatSession,
    Session,
    SessionLost,
    connect,
    play_seat,
)
from unoduo_client.connection import Connection
from unoduo_client.dialing import Dialer

from tests.clients import scripted as referee
from tests.clients.resuming import (
    UNAVAILABLE,
    end,
    ended_meanwhile,
    first_legal,
    lost_when_ready,
    news,
    one_seat,
    page,
    rejoin,
    told,
)
from tests.clients.scripted import MATCH_ID, Peer, in_turn, scripted
from tests.clients.test_journal import records
from tests.faults.proxy import proxy

SEAT_A, SEAT_B = seat_pb2.SEAT_A, seat_pb2.SEAT_B


async def test_another_log_is_never_played_on_and_the_journal_is_kept(tmp_path: Path) -> None:
    async def before(peer: Peer) -> None:
        handle = await peer.play()
        await peer.send(referee.observed(handle, news(5, 1)))
        await peer.expect("action")
        await end(peer)

    async def after(peer: Peer) -> None:
        await peer.greet()
        item = await peer.expect("join")
        await peer.send(referee.problem(item.handle, 15, "FORKED", "join.after_sequence"))
        await peer.wait_for_the_end()

    path = tmp_path / "a.journal"
    async with one_seat(before, after, journal=path) as seat:
        with pytest.raises(ForkedError, match=r"up to event 5; the proof is in .*a\.journal"):
            await play_seat(seat, first_legal)
    assert [record.WhichOneof("kind") for record in records(path)] == [
        "joined",
        "ready",
        "ready_accepted",
        "observation",
        "action",
    ]


async def test_another_header_is_another_log() -> None:
    async def after(peer: Peer) -> None:
        await peer.greet()
        item = await peer.expect("join")
        await peer.send(referee.joined(item, match_pb2.DEAL_MODE_SHARED))
        await peer.wait_for_the_end()

    async with one_seat(lost_when_ready, after) as seat:
        await seat.ready()
        with pytest.raises(ForkedError, match="no journal was kept"):
            await told(seat)


async def lost_of(seats: list[SeatSession], session: Session) -> list[SessionLost]:
    """Waits on every seat, then joins once more."""
    results: list[object] = list(await asyncio.gather(*map(told, seats), return_exceptions=True))
    with pytest.raises(SessionLost) as late:
        await session.join(MATCH_ID, SEAT_A)
    losses = []
    for result in (*results, late.value):
        assert isinstance(result, SessionLost)
        losses.append(result)
    return losses


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN"),
        (grpc.StatusCode.PERMISSION_DENIED, "NOT_YOURS"),
        (grpc.StatusCode.INVALID_ARGUMENT, "MESSAGE_UNREADABLE"),
        (grpc.StatusCode.INTERNAL, "INTERNAL"),
    ],
)
async def test_session_is_given_up_for_what_does_not_pass(code: grpc.StatusCode, reason: str) -> None:
    async def before(peer: Peer) -> None:
        await peer.greet()
        await peer.seat()
        await peer.seat()
        await end(peer)

    async def after(peer: Peer) -> None:
        await end(peer, code, reason)

    async with scripted(in_turn(before, after)) as address, connect(address) as session:
        seats = [await session.join(MATCH_ID, SEAT_A), await session.join(MATCH_ID, SEAT_B)]
        for lost in await lost_of(seats, session):
            assert (lost.code, lost.reason, lost.message) == (code, reason, "gone")


async def test_session_is_given_up_by_a_referee_of_another_protocol() -> None:
    async def after(peer: Peer) -> None:
        await peer.expect("hello")
        await peer.send(referee.problem(0, code=9, reason="PROTOCOL_UNSUPPORTED", field="hello.protocol"))
        await peer.wait_for_the_end()

    async with scripted(in_turn(lost_when_ready, after)) as address, connect(address) as session:
        seat = await session.join(MATCH_ID, SEAT_A)
        await seat.ready()
        (lost, _) = await lost_of([seat], session)
        assert lost.reason == "PROTOCOL_UNSUPPORTED"


async def test_session_is_given_up_when_patience_is_at_its_end() -> None:
    async def script(peer: Peer) -> None:
        await peer.play()
        await end(peer)

    async with scripted(in_turn(script)) as address, connect(address, patience=2) as session:
        seat = await session.join(MATCH_ID, SEAT_A)
        await seat.ready()
        for lost in await lost_of([seat], session):
            assert lost.code is UNAVAILABLE
            assert lost.message.startswith("no session with the referee for 2 seconds: ")


async def test_session_is_given_up_when_connections_bring_nothing_new() -> None:
    async def useless(peer: Peer) -> None:
        await rejoin(peer, after=0)
        await end(peer)

    async with (
        scripted(in_turn(lost_when_ready, useless, repeat=True)) as address,
        connect(address, patience=2) as session,
    ):
        seat = await session.join(MATCH_ID, SEAT_A)
        await seat.ready()
        await lost_of([seat], session)


async def test_join_during_an_outage_waits_for_its_end() -> None:
    async def before(peer: Peer) -> None:
        await peer.greet()
        await end(peer)

    async def after(peer: Peer) -> None:
        await peer.greet()
        await peer.seat()
        await peer.wait_for_the_end()

    async with scripted(in_turn(before, after)) as address, connect(address) as session:
        assert (await session.join(MATCH_ID, SEAT_A)).match_id == MATCH_ID


async def test_connect_waits_for_a_referee_that_is_late(closed_address: str) -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.wait_for_the_end()

    async def late(peer: Peer) -> None:
        await end(peer)

    async with scripted(in_turn(late, late, script)) as address, connect(address, patience=60):
        pass
    with pytest.raises(SessionLost, match=r"for 0\.2 seconds: nobody listens at"):
        async with connect(closed_address, patience=0.2):
            pytest.fail("nobody listens")


async def test_close_during_an_outage_ends_everything() -> None:
    in_outage = asyncio.Event()

    async def after(peer: Peer) -> None:
        in_outage.set()
        await peer.wait_for_the_end()

    async with scripted(in_turn(lost_when_ready, after)) as address:
        async with connect(address) as session:
            seat = await session.join(MATCH_ID, SEAT_A)
            await seat.ready()
            waiting = asyncio.create_task(told(seat))
            await in_outage.wait()
        with pytest.raises(ClientError, match="the session was closed"):
            await waiting


def assigned(number: int) -> session_pb2.ResponseItem:
    seat = session_pb2.Assigned(match_id=bytes([number] * 16), seat=SEAT_A, bot_seed=bytes([number] * 32))
    return session_pb2.ResponseItem(assigned=seat)


async def test_assignment_to_a_match_that_is_over_is_forgotten() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.send(assigned(1), assigned(2))
        for end_it in (True, False):
            handle = await peer.seat()
            if end_it:
                await peer.send(referee.ended(handle))
            else:
                await peer.expect("leave")
                detached = session_pb2.Detached(reason=session_pb2.DETACH_REASON_LEFT)
                await peer.send(session_pb2.ResponseItem(handle=handle, detached=detached))
        await peer.wait_for_the_end()

    async with scripted(in_turn(script)) as address, connect(address) as session:
        assignments = session.assignments()
        first, second = await anext(assignments), await anext(assignments)
        assert await told(await session.join(first.match_id, first.seat)) == []
        await (await session.join(second.match_id, second.seat)).leave()
        # One that was left goes on, and would be told again.
        assert session._known == {(second.match_id, second.seat)}


async def test_assignments_are_told_once_over_all_connections() -> None:
    async def before(peer: Peer) -> None:
        await peer.greet()
        await peer.send(assigned(1), assigned(2))
        await peer.seat()
        await end(peer)

    async def after(peer: Peer) -> None:
        await peer.greet()
        await peer.send(assigned(1), assigned(2), assigned(3))
        await peer.expect("join")
        await end(peer, grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN")

    async with scripted(in_turn(before, after)) as address, connect(address) as session:
        await session.join(MATCH_ID, SEAT_A)
        assignments = session.assignments()
        numbers = [(await anext(assignments)).match_id[0] for _ in range(3)]
        with pytest.raises(SessionLost):
            await anext(assignments)
        with pytest.raises(SessionLost):
            await anext(session.assignments())
    assert numbers == [1, 2, 3]


@pytest.mark.parametrize("is_fruitful", [True, False])
async def test_patience_begins_anew_behind_a_connection_that_brought_something_new(
    is_fruitful: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    deadlines = []
    dial_again = Dialer.dial_again

    def noted(dialer: Dialer, lost: SessionLost, patience: float, deadline: float) -> Awaitable[Connection]:
        deadlines.append(deadline)
        return dial_again(dialer, lost, patience, deadline)

    monkeypatch.setattr(Dialer, "dial_again", noted)

    async def between(peer: Peer) -> None:
        item = await rejoin(peer, after=0)
        await peer.send(referee.observed(item.handle, page(1, 1)) if is_fruitful else referee.observed(9, page(1, 1)))
        await peer.expect("resign")
        await end(peer)

    async def after(peer: Peer) -> None:
        item = await rejoin(peer, after=1 if is_fruitful else 0)
        await peer.send(referee.ended(item.handle))
        await peer.wait_for_the_end()

    async with one_seat(lost_when_ready, between, after) as seat:
        await seat.ready()
        await seat.resign()
    assert len(deadlines) == 2
    assert (deadlines[0] < deadlines[1]) is is_fruitful


@pytest.mark.slow
async def test_a_peer_that_is_silently_gone_is_noticed() -> None:
    async def before(peer: Peer) -> None:
        await peer.play()
        silence.set()
        await peer.wait_for_the_end()

    silence = asyncio.Event()
    async with (
        scripted(in_turn(before, ended_meanwhile)) as address,
        proxy(address) as network,
        connect(network.address) as session,
    ):
        seat = await session.join(MATCH_ID, SEAT_A)
        await seat.ready()
        await silence.wait()
        network.drop()
        assert await told(seat) == []
