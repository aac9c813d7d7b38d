"""The client against the real referee over a network that fails and through restarts of the referee."""

import asyncio
import io
import random
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from unoduo.v1 import match_pb2, ruleset_pb2, seat_pb2, session_pb2
from unoduo.v1.referee_service_pb2 import CreateMatchResponse
from unoduo_client import (
    Action,
    Ended,
    Observation,
    Organiser,
    SeatDetached,
    SeatSession,
    SessionLost,
    connect,
    play_by_polling,
    play_many,
    play_seat,
)
from unoduo_client.baselines import BASELINES
from unoduo_client.play import Bot

from referee.audit.report import Status
from referee.audit.verify import Evidence, verify
from referee.server.runtime import serve
from referee.store.memory import MemoryStore
from referee.store.sqlite import SqliteStore
from tests.clients.test_journal import records
from tests.faults.proxy import Cut, Direction, Harm, Proxy, proxy

SEATS = (seat_pb2.SEAT_A, seat_pb2.SEAT_B)
ONE_ROUND = ruleset_pb2.Ruleset(target=1)
CONTROL = match_pb2.TimeControl(limit_ms=30_000, reconnect_grace_ms=30_000)
GREEDY = BASELINES["greedy"](None)


async def create(address: str, bots: tuple[str, str] = ("", "")) -> CreateMatchResponse:
    async with Organiser(address) as organiser:
        return await organiser.create_match(["Ann", "Bob"], ruleset=ONE_ROUND, time_control=CONTROL, bots=bots)


async def check(address: str, match: CreateMatchResponse, *journals: Path) -> None:
    """Checks that the replay verifies, and that each journal has every event once, in order."""
    async with Organiser(address) as organiser:
        evidence = Evidence(journals=tuple(io.BytesIO(journal.read_bytes()) for journal in journals))
        report = verify(io.BytesIO(await organiser.fetch_replay(match.match_id)), evidence)
        last = (await organiser.get_match(match.match_id)).sequence
    assert report.status is Status.OK, report
    for journal in journals:
        kept = records(journal)
        events = [event.sequence for record in kept for event in record.observation.events]
        assert events == list(range(1, last + 1))
        kinds = [record.WhichOneof("kind") for record in kept]
        assert (kinds[0], kinds[-1], kinds.count("joined")) == ("joined", "ended", 1)
        results = [record.action_result for record in kept if record.HasField("action_result")]
        assert len({(result.decision_id, result.action_id) for result in results}) == len(results)
        assert all(result.HasField("accepted") for result in results)


@pytest.mark.parametrize("delivery", [session_pb2.DELIVERY_EVERY_ENTRY, session_pb2.DELIVERY_ON_DECISION])
async def test_matches_go_on_over_connections_that_are_cut_anywhere(
    tmp_path: Path, delivery: session_pb2.Delivery.ValueType
) -> None:
    chance = random.Random(delivery)

    def harm() -> Harm:
        return Harm(Cut(chance.choice(list(Direction)), chance.randrange(200, 3_000)))

    async with serve(MemoryStore()) as running, proxy(running.address, harm) as network:
        matches = [await create(running.address) for _ in range(3)]
        async with connect(network.address, patience=60) as one, connect(network.address, patience=60) as other:
            seats = []
            for match in matches:
                for session, seat, token in zip((one, other), SEATS, match.seat_tokens, strict=True):
                    path = tmp_path / f"{match.number}-{seat}"
                    seats.append(await session.join(match.match_id, seat, token=token, delivery=delivery, journal=path))
            results = await play_many((seat, GREEDY) for seat in seats)
        assert [type(result) for result in results] == [Ended] * 6
        assert network.cuts > 3
        for match in matches:
            await check(running.address, match, *(tmp_path / f"{match.number}-{seat}" for seat in SEATS))


def acting_after(count: int, act: Callable[[], Awaitable[None]]) -> Bot:
    """Returns a bot that does something before its decision of that number."""
    asked = 0

    async def bot(observation: Observation) -> Action:
        nonlocal asked
        asked += 1
        if asked == count:
            await act()
        return GREEDY(observation)

    return bot


