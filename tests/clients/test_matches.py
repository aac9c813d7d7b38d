"""The client against the real referee."""

import asyncio
import io
import os
import re
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest
from unoduo.v1 import journal_pb2, match_pb2, outcome_pb2, ruleset_pb2, seat_pb2, session_pb2
from unoduo.v1.referee_service_pb2 import CreateMatchResponse
from unoduo_client import (
    Action,
    BotError,
    Ended,
    MatchOver,
    Observation,
    Organiser,
    ProblemError,
    RefereeError,
    SeatDetached,
    SessionLost,
    connect,
    play_many,
    play_seat,
)
from unoduo_client.baselines import BASELINES

from referee.audit.report import Status
from referee.audit.verify import Evidence, verify
from referee.log.journal import read_records
from referee.server.runtime import Running, serve
from referee.store.memory import MemoryStore

SEAT_A, SEAT_B = seat_pb2.SEAT_A, seat_pb2.SEAT_B
ONE_ROUND = ruleset_pb2.Ruleset(target=1)
PACKAGE = Path(__file__).parents[2] / "clients" / "python"


@pytest.fixture
async def running() -> AsyncIterator[Running]:
    async with serve(MemoryStore()) as running:
        yield running


@pytest.fixture
async def organiser(running: Running) -> AsyncIterator[Organiser]:
    async with Organiser(running.address) as organiser:
        yield organiser


async def create(organiser: Organiser, seed: bytes | None = None) -> CreateMatchResponse:
    return await organiser.create_match(["Ann", "Bob"], ruleset=ONE_ROUND, seed=seed)


async def assert_verified(organiser: Organiser, match: CreateMatchResponse, ended: Ended) -> None:
    """Checks that the replay re-decides to the outcome that the seats were told."""
    assert (await organiser.get_match(match.match_id)).outcome == ended.outcome
    report = verify(io.BytesIO(await organiser.fetch_replay(match.match_id)))
    assert report.status is Status.OK


@pytest.mark.parametrize("seed", [None, bytes(32)], ids=["fresh deal", "given deal"])
@pytest.mark.parametrize("delivery", [session_pb2.DELIVERY_EVERY_ENTRY, session_pb2.DELIVERY_ON_DECISION])
async def test_two_seats_play_on_one_session(
    running: Running, organiser: Organiser, seed: bytes | None, delivery: session_pb2.Delivery.ValueType
) -> None:
    match = await create(organiser, seed)
    async with connect(running.address) as session:
        seats = [
            await session.join(match.match_id, seat, token=token, delivery=delivery)
            for seat, token in zip((SEAT_A, SEAT_B), match.seat_tokens, strict=True)
        ]
        first, second = await play_many((seat, BASELINES["greedy"](None)) for seat in seats)
    assert isinstance(first, Ended)
    assert first == second
    assert first.outcome.termination == outcome_pb2.TERMINATION_TARGET
    await assert_verified(organiser, match, first)


async def test_two_seats_play_on_two_sessions(running: Running, organiser: Organiser) -> None:
    match = await create(organiser)

    async def play(seat: seat_pb2.Seat.ValueType, token: str, baseline: str) -> Ended:
        async with connect(running.address, token=token) as session:
            return await play_seat(await session.join(match.match_id, seat), BASELINES[baseline](1))

    token_a, token_b = match.seat_tokens
    first, second = await asyncio.gather(play(SEAT_A, token_a, "random"), play(SEAT_B, token_b, "greedy"))
    assert first == second
    await assert_verified(organiser, match, first)


async def test_twenty_matches_play_at_once_on_two_sessions(running: Running, organiser: Organiser) -> None:
    matches = [await create(organiser) for _ in range(20)]
    async with connect(running.address) as session_a, connect(running.address) as session_b:
        joins_a = (session_a.join(match.match_id, SEAT_A, token=match.seat_tokens[0]) for match in matches)
        joins_b = (session_b.join(match.match_id, SEAT_B, token=match.seat_tokens[1]) for match in matches)
        seats = await asyncio.gather(*joins_a, *joins_b)
        bots = [BASELINES["random"](seed) for seed in range(40)]
        results = await play_many(zip(seats, bots, strict=True))
    for match, first, second in zip(matches, results[:20], results[20:], strict=True):
        assert isinstance(first, Ended)
        assert first == second
        await assert_verified(organiser, match, first)


