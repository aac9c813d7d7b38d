"""A referee bug in one match ends that match, and nothing else of the sessions and calls that it comes up in."""

import asyncio

import grpc
import pytest
from unoduo.v1 import match_pb2, outcome_pb2, session_pb2
from unoduo.v1 import referee_service_pb2 as pb

from referee.match.seats import Attachment
from tests.server.identity import SEAT_A
from tests.server.wire import PATIENCE_S, Referee, play_seats, reason_of, referee

pytestmark = pytest.mark.sources


def break_match(host: Referee, match: pb.CreateMatchResponse, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets a match fail as soon as a seat is told something."""

    def fail(attachment: Attachment) -> bytes:
        raise RuntimeError("a bug")

    actor = host.running.registry.actor(match.number)
    assert actor is not None
    monkeypatch.setattr(actor._teller, "next_item", fail)


async def summary(host: Referee, match: pb.CreateMatchResponse) -> match_pb2.MatchSummary:
    answer: pb.GetMatchResponse = await host.stub.GetMatch(pb.GetMatchRequest(match_id=match.match_id))
    return answer.match


async def test_other_seats_of_the_session_go_on_and_the_match_ends_void(monkeypatch: pytest.MonkeyPatch) -> None:
    async with referee() as host:
        broken, sound = await host.create(), await host.create()
        session = host.session()
        lost = [await session.join(broken, seat) for seat in (1, 2)]
        played = {await session.join(sound, seat): sound for seat in (1, 2)}
        break_match(host, broken, monkeypatch)
        for handle in lost:
            await session.ready(handle, broken)
        for handle in lost:
            assert (await session.until("detached", handle)).reason == session_pb2.DETACH_REASON_MATCH_FROZEN
        for handle in played:
            await session.ready(handle, sound)
        ended = await play_seats(session, played, lambda decision: decision.legal[0])
        assert set(ended) == set(played)
        left = await summary(host, broken)
        async with asyncio.timeout(PATIENCE_S):
            while left.lifecycle != match_pb2.LIFECYCLE_ENDED:
                await asyncio.sleep(0.05)
                left = await summary(host, broken)
        assert left.outcome.termination == outcome_pb2.TERMINATION_VOID_REFEREE


async def test_bug_in_what_a_match_that_is_over_tells_gives_nothing_up_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    async with referee() as host:
        match = await host.create()
        session = host.session()
        handles = {await session.join(match, seat): match for seat in (1, 2)}
        actor = host.running.registry.actor(match.number)
        assert actor is not None

        def fail(handle: int) -> bytes:
            raise RuntimeError("a bug")

        for handle in handles:
            await session.ready(handle, match)
        seal = type(actor)._seal

        async def sealed(*arguments: object) -> None:
            await seal(*arguments)  # type: ignore[arg-type]
            monkeypatch.setattr(actor._teller, "ended", fail)

        monkeypatch.setattr(type(actor), "_seal", sealed)
        await session.send(session_pb2.RequestItem(handle=1, resign=session_pb2.Resign()))
        for handle in handles:
            assert (await session.until("detached", handle)).reason == session_pb2.DETACH_REASON_MATCH_FROZEN
        again = await session.join(match, 1)
        assert (await session.until("ended", again)).outcome.winner == 2


async def test_call_that_waits_ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async with referee() as host:
        match = await host.create()
        session = host.session()
        for seat in (1, 2):
            await session.ready(await session.join(match, seat), match)
        await session.until("observation")
        break_match(host, match, monkeypatch)
        request = pb.ActRequest(
            match_id=match.match_id, seat=SEAT_A, seat_token=match.seat_tokens[0], after_sequence=0, wait_ms=30_000
        )
        async with asyncio.timeout(PATIENCE_S):
            with pytest.raises(grpc.aio.AioRpcError) as error:
                await host.stub.Act(request)
        assert reason_of(error.value) == "MATCH_FROZEN"
