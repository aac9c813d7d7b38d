"""`Act`: the whole of a session for one seat, in single steps."""

import asyncio
from collections.abc import Awaitable, Callable
from io import BytesIO
from typing import Any

import grpc
import pytest
from unoduo.v1 import match_pb2, session_pb2
from unoduo.v1 import referee_service_pb2 as pb
from unoduo.v1.action_pb2 import Action, Draw, KeepOffered

from referee.audit.report import Status
from referee.audit.verify import verify
from referee.server.limits import Limits
from referee.server.runtime import serve
from referee.store.memory import MemoryStore
from tests.server.wire import Referee, action_item, h0, info_of, play_seats, referee

_KEEP = Action(keep_offered=KeepOffered())


class Poller:
    """A bot of one seat that knows where it is, and calls `Act` for each step."""

    def __init__(self, host: Referee, match: pb.CreateMatchResponse, seat: int) -> None:
        self.host = host
        self.match = match
        self.seat = seat
        self.sequence = 0
        self.head = b""
        self.sequences: list[int] = []

    def request(self, **fields: Any) -> pb.ActRequest:
        match, seat = self.match, self.seat
        given: dict[str, Any] = {"match_id": match.match_id, "seat": seat, "seat_token": match.seat_tokens[seat - 1]}
        return pb.ActRequest(**(given | fields))

    async def act(self, **fields: Any) -> pb.ActResponse:
        """Makes one step, and keeps in mind what is told."""
        response: pb.ActResponse = await self.host.stub.Act(self.request(**fields), timeout=20)
        if response.HasField("observation"):
            self.sequence, self.head = response.observation.sequence, response.observation.head
            self.sequences += [event.sequence for event in response.observation.events]
        return response

    async def go_on(self, wait_ms: int = 10_000, **fields: Any) -> pb.ActResponse:
        """Makes one step from where it is."""
        return await self.act(after_sequence=self.sequence, head=self.head, wait_ms=wait_ms, **fields)

    async def ready(self, wait_ms: int = 10_000) -> pb.ActResponse:
        return await self.go_on(wait_ms, ready=session_pb2.Ready(h0=h0(self.match.header)))

    async def play(self) -> session_pb2.Ended:
        """Plays the first legal actions until the match has ended."""
        response = await self.ready()
        number = 0
        while not response.HasField("ended"):
            told = response.observation
            fields: dict[str, Any] = {}
            if told.HasField("decision"):
                number += 1
                fields["action"] = _action(told.decision.decision_id, told.decision.legal[0], str(number))
            response = await self.go_on(**fields)
            assert response.action_result.WhichOneof("verdict") in (None, "accepted")
        return response.ended


def _action(decision_id: int, action: Action, action_id: str = "a") -> session_pb2.SubmittedAction:
    return session_pb2.SubmittedAction(decision_id=decision_id, action_id=action_id, action=action)


async def _started(host: Referee, **fields: Any) -> tuple[Poller, Poller, pb.ActResponse]:
    """Returns a match that has started: the seat that is asked, the other one, and what the first was told."""
    match = await host.create(**fields)
    a, b = Poller(host, match, 1), Poller(host, match, 2)
    for one in (a, b):
        await one.act(ready=session_pb2.Ready(h0=h0(match.header)))
    while True:
        a, b = b, Poller(host, match, a.seat)
        told = await b.act(after_sequence=0)
        if told.observation.HasField("decision"):
            await a.go_on(0)
            return b, a, told


async def _refusal(call: Awaitable[Any]) -> tuple[grpc.StatusCode, str, str]:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await call
    info = info_of(error.value)
    return error.value.code(), info.reason, info.metadata["field"]


async def _reason(call: Awaitable[Any]) -> str:
    """Returns why a call was refused, nothing if it was not."""
    try:
        await call
    except grpc.aio.AioRpcError as error:
        return info_of(error).reason
    return ""


