"""What an `Act` call is refused for, and what ends one that waits."""

import asyncio
from typing import Any

import grpc
import pytest
from unoduo.v1 import match_pb2, outcome_pb2, session_pb2
from unoduo.v1 import referee_service_pb2 as pb

from referee.server.limits import Limits
from referee.server.runtime import serve
from referee.store.memory import MemoryStore
from tests.server.polling import KEEP, Poller, refusal_of, started, submitted, until, why
from tests.server.wire import Referee, referee


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"match_id": b"x"}, "match_id"),
        ({"seat": 0}, "seat"),
        ({"seat": 7}, "seat"),
        ({"wait_ms": 30_001}, "wait_ms"),
        ({"after_sequence": 1, "head": b"x"}, "head"),
        ({"ready": session_pb2.Ready(h0=bytes(32), entropy=bytes(33))}, "ready.entropy"),
        ({"action": session_pb2.SubmittedAction(action=KEEP)}, "action.action_id"),
        ({"action": session_pb2.SubmittedAction(action_id="a")}, "action.action.kind"),
    ],
)
async def test_field_that_is_wrong_is_named_and_nothing_has_happened(fields: dict[str, Any], field: str) -> None:
    async with referee() as host:
        asked, other, _ = await started(host)
        code, reason, named = await refusal_of(Poller(host, asked.match, asked.seat).act(**fields))
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
        asked, _, _ = await started(host)
        assert await refusal_of(Poller(host, asked.match, asked.seat).act(**fields)) == refusal
        assert (await asked.go_on()).observation.HasField("decision")


async def test_unreadable_message_is_a_status() -> None:
    async with referee() as host:
        call: Any = host.channel.unary_unary("/unoduo.v1.RefereeService/Act")
        assert await refusal_of(call(b"\xff")) == (grpc.StatusCode.INVALID_ARGUMENT, "MESSAGE_UNREADABLE", "")


async def test_no_more_calls_of_a_seat_are_open_than_may_be() -> None:
    async with referee() as host:
        asked, other, _ = await started(host)
        waiting = [asyncio.create_task(other.go_on(30_000)) for _ in range(8)]

        async def is_full() -> bool:
            return await why(other.act()) == "TOO_MANY_CALLS"

        await until(is_full)
        # The other seat has calls of its own.
        assert (await asked.go_on(0)).observation.opponent_presence.present
        for call in waiting:
            call.cancel()

        async def is_free() -> bool:
            return not await is_full()

        await until(is_free)

        async def is_alone() -> bool:
            return not (await asked.go_on(0)).observation.opponent_presence.present

        await until(is_alone)


async def test_writers_that_race_have_one_winner() -> None:
    async with referee(limits=Limits(max_calls_a_seat=100)) as host:
        asked, _, _ = await started(host)

        async def write(number: int) -> str:
            action = submitted(4, KEEP, f"w{number}")
            while True:
                call = asyncio.ensure_future(Poller(host, asked.match, asked.seat).act(action=action))
                if (reason := await why(call)) == "":
                    return str(call.result().action_result.WhichOneof("verdict"))
                assert reason == "INBOX_FULL"

        verdicts = await asyncio.gather(*[write(number) for number in range(32)])
        assert sorted(verdicts) == ["accepted"] + ["stale"] * 31


async def test_match_whose_store_is_frozen_says_so() -> None:
    store = MemoryStore()
    async with referee(store) as host:
        asked, _, _ = await started(host)
        store.freeze()
        waiting = asyncio.create_task(asked.act(action=submitted(4, KEEP)))

        async def is_frozen() -> bool:
            state = await host.stub.GetMatch(pb.GetMatchRequest(match_id=asked.match.match_id))
            return bool(state.match.lifecycle == match_pb2.LIFECYCLE_FROZEN)

        await until(is_frozen)
        code, reason, _ = await refusal_of(asked.act(action=submitted(4, KEEP, "b")))
        assert (code, reason) == (grpc.StatusCode.UNAVAILABLE, "MATCH_FROZEN")
        store.thaw()
        assert (await waiting).action_result.HasField("accepted")


async def test_step_that_the_store_holds_up_is_told_so_after_a_while() -> None:
    store = MemoryStore()
    async with referee(store, limits=Limits(act_patience_s=0.2)) as host:
        asked, _, _ = await started(host)
        store.freeze()
        refused = (grpc.StatusCode.UNAVAILABLE, "MATCH_FROZEN", "")
        assert await refusal_of(asked.act(action=submitted(4, KEEP))) == refused
        store.thaw()
        # Sent again it has the answer that it would have had.
        assert (await asked.act(action=submitted(4, KEEP))).action_result.accepted.first_sequence == 5


async def test_giving_up_that_the_store_holds_up_is_told_so_after_a_while() -> None:
    store = MemoryStore()
    async with referee(store, limits=Limits(act_patience_s=0.2)) as host:
        asked, _, _ = await started(host)
        store.freeze()
        assert await refusal_of(asked.act(resign={})) == (grpc.StatusCode.UNAVAILABLE, "MATCH_FROZEN", "")
        store.thaw()
        while not (told := await asked.go_on()).HasField("ended"):
            pass
        assert told.ended.outcome.termination == outcome_pb2.TERMINATION_RESIGNATION


async def test_referee_that_goes_down_ends_what_waits() -> None:
    async with serve(MemoryStore()) as running:
        channel = grpc.aio.insecure_channel(running.address)
        asked, other, _ = await started(Referee(running, channel))
        waiting = asyncio.create_task(other.go_on(30_000))

        async def is_there() -> bool:
            return bool((await asked.go_on(0)).observation.opponent_presence.present)

        await until(is_there)
    code, reason, _ = await refusal_of(waiting)
    assert (code, reason) == (grpc.StatusCode.UNAVAILABLE, "DRAINING")
    await channel.close()


async def test_token_that_is_revoked_ends_what_waits_by_it_and_nothing_else() -> None:
    async with referee() as host:
        asked, other, _ = await started(host)
        waiting = asyncio.create_task(other.go_on(30_000))

        async def is_there() -> bool:
            return bool((await asked.go_on(0)).observation.opponent_presence.present)

        await until(is_there)
        fields: dict[str, Any] = {"match_id": other.match.match_id, "seat": other.seat}
        target = pb.SeatTokenRef(**fields)
        renewed = await host.stub.RevokeToken(pb.RevokeTokenRequest(seat=target))
        assert await refusal_of(waiting) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN", "")
        assert await why(other.act()) == "NOT_YOURS"
        assert await why(other.act(seat_token=renewed.new_token)) == ""
        assert await why(asked.act()) == ""
