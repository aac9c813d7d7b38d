"""`Act`: the whole of a session for one seat, in single steps."""

import asyncio
from io import BytesIO

import grpc
from unoduo.v1 import match_pb2, session_pb2
from unoduo.v1.action_pb2 import Action, Draw

from referee.audit.report import Status
from referee.audit.verify import verify
from tests.server.polling import KEEP, Poller, refusal_of, started, submitted
from tests.server.wire import action_item, h0, play_seats, referee


async def test_bots_that_only_loop_over_it_play_a_whole_match() -> None:
    async with referee() as host:
        match = await host.create()
        a, b = Poller(host, match, 1), Poller(host, match, 2)
        ended = await asyncio.gather(a.play(), b.play())
        assert ended[0] == ended[1]
        assert a.sequences == b.sequences == list(range(1, ended[0].sequence + 1))
        assert a.head == ended[0].head
        report = verify(BytesIO(await host.replay(match.match_id)))
        assert (report.status, report.sequence) == (Status.OK, ended[0].sequence)


async def test_first_step_brings_the_header_and_no_history() -> None:
    async with referee() as host:
        asked, other, _ = await started(host)
        response = await Poller(host, asked.match, asked.seat).act(wait_ms=10_000)
        assert response.joined.header == asked.match.header
        assert (response.joined.seat, response.joined.join_number) == (asked.seat, 0)
        assert response.lifecycle == match_pb2.LIFECYCLE_PLAYING
        told = response.observation
        assert (len(told.events), told.sequence, told.caught_up) == (0, 4, True)
        assert told.HasField("view")
        assert told.decision.decision_id == 4
        bystander = await Poller(host, other.match, other.seat).act()
        assert bystander.observation.HasField("view")
        assert not bystander.observation.HasField("decision")


async def test_step_before_the_start_has_nothing_to_tell() -> None:
    async with referee() as host:
        poller = Poller(host, await host.create(), 1)
        response = await poller.act()
        assert response.lifecycle == match_pb2.LIFECYCLE_CREATED
        assert response.HasField("joined")
        assert not response.HasField("observation")
        response = await poller.ready(0)
        assert not response.HasField("joined")
        assert response.ready_accepted.h0 == h0(poller.match.header)


async def test_decision_is_told_again_until_it_is_answered() -> None:
    async with referee() as host:
        asked, _, told = await started(host)
        assert [event.sequence for event in told.observation.events] == [1, 2, 3, 4]
        again = await asked.go_on()
        assert list(again.observation.events) == []
        assert again.observation.decision.decision_id == 4
        rejected = await asked.go_on(action=submitted(4, Action(draw=Draw())))
        assert rejected.action_result.rejected.clause
        assert rejected.observation.decision.tries_left < again.observation.decision.tries_left


async def test_wait_that_is_over_brings_the_news_so_far() -> None:
    async with referee() as host:
        asked, other, _ = await started(host)
        waiting = asyncio.create_task(other.go_on(1_500))
        await asyncio.sleep(0.2)
        accepted = await asked.go_on(0, action=submitted(4, KEEP))
        assert accepted.action_result.accepted.first_sequence == 5
        told = (await waiting).observation
        assert told.events[0].sequence == 5


async def test_history_comes_a_page_at_a_time_at_once() -> None:
    async with referee() as host:
        match = await host.create()
        await asyncio.gather(Poller(host, match, 1).play(), Poller(host, match, 2).play())
        late = Poller(host, match, 1)
        responses = [await late.go_on(30_000)]
        while not responses[-1].HasField("ended"):
            responses.append(await late.go_on(30_000))
        assert late.sequences == list(range(1, late.sequence + 1))
        assert len(responses) > 2
        assert not any(response.observation.caught_up for response in responses[:-1])
        assert responses[-1].lifecycle == match_pb2.LIFECYCLE_ENDED
        assert (await late.act()).HasField("ended")


async def test_giving_up_is_answered_by_the_end() -> None:
    async with referee() as host:
        asked, other, _ = await started(host)
        waiting = asyncio.create_task(asked.act(after_sequence=4, head=asked.head, wait_ms=0, resign={}))
        ended = (await waiting).ended
        assert ended.outcome.winner == other.seat
        while not (told := await other.go_on()).HasField("ended"):
            pass
        assert told.ended == ended
        assert other.sequences == [1, 2, 3, 4, 5, 6]
        assert await refusal_of(other.act(resign={})) == (grpc.StatusCode.FAILED_PRECONDITION, "MATCH_ENDED", "")


async def test_session_keeps_its_hold_and_both_are_told() -> None:
    async with referee() as host:
        match = await host.create()
        session = host.session()
        held = {1: await session.join(match, 1), 2: await session.join(match, 2)}
        for handle in held.values():
            await session.ready(handle, match)
        a, b = Poller(host, match, 1), Poller(host, match, 2)
        told = [await one.go_on(0) for one in (a, b)]
        asked, other = (a, b) if told[0].observation.HasField("decision") else (b, a)
        await session.until("observation", held[asked.seat])

        waiting = asyncio.create_task(other.go_on())
        response = await asked.go_on(0, action=submitted(4, KEEP))
        assert response.action_result.HasField("accepted")
        observation = (await waiting).observation
        assert observation.decision.decision_id > 4
        while (seen := await session.until("observation", held[other.seat])).sequence < observation.sequence:
            pass
        assert seen.decision.decision_id == observation.decision.decision_id

        waiting = asyncio.create_task(asked.go_on())
        await session.send(action_item(held[other.seat], observation.decision.decision_id, KEEP))
        assert (await session.until("action_result", held[other.seat])).HasField("accepted")
        assert (await waiting).observation.HasField("decision")
        await session.alive()
        assert not [item for item in session.items if item.HasField("detached")]


async def test_session_plays_on_to_the_end_beside_steps() -> None:
    async with referee() as host:
        match = await host.create()
        session = host.session()
        a, b = await session.join(match, 1), await session.join(match, 2)
        await session.ready(a, match)
        await session.ready(b, match)
        watcher = Poller(host, match, 1)

        async def watch() -> session_pb2.Ended:
            while not (response := await watcher.go_on(50)).HasField("ended"):
                pass
            return response.ended

        ended, seen = await asyncio.gather(
            play_seats(session, {a: match, b: match}, lambda decision: decision.legal[0]), watch()
        )
        assert ended[a] == seen
        assert watcher.sequences == list(range(1, seen.sequence + 1))