async def _until(condition: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(20):
        while not await condition():  # noqa: ASYNC110 - the referee has no event for a test to wait for
            await asyncio.sleep(0.01)


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
        asked, other, _ = await _started(host)
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
        asked, _, told = await _started(host)
        assert [event.sequence for event in told.observation.events] == [1, 2, 3, 4]
        again = await asked.go_on()
        assert list(again.observation.events) == []
        assert again.observation.decision.decision_id == 4
        rejected = await asked.go_on(action=_action(4, Action(draw=Draw())))
        assert rejected.action_result.rejected.clause
        assert rejected.observation.decision.tries_left < again.observation.decision.tries_left


async def test_wait_that_is_over_brings_the_news_so_far() -> None:
    async with referee() as host:
        asked, other, _ = await _started(host)
        waiting = asyncio.create_task(other.go_on(1_500))
        await asyncio.sleep(0.2)
        accepted = await asked.go_on(0, action=_action(4, _KEEP))
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
        asked, other, _ = await _started(host)
        waiting = asyncio.create_task(asked.act(after_sequence=4, head=asked.head, wait_ms=0, resign={}))
        ended = (await waiting).ended
        assert ended.outcome.winner == other.seat
        while not (told := await other.go_on()).HasField("ended"):
            pass
        assert told.ended == ended
        assert other.sequences == [1, 2, 3, 4, 5, 6]
        assert await _refusal(other.act(resign={})) == (grpc.StatusCode.FAILED_PRECONDITION, "MATCH_ENDED", "")


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
        response = await asked.go_on(0, action=_action(4, _KEEP))
        assert response.action_result.HasField("accepted")
        observation = (await waiting).observation
        assert observation.decision.decision_id > 4
        while (seen := await session.until("observation", held[other.seat])).sequence < observation.sequence:
            pass
        assert seen.decision.decision_id == observation.decision.decision_id

        waiting = asyncio.create_task(asked.go_on())
        await session.send(action_item(held[other.seat], observation.decision.decision_id, _KEEP))
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


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"match_id": b"x"}, "match_id"),
        ({"seat": 0}, "seat"),
        ({"seat": 7}, "seat"),
        ({"wait_ms": 30_001}, "wait_ms"),
        ({"after_sequence": 1, "head": b"x"}, "head"),
        ({"ready": session_pb2.Ready(h0=bytes(32), entropy=bytes(33))}, "ready.entropy"),
        ({"action": session_pb2.SubmittedAction(action=_KEEP)}, "action.action_id"),
        ({"action": session_pb2.SubmittedAction(action_id="a")}, "action.action.kind"),
    ],
)
async def test_field_that_is_wrong_is_named_and_nothing_has_happened(fields: dict[str, Any], field: str) -> None:
    async with referee() as host:
        asked, other, _ = await _started(host)
        code, reason, named = await _refusal(Poller(host, asked.match, asked.seat).act(**fields))
        assert (code, reason) == (grpc.StatusCode.INVALID_ARGUMENT, "FIELD_INVALID")
        assert named.startswith(field.removesuffix(".kind"))
        assert not (await other.go_on(0)).observation.opponent_presence.present