async def test_processes_play_a_match(running: Running, organiser: Organiser, tmp_path: Path) -> None:
    match = await create(organiser)

    async def play(program: tuple[str, ...], seat: str, token: str) -> str:
        arguments = ("--address", running.address, "--match", match.match_id.hex(), "--seat", seat)
        journal = ("--journal", str(tmp_path / f"{seat}.journal"))
        process = await asyncio.create_subprocess_exec(
            sys.executable, *program, *arguments, *journal, stdout=PIPE, stderr=PIPE,
            env=os.environ | {"UNODUO_SEAT_TOKEN": token},
        )  # fmt: skip
        out, err = await process.communicate()
        assert (process.returncode, err) == (0, b"")
        return out.decode()

    first_bot = (str(PACKAGE / "examples" / "first_bot.py"),)
    baseline = ("-m", "unoduo_client", "random", "--seed", "7")
    token_a, token_b = match.seat_tokens
    lines = await asyncio.gather(play(first_bot, "A", token_a), play(baseline, "B", token_b))
    outcome = (await organiser.get_match(match.match_id)).outcome
    score = rf"\(TARGET\), A {outcome.total_a} : {outcome.total_b} B after 1 round\n"
    verdicts = ("won", "lost") if outcome.winner == SEAT_A else ("lost", "won")
    for seat, line, verdict in zip("AB", lines, verdicts, strict=True):
        assert re.fullmatch(rf"match {match.number}, seat {seat}: {verdict} {score}", line)
        records = list(read_records(io.BytesIO((tmp_path / f"{seat}.journal").read_bytes())))
        assert journal_pb2.JournalRecord.FromString(records[-1]).ended.outcome == outcome


async def test_the_example_of_many_matches_in_the_readme_works(
    running: Running, organiser: Organiser, capsys: pytest.CaptureFixture[str]
) -> None:
    quoted = re.findall(r"```python\n(.*?)```", (PACKAGE / "README.md").read_text(), re.DOTALL)
    assert quoted[0] == (PACKAGE / "examples" / "first_bot.py").read_text()
    namespace: dict[str, object] = {}
    exec(quoted[1], namespace)
    main = namespace["main"]
    assert callable(main)
    matches = [await create(organiser) for _ in range(2)]
    async with connect(running.address) as session:
        seats = [await session.join(match.match_id, SEAT_B, token=match.seat_tokens[1]) for match in matches]
        opponents = play_many((seat, BASELINES["random"](1)) for seat in seats)
        await asyncio.gather(main(running.address, [(m.match_id, m.seat_tokens[0]) for m in matches]), opponents)
    assert capsys.readouterr().out.count("TERMINATION_TARGET") == 2


async def test_a_seat_that_resigns_loses(running: Running, organiser: Organiser) -> None:
    match = await create(organiser)
    async with connect(running.address) as session:
        seat_a = await session.join(match.match_id, SEAT_A, token=match.seat_tokens[0])
        seat_b = await session.join(match.match_id, SEAT_B, token=match.seat_tokens[1])
        opponent = asyncio.create_task(play_seat(seat_b, BASELINES["greedy"](None)))
        await seat_a.ready()
        ended = await seat_a.resign()
        assert await opponent == ended
        with pytest.raises(MatchOver):
            await seat_a.resign()
    assert ended.outcome.termination == outcome_pb2.TERMINATION_RESIGNATION
    assert ended.outcome.winner == SEAT_B


async def test_a_seat_that_left_can_be_taken_again(running: Running, organiser: Organiser) -> None:
    match = await create(organiser)
    async with connect(running.address) as session:
        first = await session.join(match.match_id, SEAT_A, token=match.seat_tokens[0])
        await first.leave()
        second = await session.join(match.match_id, SEAT_A, token=match.seat_tokens[0])
        third = await session.join(match.match_id, SEAT_A, token=match.seat_tokens[0])
        with pytest.raises(SeatDetached) as replaced:
            await anext(aiter(second.observations()))
        assert replaced.value.reason == session_pb2.DETACH_REASON_REPLACED
        await third.ready()


