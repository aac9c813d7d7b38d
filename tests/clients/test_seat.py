import asyncio
import hashlib
import hmac
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import grpc
import pytest
from unoduo.v1 import match_pb2, seat_pb2, session_pb2
from unoduo_client import (
    EntropyMissing,
    MatchOver,
    Observation,
    ProblemError,
    SeatDetached,
    SeatSession,
    connect,
)

from tests.clients import scripted as referee
from tests.clients.scripted import MATCH_ID, Peer, scripted

SEAT_A, SEAT_B = seat_pb2.SEAT_A, seat_pb2.SEAT_B
FRESH, GIVEN = match_pb2.DEAL_MODE_FRESH, match_pb2.DEAL_MODE_GIVEN
SECRET = b"s" * 32
H0 = hashlib.sha256(b"\x00" + referee.header(FRESH)).digest()
ENTROPY = hmac.new(SECRET, b"unoduo/v1/client-entropy\x00" + H0, "sha256").digest()


@asynccontextmanager
async def joined_seat(
    script: Callable[[Peer, int], Awaitable[None]],
    seat: seat_pb2.Seat.ValueType = SEAT_A,
    deal_mode: match_pb2.DealMode.ValueType = GIVEN,
    lifecycle: match_pb2.Lifecycle.ValueType = match_pb2.LIFECYCLE_CREATED,
) -> AsyncIterator[SeatSession]:
    """Joins a seat; what the referee does after that is up to the script."""

    async def whole_script(peer: Peer) -> None:
        await peer.greet()
        join = await peer.expect("join")
        await peer.send(referee.joined(join, deal_mode, lifecycle))
        await script(peer, join.handle)
        await peer.wait_for_the_end()

    async with scripted(whole_script) as address, connect(address, secret=SECRET) as session:
        yield await session.join(MATCH_ID, seat)


async def next_observation(seat: SeatSession) -> Observation:
    return await anext(aiter(seat.observations()))


async def test_ready_sends_entropy_of_the_secret_and_the_header() -> None:
    async def script(peer: Peer, handle: int) -> None:
        item = await peer.expect("ready")
        assert (item.handle, item.ready.h0, item.ready.entropy) == (handle, H0, ENTROPY)
        await peer.send(referee.ready_accepted(handle))

    async with joined_seat(script, deal_mode=FRESH) as seat:
        assert seat.h0 == H0
        assert not seat.is_ready
        await seat.ready()
        assert seat.is_ready


async def test_ready_takes_another_secret() -> None:
    async def script(peer: Peer, handle: int) -> None:
        item = await peer.expect("ready")
        assert len(item.ready.entropy) == 32
        assert item.ready.entropy != ENTROPY
        await peer.send(referee.ready_accepted(handle))

    async with joined_seat(script, deal_mode=FRESH) as seat:
        await seat.ready(b"another secret")


@pytest.mark.parametrize("deal_mode", [GIVEN, match_pb2.DEAL_MODE_SHARED])
async def test_ready_sends_no_entropy_unless_the_deal_is_fresh(deal_mode: match_pb2.DealMode.ValueType) -> None:
    async def script(peer: Peer, handle: int) -> None:
        item = await peer.expect("ready")
        assert item.ready.entropy == b""
        await peer.send(
            referee.ready_accepted(handle),
            referee.observed(handle, referee.deal_sealed(b"", b"")),
            referee.observed(handle, referee.decision()),
        )

    async with joined_seat(script, deal_mode=deal_mode) as seat:
        await seat.ready()
        assert (await next_observation(seat)).sequence == 1
        assert (await next_observation(seat)).HasField("decision")


@pytest.mark.parametrize(("seat", "entropy"), [(SEAT_A, (ENTROPY, b"x")), (SEAT_B, (b"x", ENTROPY))])
async def test_observations_pass_a_deal_with_the_own_entropy(
    seat: seat_pb2.Seat.ValueType, entropy: tuple[bytes, bytes]
) -> None:
    async def script(peer: Peer, handle: int) -> None:
        await peer.expect("ready")
        await peer.send(referee.ready_accepted(handle), referee.observed(handle, referee.deal_sealed(*entropy)))
        await peer.send(referee.observed(handle, referee.decision()))

    async with joined_seat(script, seat, FRESH) as held:
        await held.ready()
        await next_observation(held)
        assert (await next_observation(held)).HasField("decision")