async def test_matches_go_on_after_the_referee_was_started_again(tmp_path: Path) -> None:
    stop, stopped = asyncio.Event(), asyncio.Event()

    async def restart() -> None:
        stop.set()
        await stopped.wait()

    async def play(match: CreateMatchResponse, address: str) -> list[Ended | Exception]:
        async with connect(address) as one, connect(address) as other:
            seats = [
                await session.join(match.match_id, seat, token=token, journal=tmp_path / f"{seat}.journal")
                for session, seat, token in zip((one, other), SEATS, match.seat_tokens, strict=True)
            ]
            return await play_many(zip(seats, (acting_after(5, restart), GREEDY), strict=True))

    async with serve(SqliteStore(tmp_path / "store")) as running:
        match = await create(running.address)
        playing = asyncio.create_task(play(match, running.address))
        await stop.wait()
    stopped.set()
    async with serve(SqliteStore(tmp_path / "store"), port=running.port) as running:
        first, second = await playing
        assert isinstance(first, Ended)
        assert first == second
        await check(running.address, match, *(tmp_path / f"{seat}.journal" for seat in SEATS))


async def test_a_seat_that_polls_plays_against_one_with_a_session_and_through_cuts() -> None:
    networks: list[Proxy] = []

    async def cut() -> None:
        networks[0].cut()

    async with serve(MemoryStore()) as running, proxy(running.address) as network:
        networks.append(network)
        match = await create(running.address)
        token_a, token_b = match.seat_tokens
        async with connect(running.address) as session:
            seat = await session.join(match.match_id, SEATS[1], token=token_b)
            polled, played = await asyncio.gather(
                play_by_polling(network.address, match.match_id, SEATS[0], token_a, acting_after(3, cut)),
                play_seat(seat, GREEDY),
            )
        assert polled == played
        assert network.cuts
        await check(running.address, match)


async def test_bots_play_every_match_that_is_assigned_to_them() -> None:
    async with serve(MemoryStore()) as running, Organiser(running.address) as organiser:
        tokens = [await organiser.revoke_bot_token(name) for name in ("annbot", "bobbot")]
        before = await create(running.address, ("annbot", "bobbot"))
        async with connect(running.address, token=tokens[0]) as ann, connect(running.address, token=tokens[1]) as bob:
            assignments = ann.assignments(), bob.assignments()
            for match in (before, await create(running.address, ("annbot", "bobbot"))):
                seats: list[tuple[SeatSession, Bot]] = []
                for session, assigned in zip((ann, bob), assignments, strict=True):
                    told = await anext(assigned)
                    assert told.match_id == match.match_id
                    assert len(told.bot_seed) == 32
                    seats.append((await session.join(told.match_id, told.seat), GREEDY))
                first, second = await play_many(seats)
                assert isinstance(first, Ended)
                assert first == second


async def test_a_replaced_or_revoked_seat_stays_away() -> None:
    async with serve(MemoryStore()) as running, Organiser(running.address) as organiser:
        match = await create(running.address)
        async with connect(running.address) as one, connect(running.address) as other:
            old = await one.join(match.match_id, SEATS[0], token=match.seat_tokens[0])
            new = await other.join(match.match_id, SEATS[0], token=match.seat_tokens[0])
            with pytest.raises(SeatDetached, match="REPLACED"):
                await old.ready()
            await new.ready()
            await organiser.revoke_seat_token(match.match_id, SEATS[0])
            with pytest.raises((SeatDetached, SessionLost)):
                await anext(aiter(new.observations()))


async def test_a_spectator_sees_the_whole_match_through_cuts() -> None:
    async with serve(MemoryStore()) as running, proxy(running.address) as network:
        match = await create(running.address)
        async with connect(running.address) as session, Organiser(network.address) as organiser:
            seats = [
                await session.join(match.match_id, seat, token=token)
                for seat, token in zip(SEATS, match.seat_tokens, strict=True)
            ]
            playing = asyncio.create_task(play_many((seat, GREEDY) for seat in seats))
            events, ends = [], []
            async for told in organiser.watch(match.match_id):
                events += [event.sequence for event in told.events]
                ends.append(told.HasField("ended"))
                if len(ends) in (1, 4):
                    network.cut()
            await playing
    assert events == list(range(1, events[-1] + 1))
    assert ends == [False] * (len(ends) - 1) + [True]