async def test_a_seat_that_resigns_has_proof_that_it_did(
    running: Running, organiser: Organiser, tmp_path: Path
) -> None:
    match = await create(organiser)
    journals = [tmp_path / "a.journal", tmp_path / "b.journal"]
    async with connect(running.address) as session:
        resigning, other = [
            await session.join(match.match_id, seat, token=token, journal=journal)
            for seat, token, journal in zip((SEAT_A, SEAT_B), match.seat_tokens, journals, strict=True)
        ]
        await asyncio.gather(resigning.ready(), other.ready())
        playing = asyncio.create_task(play_seat(other, BASELINES["greedy"](None)))
        ended = await resigning.resign()
        assert await playing == ended
    assert ended.outcome.termination == outcome_pb2.TERMINATION_RESIGNATION
    replay = await organiser.fetch_replay(match.match_id)
    report = verify(io.BytesIO(replay), Evidence(journals=tuple(io.BytesIO(path.read_bytes()) for path in journals)))
    assert report.status is Status.OK, report
    head, *records = [b"UNODUOJ\x02", *read_records(io.BytesIO(journals[0].read_bytes()))]
    kept = [data for data in records if not journal_pb2.JournalRecord.FromString(data).HasField("resign")]
    assert len(kept) == len(records) - 1
    without = head + b"".join(len(data).to_bytes(4, "big") + data for data in kept)
    assert verify(io.BytesIO(replay), Evidence(journals=(io.BytesIO(without),))).check == "ACTION"


async def test_a_wrong_token_is_a_problem_of_the_join(running: Running, organiser: Organiser) -> None:
    match = await create(organiser)
    async with connect(running.address) as session:
        with pytest.raises(ProblemError) as error:
            await session.join(match.match_id, SEAT_A, token=match.seat_tokens[1])
        assert error.value.code is grpc.StatusCode.PERMISSION_DENIED
        await session.join(match.match_id, SEAT_A, token=match.seat_tokens[0])


async def test_a_wrong_token_of_the_caller_ends_the_session(running: Running) -> None:
    with pytest.raises(SessionLost) as lost:
        async with connect(running.address, token="nonsense"):
            pytest.fail("the referee refuses")
    assert (lost.value.code, lost.value.reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN")


async def test_a_bot_of_illegal_actions_is_told_the_clause(running: Running, organiser: Organiser) -> None:
    match = await create(organiser)
    asked = []

    def bot(observation: Observation) -> Action:
        asked.append(observation.decision.tries_left)
        action = Action()
        action.catch.SetInParent()
        return action

    async with connect(running.address) as session:
        seat_a = await session.join(match.match_id, SEAT_A, token=match.seat_tokens[0])
        seat_b = await session.join(match.match_id, SEAT_B, token=match.seat_tokens[1])
        with pytest.raises(BotError, match=r"WRONG_PHASE \(R\d+\.\d+\): "):
            await asyncio.gather(play_seat(seat_a, bot), play_seat(seat_b, bot))
    assert asked == sorted(asked, reverse=True)
    assert len(asked) == asked[0]


async def test_organiser_raises_what_the_referee_refuses(organiser: Organiser) -> None:
    with pytest.raises(RefereeError) as error:
        await organiser.create_match(["Ann"])
    assert error.value.code is grpc.StatusCode.INVALID_ARGUMENT
    assert error.value.field == "players"
    match = await create(organiser)
    with pytest.raises(RefereeError) as error:
        await organiser.fetch_replay(match.match_id)
    assert error.value.reason == "REPLAY_NOT_AVAILABLE"


async def test_organiser_lists_matches_by_number(organiser: Organiser) -> None:
    created = [await create(organiser) for _ in range(5)]
    listed = [match async for match in organiser.list_matches(page_size=2)]
    assert [match.match_id for match in listed] == [match.match_id for match in created]
    assert [match.number for match in listed] == [1, 2, 3, 4, 5]
    assert all(match.lifecycle == match_pb2.LIFECYCLE_CREATED for match in listed)