@pytest.mark.parametrize(
    "observation",
    [
        referee.deal_sealed(b"", ENTROPY),
        referee.deal_sealed(ENTROPY[:-1], ENTROPY),
        referee.deal_sealed(b"x" * 32, b""),
        referee.decision(),
    ],
    ids=["absent", "shortened", "replaced", "no deal shown"],
)
async def test_observations_refuse_a_deal_without_the_own_entropy(observation: Observation) -> None:
    async def script(peer: Peer, handle: int) -> None:
        await peer.expect("ready")
        await peer.send(referee.ready_accepted(handle), referee.observed(handle, observation))

    async with joined_seat(script, deal_mode=FRESH) as seat:
        await seat.ready()
        with pytest.raises(EntropyMissing) as error:
            await next_observation(seat)
        assert error.value.sent == ENTROPY
        with pytest.raises(EntropyMissing):
            await next_observation(seat)
        with pytest.raises(EntropyMissing):
            await seat.act(referee.decision(), referee.decision().decision.legal[0])


async def test_observations_pass_a_match_that_began_before_the_join() -> None:
    async def script(peer: Peer, handle: int) -> None:
        await peer.send(referee.observed(handle, referee.decision()))

    async with joined_seat(script, deal_mode=FRESH, lifecycle=match_pb2.LIFECYCLE_PLAYING) as seat:
        assert (await next_observation(seat)).HasField("decision")


async def test_act_sends_the_action_for_the_decision_with_an_id_of_its_own() -> None:
    sent = []

    async def script(peer: Peer, handle: int) -> None:
        for answer in (lambda item: referee.rejected(item, 2), referee.accepted, referee.stale):
            item = await peer.expect("action")
            sent.append((item.action.decision_id, item.action.action_id))
            assert item.action.action == referee.decision().decision.legal[1]
            await peer.send(answer(item))

    async with joined_seat(script) as seat:
        draw = referee.decision().decision.legal[1]
        results = [await seat.act(referee.decision(sequence), draw) for sequence in (5, 5, 8)]
    assert [result.WhichOneof("verdict") for result in results] == ["rejected", "accepted", "stale"]
    assert results[0].rejected.clause == "R13.3"
    assert sent == [(5, "1"), (5, "2"), (8, "1")]


async def test_act_refuses_an_observation_without_a_decision() -> None:
    async def script(peer: Peer, handle: int) -> None:
        pass

    async with joined_seat(script) as seat:
        with pytest.raises(ValueError, match="no decision"):
            await seat.act(Observation(), referee.decision().decision.legal[0])


async def test_act_raises_the_problem_and_the_seat_goes_on() -> None:
    async def script(peer: Peer, handle: int) -> None:
        await peer.expect("action")
        await peer.send(referee.problem(handle, code=3, reason="MALFORMED", field="action.play.color"))
        await peer.send(referee.accepted(await peer.expect("action")))

    async with joined_seat(script) as seat:
        observation = referee.decision()
        with pytest.raises(ProblemError, match=r"MALFORMED in action\.play\.color") as error:
            await seat.act(observation, observation.decision.legal[0])
        assert error.value.code is grpc.StatusCode.INVALID_ARGUMENT
        assert (await seat.act(observation, observation.decision.legal[1])).HasField("accepted")


async def test_act_raises_match_over_when_the_match_ends_instead_of_an_answer() -> None:
    async def script(peer: Peer, handle: int) -> None:
        await peer.expect("action")
        await peer.send(referee.ended(handle, SEAT_B))

    async with joined_seat(script) as seat:
        with pytest.raises(MatchOver) as over:
            await seat.act(referee.decision(), referee.decision().decision.legal[0])
        assert over.value.ended.outcome.winner == SEAT_B
        assert seat.ended == over.value.ended


