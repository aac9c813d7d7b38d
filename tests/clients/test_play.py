import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from unoduo.v1 import seat_pb2
from unoduo_client import Action, BotError, Ended, Observation, SeatSession, SessionLost, connect, play_many, play_seat

from tests.clients import scripted as referee
from tests.clients.scripted import MATCH_ID, Peer, scripted


def first_legal(observation: Observation) -> Action:
    return observation.decision.legal[0]


@asynccontextmanager
async def joined_seat(script: Callable[[Peer, int], Awaitable[None]]) -> AsyncIterator[SeatSession]:
    """Joins a seat; the script begins when it is ready."""

    async def whole_script(peer: Peer) -> None:
        await script(peer, await peer.play())
        await peer.wait_for_the_end()

    async with scripted(whole_script) as address, connect(address) as session:
        yield await session.join(MATCH_ID, seat_pb2.SEAT_A)


async def test_play_seat_asks_the_bot_for_decisions_only() -> None:
    async def script(peer: Peer, handle: int) -> None:
        await peer.send(referee.observed(handle, Observation(sequence=4)))
        for sequence in (5, 7):
            await peer.send(referee.observed(handle, referee.decision(sequence)))
            item = await peer.expect("action")
            assert item.action.decision_id == sequence
            await peer.send(referee.accepted(item))
        await peer.send(referee.ended(handle))

    asked = []

    def bot(observation: Observation) -> Action:
        asked.append(observation.sequence)
        return first_legal(observation)

    async with joined_seat(script) as seat:
        ended = await play_seat(seat, bot)
    assert ended.outcome.winner == seat_pb2.SEAT_A
    assert asked == [5, 7]


async def test_play_seat_awaits_a_bot_that_is_a_coroutine_function() -> None:
    async def script(peer: Peer, handle: int) -> None:
        await peer.send(referee.observed(handle, referee.decision()))
        await peer.send(referee.accepted(await peer.expect("action")), referee.ended(handle))

    async def bot(observation: Observation) -> Action:
        await asyncio.sleep(0)
        return first_legal(observation)

    async with joined_seat(script) as seat:
        assert (await play_seat(seat, bot)).sequence == 9


async def test_play_seat_asks_again_after_a_rejection() -> None:
    async def script(peer: Peer, handle: int) -> None:
        await peer.send(referee.observed(handle, referee.decision(tries_left=3)))
        item = await peer.expect("action")
        assert item.action.action.HasField("play")
        await peer.send(referee.rejected(item, 2))
        item = await peer.expect("action")
        assert item.action.action.HasField("draw")
        await peer.send(referee.accepted(item), referee.ended(handle))

    def bot(observation: Observation) -> Action:
        return observation.decision.legal[3 - observation.decision.tries_left]

    async with joined_seat(script) as seat:
        assert (await play_seat(seat, bot)).sequence == 9


async def test_play_seat_raises_bot_error_with_the_clause_when_the_tries_are_used_up() -> None:
    async def script(peer: Peer, handle: int) -> None:
        await peer.send(referee.observed(handle, referee.decision(tries_left=3)))
        for tries_left in (2, 1, 0):
            await peer.send(referee.rejected(await peer.expect("action"), tries_left))

    async with joined_seat(script) as seat:
        with pytest.raises(
            BotError, match=r"CARD_NOT_HELD \(R13\.3\): the card is not in the hand; see: unoduo rules R13\.3"
        ):
            await play_seat(seat, first_legal)


async def test_play_seat_goes_on_after_a_stale_action() -> None:
    async def script(peer: Peer, handle: int) -> None:
        await peer.send(referee.observed(handle, referee.decision(5)))
        await peer.send(referee.stale(await peer.expect("action")), referee.observed(handle, referee.decision(7)))
        await peer.send(referee.accepted(await peer.expect("action")), referee.ended(handle))

    async with joined_seat(script) as seat:
        assert (await play_seat(seat, first_legal)).sequence == 9


async def test_play_seat_tells_the_bot_every_event_once() -> None:
    """History and news come without a decision, too."""

    async def script(peer: Peer, handle: int) -> None:
        history = Observation(sequence=2)
        history.events.add(sequence=1)
        history.events.add(sequence=2)
        asking = referee.decision(3)
        asking.events.add(sequence=3)
        await peer.send(referee.observed(handle, history), referee.observed(handle, asking))
        await peer.send(referee.accepted(await peer.expect("action")), referee.observed(handle, referee.decision(4)))
        await peer.send(referee.accepted(await peer.expect("action")), referee.ended(handle))

    told = []

    def bot(observation: Observation) -> Action:
        told.append([event.sequence for event in observation.events])
        return first_legal(observation)

    async with joined_seat(script) as seat:
        await play_seat(seat, bot)
    assert told == [[1, 2, 3], []]


