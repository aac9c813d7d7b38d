"""Fifty matches at once, on two sessions, on every store; and rivals that misbehave."""

import asyncio
from collections.abc import Callable
from io import BytesIO
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from unoduo.v1 import match_pb2, session_pb2
from unoduo.v1 import referee_service_pb2 as pb
from unoduo.v1.action_pb2 import Action

from referee.audit.report import Status
from referee.audit.verify import verify
from referee.store.base import Store
from referee.store.memory import MemoryStore
from referee.store.sqlite import SqliteStore
from tests.e2e.hostile import MALFORMED
from tests.server.wire import Item, Referee, Session, action_item, h0, join_item, play_seats, referee

MATCHES = 50
# Enough for every kind of action, and short enough for a disk that takes its time.
TURNS = 60


def _memory(directory: Path) -> Store:
    return MemoryStore()


def _sqlite(directory: Path) -> Store:
    return SqliteStore(directory / "store")


async def _join_all(session: Session, matches: list[pb.CreateMatchResponse], seat: int) -> dict[int, Any]:
    """Joins one seat of every match and declares it ready, all in one request each."""
    handles = dict(enumerate(matches, 1))
    await session.send(*[join_item(handle, match, seat) for handle, match in handles.items()])
    for _ in handles:
        await session.until("joined")
    await session.send(
        *[
            Item(handle=handle, ready=session_pb2.Ready(h0=h0(match.header), entropy=bytes([seat, handle])))
            for handle, match in handles.items()
        ]
    )
    return handles


def _random_choice(seed: int) -> Callable[[Any], Action]:
    random = Random(seed)
    return lambda decision: random.choice(decision.legal)


async def _verified(host: Referee, matches: list[pb.CreateMatchResponse]) -> None:
    for match in matches:
        report = verify(BytesIO(await host.replay(match.match_id)))
        assert report.status is Status.OK, report
        assert report.number == match.number


@pytest.mark.parametrize("make_store", [_memory, _sqlite], ids=["memory", "sqlite"])
async def test_fifty_matches_on_two_sessions_all_end_and_verify(
    make_store: Callable[[Path], Store], tmp_path: Path
) -> None:
    async with referee(make_store(tmp_path)) as host:
        matches = [await host.create(turn_cap=TURNS) for _ in range(MATCHES)]
        one, two = host.session(), host.session()
        first, second = await _join_all(one, matches, 1), await _join_all(two, matches, 2)
        ends, rival_ends = await asyncio.gather(
            play_seats(one, first, _random_choice(1)), play_seats(two, second, _random_choice(2))
        )
        assert ends == rival_ends
        for session in (one, two):
            await session.call.done_writing()
            assert (await session.end())[1] == ""
            assert max(session.message_sizes) <= 32 * 1024
            assert len(session.items) > len(session.message_sizes)
        await _verified(host, matches)
        listed = await host.stub.ListMatches(pb.ListMatchesRequest())
        assert {match.lifecycle for match in listed.matches} == {match_pb2.LIFECYCLE_ENDED}


async def test_garbage_of_one_seat_disturbs_no_other_match() -> None:
    async with referee() as host:
        matches = [await host.create(turn_cap=TURNS) for _ in range(8)]
        garbage, sound = host.session(), host.session()
        first, second = await _join_all(garbage, matches, 1), await _join_all(sound, matches, 2)
        worker = asyncio.create_task(play_seats(sound, second, _random_choice(2)))
        await _play_with_garbage(garbage, set(first), _random_choice(1))
        ends = await asyncio.wait_for(worker, 30)
        assert len(ends) == 8
        assert all(not item.HasField("problem") for item in sound.items)
        assert all(item.action_result.HasField("accepted") for item in sound.items if item.HasField("action_result"))
        await _verified(host, matches)


async def _play_with_garbage(session: Session, open_handles: set[int], choose: Callable[[Any], Action]) -> None:
    """Plays every seat, and sends around each answer what no referee should choke on."""
    numbers = count()
    while open_handles:
        item = await session.next()
        if item.HasField("ended"):
            open_handles.discard(item.handle)
        if not item.observation.HasField("decision"):
            continue
        decision_id, handle, number = item.observation.decision.decision_id, item.handle, next(numbers)
        wrong = MALFORMED[number % len(MALFORMED)]
        await session.send(
            Item(handle=handle),
            action_item(handle, decision_id, wrong.action, wrong.action_id),
            action_item(handle, decision_id + 1, choose(item.observation.decision), f"stale-{number}"),
            Item(handle=99, resign=session_pb2.Resign()),
            action_item(handle, decision_id, choose(item.observation.decision), f"answer-{number}"),
        )


async def test_silent_bot_has_default_actions_taken_and_the_match_ends() -> None:
    async with referee() as host:
        match = await host.create(time_control=match_pb2.TimeControl(limit_ms=1))
        talker, silent = host.session(), host.session()
        a, b = await talker.join(match, 1), await silent.join(match, 2)
        await talker.ready(a, match)
        await silent.ready(b, match)
        ended = await silent.until("ended", b)
        assert ended.outcome.termination in (1, 2)
        assert list(ended.outcome.faulted) == []
        timed_out = {
            event.event.timed_out.seat
            for item in silent.items
            for event in item.observation.events
            if event.event.HasField("timed_out")
        }
        assert timed_out == {1, 2}
        await _verified(host, [match])


async def test_bot_that_hangs_up_leaves_a_match_that_ends() -> None:
    async with referee() as host:
        match = await host.create(time_control=match_pb2.TimeControl(limit_ms=20))
        gone, stays = host.session(), host.session()
        a, b = await gone.join(match, 1), await stays.join(match, 2)
        await gone.ready(a, match)
        await stays.ready(b, match)
        await gone.until("observation", a)
        gone.call.cancel()
        await asyncio.wait_for(play_seats(stays, {b: match}, lambda decision: decision.legal[0]), 60)
        await _verified(host, [match])