@pytest.mark.parametrize(
    ("fields", "refusal"),
    [
        ({"seat_token": ""}, (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_MISSING", "seat_token")),
        ({"seat_token": "no"}, (grpc.StatusCode.PERMISSION_DENIED, "NOT_YOURS", "")),
        ({"match_id": bytes(16)}, (grpc.StatusCode.PERMISSION_DENIED, "NOT_YOURS", "")),
        ({"after_sequence": 3, "head": bytes(32)}, (grpc.StatusCode.DATA_LOSS, "FORKED", "after_sequence")),
        ({"after_sequence": 4, "head": bytes(32)}, (grpc.StatusCode.DATA_LOSS, "FORKED", "after_sequence")),
        (
            {"ready": session_pb2.Ready(h0=bytes(32))},
            (grpc.StatusCode.INVALID_ARGUMENT, "H0_MISMATCH", "ready.h0"),
        ),
    ],
)
async def test_problems_are_statuses(fields: dict[str, Any], refusal: tuple[grpc.StatusCode, str, str]) -> None:
    async with referee() as host:
        asked, _, _ = await _started(host)
        assert await _refusal(Poller(host, asked.match, asked.seat).act(**fields)) == refusal
        assert (await asked.go_on()).observation.HasField("decision")


async def test_unreadable_message_is_a_status() -> None:
    async with referee() as host:
        call: Any = host.channel.unary_unary("/unoduo.v1.RefereeService/Act")
        assert await _refusal(call(b"\xff")) == (grpc.StatusCode.INVALID_ARGUMENT, "MESSAGE_UNREADABLE", "")


async def test_no_more_calls_of_a_seat_are_open_than_may_be() -> None:
    async with referee() as host:
        asked, other, _ = await _started(host)
        waiting = [asyncio.create_task(other.go_on(30_000)) for _ in range(8)]

        async def is_full() -> bool:
            return await _reason(other.act()) == "TOO_MANY_CALLS"

        await _until(is_full)
        # The other seat has calls of its own.
        assert (await asked.go_on(0)).observation.opponent_presence.present
        for call in waiting:
            call.cancel()

        async def is_free() -> bool:
            return not await is_full()

        await _until(is_free)

        async def is_alone() -> bool:
            return not (await asked.go_on(0)).observation.opponent_presence.present

        await _until(is_alone)


async def test_writers_that_race_have_one_winner() -> None:
    async with referee(limits=Limits(max_calls_a_seat=100)) as host:
        asked, _, _ = await _started(host)

        async def write(number: int) -> str:
            action = _action(4, _KEEP, f"w{number}")
            while True:
                call = asyncio.ensure_future(Poller(host, asked.match, asked.seat).act(action=action))
                if (reason := await _reason(call)) == "":
                    return str(call.result().action_result.WhichOneof("verdict"))
                assert reason == "INBOX_FULL"

        verdicts = await asyncio.gather(*[write(number) for number in range(32)])
        assert sorted(verdicts) == ["accepted"] + ["stale"] * 31


async def test_match_whose_store_is_frozen_says_so() -> None:
    store = MemoryStore()
    async with referee(store) as host:
        asked, _, _ = await _started(host)
        store.freeze()
        waiting = asyncio.create_task(asked.act(action=_action(4, _KEEP)))

        async def is_frozen() -> bool:
            state = await host.stub.GetMatch(pb.GetMatchRequest(match_id=asked.match.match_id))
            return bool(state.match.lifecycle == match_pb2.LIFECYCLE_FROZEN)

        await _until(is_frozen)
        code, reason, _ = await _refusal(asked.act(action=_action(4, _KEEP, "b")))
        assert (code, reason) == (grpc.StatusCode.UNAVAILABLE, "MATCH_FROZEN")
        store.thaw()
        assert (await waiting).action_result.HasField("accepted")


async def test_step_that_the_store_holds_up_is_told_so_after_a_while() -> None:
    store = MemoryStore()
    async with referee(store, limits=Limits(act_patience_s=0.2)) as host:
        asked, _, _ = await _started(host)
        store.freeze()
        refused = (grpc.StatusCode.UNAVAILABLE, "MATCH_FROZEN", "")
        assert await _refusal(asked.act(action=_action(4, _KEEP))) == refused
        store.thaw()
        # Sent again it has the answer that it would have had.
        assert (await asked.act(action=_action(4, _KEEP))).action_result.accepted.first_sequence == 5


async def test_referee_that_goes_down_ends_what_waits() -> None:
    async with serve(MemoryStore()) as running:
        channel = grpc.aio.insecure_channel(running.address)
        asked, other, _ = await _started(Referee(running, channel))
        waiting = asyncio.create_task(other.go_on(30_000))

        async def is_there() -> bool:
            return bool((await asked.go_on(0)).observation.opponent_presence.present)

        await _until(is_there)
    code, reason, _ = await _refusal(waiting)
    assert (code, reason) == (grpc.StatusCode.UNAVAILABLE, "DRAINING")
    await channel.close()


async def test_token_that_is_revoked_ends_what_waits_by_it_and_nothing_else() -> None:
    async with referee() as host:
        asked, other, _ = await _started(host)
        waiting = asyncio.create_task(other.go_on(30_000))

        async def is_there() -> bool:
            return bool((await asked.go_on(0)).observation.opponent_presence.present)

        await _until(is_there)
        fields: dict[str, Any] = {"match_id": other.match.match_id, "seat": other.seat}
        target = pb.SeatTokenRef(**fields)
        renewed = await host.stub.RevokeToken(pb.RevokeTokenRequest(seat=target))
        assert await _refusal(waiting) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN", "")
        assert await _reason(other.act()) == "NOT_YOURS"
        assert await _reason(other.act(seat_token=renewed.new_token)) == ""
        assert await _reason(asked.act()) == ""