async def test_play_seat_asks_a_slow_bot_for_the_open_decision_alone() -> None:
    thinks, asked = asyncio.Event(), []

    async def script(peer: Peer, handle: int) -> None:
        await peer.send(referee.observed(handle, referee.decision(5)))
        await thinks.wait()
        missed = referee.decision(7)
        missed.events.add(sequence=7)
        await peer.send(referee.observed(handle, missed), referee.observed(handle, referee.decision(9)))
        for answer in (referee.stale, referee.accepted):
            await peer.send(answer(await peer.expect("action")))
        await peer.send(referee.ended(handle))

    async def bot(observation: Observation) -> Action:
        asked.append((observation.sequence, [event.sequence for event in observation.events]))
        thinks.set()
        while not seat.has_news and len(asked) == 1:  # noqa: ASYNC110 - a bot that is late, however fast the machine
            await asyncio.sleep(0.01)
        return first_legal(observation)

    async with joined_seat(script) as seat:
        await play_seat(seat, bot)
    assert asked == [(5, []), (9, [7])]


async def test_play_seat_ends_with_the_match_while_the_bot_thinks_for_ever() -> None:
    thinks, given_up = asyncio.Event(), []

    async def script(peer: Peer, handle: int) -> None:
        await peer.send(referee.observed(handle, referee.decision()))
        await thinks.wait()
        await peer.send(referee.ended(handle))

    async def bot(observation: Observation) -> Action:
        thinks.set()
        try:
            return await asyncio.Future()
        except asyncio.CancelledError:
            given_up.append(observation.sequence)
            raise

    async with joined_seat(script) as seat:
        assert (await play_seat(seat, bot)).sequence == 9
    assert given_up == [5]


async def test_play_seat_returns_when_the_match_ends_while_the_bot_answers() -> None:
    async def script(peer: Peer, handle: int) -> None:
        await peer.send(referee.observed(handle, referee.decision()))
        await peer.expect("action")
        await peer.send(referee.ended(handle))

    async with joined_seat(script) as seat:
        assert (await play_seat(seat, first_legal)).sequence == 9


async def test_play_seat_raises_bot_error_for_what_is_no_action() -> None:
    async def script(peer: Peer, handle: int) -> None:
        await peer.send(referee.observed(handle, referee.decision()))

    async with joined_seat(script) as seat:
        with pytest.raises(BotError, match="returned NoneType, not an Action"):
            await play_seat(seat, lambda observation: None)  # type: ignore[arg-type, return-value]


async def test_play_seat_passes_on_what_the_bot_raises() -> None:
    async def script(peer: Peer, handle: int) -> None:
        await peer.send(referee.observed(handle, referee.decision()))

    def bot(observation: Observation) -> Action:
        raise ZeroDivisionError

    async with joined_seat(script) as seat:
        with pytest.raises(ZeroDivisionError):
            await play_seat(seat, bot)


async def test_play_many_keeps_the_failure_of_one_bot_from_the_others() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        handles = [await peer.seat() for _ in range(3)]
        for _ in handles:
            await peer.send(referee.ready_accepted((await peer.expect("ready")).handle))
        await peer.send(*(referee.observed(handle, referee.decision()) for handle in handles))
        for _ in range(2):
            item = await peer.expect("action")
            assert item.handle != handles[1]
            await peer.send(referee.accepted(item), referee.ended(item.handle))
        await peer.wait_for_the_end()

    def bad_bot(observation: Observation) -> Action:
        raise ZeroDivisionError

    async with scripted(script) as address, connect(address) as session:
        seats = [await session.join(MATCH_ID, seat_pb2.SEAT_A) for _ in range(3)]
        results = await play_many(zip(seats, (first_legal, bad_bot, first_legal), strict=True))
    assert [type(result) for result in results] == [Ended, ZeroDivisionError, Ended]


async def test_play_many_reports_a_lost_session_for_every_seat() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.seat()
        await peer.seat()

    async with scripted(script) as address, connect(address, patience=0) as session:
        seats = [await session.join(MATCH_ID, seat_pb2.SEAT_A) for _ in range(2)]
        results = await play_many((seat, first_legal) for seat in seats)
    assert [type(result) for result in results] == [SessionLost, SessionLost]