async def test_act_takes_no_answer_of_another_kind_for_its_own() -> None:
    async def script(peer: Peer, handle: int) -> None:
        item = await peer.expect("action")
        await peer.send(referee.ready_accepted(handle), referee.accepted(item))

    async with joined_seat(script) as seat:
        assert (await seat.act(referee.decision(), referee.decision().decision.legal[0])).HasField("accepted")


async def test_act_never_takes_the_answer_to_an_abandoned_question_for_its_own() -> None:
    first_arrived = asyncio.Event()

    async def script(peer: Peer, handle: int) -> None:
        first = await peer.expect("action")
        first_arrived.set()
        await peer.send(referee.rejected(first, 1))
        await peer.send(referee.accepted(await peer.expect("action")))

    async with joined_seat(script) as seat:
        observation = referee.decision()
        abandoned = asyncio.create_task(seat.act(observation, observation.decision.legal[0]))
        await first_arrived.wait()
        abandoned.cancel()
        with pytest.raises(asyncio.CancelledError):
            await abandoned
        assert (await seat.act(observation, observation.decision.legal[1])).HasField("accepted")


async def test_resign_returns_how_the_match_ended() -> None:
    async def script(peer: Peer, handle: int) -> None:
        await peer.expect("resign")
        await peer.send(referee.ended(handle, SEAT_B))

    async with joined_seat(script) as seat:
        assert seat.ended is None
        assert (await seat.resign()).outcome.winner == SEAT_B


async def test_resign_raises_the_problem() -> None:
    async def script(peer: Peer, handle: int) -> None:
        await peer.expect("resign")
        await peer.send(referee.problem(handle, code=9, reason="MATCH_ENDED"))

    async with joined_seat(script) as seat:
        with pytest.raises(ProblemError, match="MATCH_ENDED"):
            await seat.resign()


async def test_leave_ends_the_observations() -> None:
    async def script(peer: Peer, handle: int) -> None:
        await peer.expect("leave")
        await peer.send(detached(handle, session_pb2.DETACH_REASON_LEFT))

    async with joined_seat(script) as seat:
        await seat.leave()
        with pytest.raises(SeatDetached, match="LEFT"):
            await next_observation(seat)


def detached(handle: int, reason: session_pb2.DetachReason.ValueType) -> session_pb2.ResponseItem:
    return session_pb2.ResponseItem(handle=handle, detached=session_pb2.Detached(reason=reason, join_number=1))


async def test_leave_raises_seat_detached_when_another_session_was_faster() -> None:
    async def script(peer: Peer, handle: int) -> None:
        await peer.expect("leave")
        await peer.send(detached(handle, session_pb2.DETACH_REASON_REPLACED))

    async with joined_seat(script) as seat:
        with pytest.raises(SeatDetached, match="REPLACED"):
            await seat.leave()


async def test_observations_raise_seat_detached_when_another_session_takes_the_seat() -> None:
    async def script(peer: Peer, handle: int) -> None:
        await peer.send(
            referee.observed(handle, referee.decision()), detached(handle, session_pb2.DETACH_REASON_REPLACED)
        )

    async with joined_seat(script) as seat:
        await next_observation(seat)
        with pytest.raises(SeatDetached) as error:
            await next_observation(seat)
        assert error.value.reason == session_pb2.DETACH_REASON_REPLACED


async def test_observations_raise_a_problem_that_nobody_asked_for() -> None:
    async def script(peer: Peer, handle: int) -> None:
        await peer.send(referee.problem(handle, code=14, reason="MATCH_FROZEN"))

    async with joined_seat(script) as seat:
        with pytest.raises(ProblemError, match="MATCH_FROZEN"):
            await next_observation(seat)


async def test_observations_end_with_the_match() -> None:
    async def script(peer: Peer, handle: int) -> None:
        await peer.send(referee.observed(handle, referee.decision(5)), referee.observed(handle, referee.decision(8)))
        await peer.send(referee.ended(handle))
        await peer.send(referee.observed(handle, referee.decision(9)))

    async with joined_seat(script) as seat:
        assert [observation.sequence async for observation in seat.observations()] == [5, 8]
        assert seat.ended is not None
        assert seat.ended.sequence == 9
