"""What the referee of a test does when a client comes back, and what it tells."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
from unoduo.v1 import match_pb2, seat_pb2, session_pb2
from unoduo_client import (
    Action,
    Observation,
    SeatSession,
    connect,
)

from tests.clients import scripted as referee
from tests.clients.scripted import MATCH_ID, Peer, in_turn, scripted

PLAYING = match_pb2.LIFECYCLE_PLAYING
UNAVAILABLE = grpc.StatusCode.UNAVAILABLE
SEAT_A = seat_pb2.SEAT_A

Script = Callable[[Peer], Awaitable[None]]


def first_legal(observation: Observation) -> Action:
    return observation.decision.legal[0]


async def end(peer: Peer, code: grpc.StatusCode = UNAVAILABLE, reason: str = "") -> None:
    """Ends the session with a status."""
    if reason:
        peer.context.set_trailing_metadata([referee.status_details(code, reason, "")])
    await peer.context.abort(code, "gone")


async def rejoin(
    peer: Peer, after: int | None, lifecycle: match_pb2.Lifecycle.ValueType = PLAYING
) -> session_pb2.RequestItem:
    """Greets and lets the seat join again, behind that event; None: without history."""
    await peer.greet()
    item = await peer.expect("join")
    assert (item.join.after_sequence if item.join.HasField("after_sequence") else None) == after
    assert item.join.head == (bytes(32) if after else b"")
    await peer.send(referee.joined(item, lifecycle=lifecycle))
    return item


async def lost_when_ready(peer: Peer) -> None:
    """Seats a client and loses it as soon as it is ready."""
    await peer.play()
    await end(peer)


async def lost_when_acting(peer: Peer) -> None:
    """Lets a seat decide and loses its action."""
    handle = await peer.play()
    await peer.send(referee.observed(handle, referee.decision(5)))
    await peer.expect("action")
    await end(peer)


async def ended_meanwhile(peer: Peer) -> None:
    """Tells a seat that comes back that the match has ended."""
    item = await rejoin(peer, after=0)
    await peer.send(referee.ended(item.handle))
    await peer.wait_for_the_end()


def page(sequence: int, first: int) -> Observation:
    """Returns a page of history."""
    observation = Observation(sequence=sequence, head=bytes(32))
    for number in range(first, sequence + 1):
        observation.events.add(sequence=number)
    return observation


def news(sequence: int, first: int) -> Observation:
    """Returns a decision behind events."""
    observation = referee.decision(sequence)
    observation.events.extend(page(sequence, first).events)
    return observation


@asynccontextmanager
async def one_seat(*scripts: Script, journal: Path | None = None) -> AsyncIterator[SeatSession]:
    """Joins a seat; each connection is served by the next script."""
    async with scripted(in_turn(*scripts)) as address, connect(address) as session:
        yield await session.join(MATCH_ID, SEAT_A, token="t", journal=journal)


async def told(seat: SeatSession) -> list[Observation]:
    return [observation async for observation in seat.observations()]


def detached(handle: int, reason: session_pb2.DetachReason.ValueType) -> session_pb2.ResponseItem:
    return session_pb2.ResponseItem(handle=handle, detached=session_pb2.Detached(reason=reason, join_number=1))
