from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest
from unoduo.v1 import match_pb2, seat_pb2, session_pb2
from unoduo.v1 import referee_service_pb2 as pb
from unoduo_client import Action, BotError, Ended, EntropyMissing, ForkedError, Observation, RefereeError
from unoduo_client.act import Polling, play_by_polling
from unoduo_client.channel import opener
from unoduo_client.seat import SeatSession

from tests.clients import scripted as referee
from tests.clients.resuming import first_legal, news, page
from tests.clients.scripted import MATCH_ID, serving, status_details

SEAT_A = seat_pb2.SEAT_A
FRESH, GIVEN = match_pb2.DEAL_MODE_FRESH, match_pb2.DEAL_MODE_GIVEN

Context = grpc.aio.ServicerContext[pb.ActRequest, pb.ActResponse]
Step = Callable[[pb.ActRequest, Context], Awaitable[pb.ActResponse]]


@asynccontextmanager
async def acting(*steps: Step) -> AsyncIterator[str]:
    """Answers each call by the next step and yields the address."""
    left = list(steps)
    failures: list[AssertionError] = []

    async def act(request: pb.ActRequest, context: Context) -> pb.ActResponse:
        try:
            assert (request.match_id, request.seat) == (MATCH_ID, SEAT_A)
            assert dict(context.invocation_metadata() or ())["authorization"] == "Bearer token"
            assert left, request
            return await left.pop(0)(request, context)
        except AssertionError as error:
            failures.append(error)
            raise

    handler: grpc.RpcMethodHandler[Any, Any] = grpc.unary_unary_rpc_method_handler(
        act, pb.ActRequest.FromString, pb.ActResponse.SerializeToString
    )
    async with serving({"Act": handler}) as address:
        yield address
    if failures:
        raise failures[0]
    assert left == []


def joined(
    deal_mode: match_pb2.DealMode.ValueType = GIVEN,
    lifecycle: match_pb2.Lifecycle.ValueType = match_pb2.LIFECYCLE_CREATED,
) -> Step:
    async def step(request: pb.ActRequest, context: Context) -> pb.ActResponse:
        assert not request.HasField("after_sequence")
        assert request.WhichOneof("kind") is None
        header = referee.header(deal_mode)
        answer = session_pb2.Joined(match_id=MATCH_ID, seat=SEAT_A, header=header, lifecycle=lifecycle)
        return pb.ActResponse(joined=answer, lifecycle=lifecycle)

    return step


def ready(after: int | None = 0) -> Step:
    async def step(request: pb.ActRequest, context: Context) -> pb.ActResponse:
        assert request.WhichOneof("kind") == "ready"
        assert (request.after_sequence if request.HasField("after_sequence") else None) == after
        return pb.ActResponse(ready_accepted=session_pb2.ReadyAccepted(h0=request.ready.h0))

    return step


def poll(after: int | None, observation: Observation | None, ended: Ended | None = None) -> Step:
    async def step(request: pb.ActRequest, context: Context) -> pb.ActResponse:
        assert request.WhichOneof("kind") is None
        assert (request.after_sequence if request.HasField("after_sequence") else None) == after
        assert request.wait_ms > 0
        return pb.ActResponse(observation=observation, ended=ended)

    return step


def action(
    decision_id: int, action_id: str, observation: Observation | None = None, ended: Ended | None = None
) -> Step:
    """Accepts an action."""

    async def step(request: pb.ActRequest, context: Context) -> pb.ActResponse:
        assert (request.action.decision_id, request.action.action_id) == (decision_id, action_id)
        result = session_pb2.ActionResult(action_id=action_id, decision_id=decision_id)
        result.accepted.sequence = decision_id + 1
        return pb.ActResponse(action_result=result, observation=observation, ended=ended)

    return step


def rejection(tries_left: int) -> Step:
    async def step(request: pb.ActRequest, context: Context) -> pb.ActResponse:
        result = session_pb2.ActionResult(action_id=request.action.action_id, decision_id=request.action.decision_id)
        result.rejected.tries_left = tries_left
        # What a visitor is always told: where the match stands.
        return pb.ActResponse(action_result=result, observation=referee.decision(5))

    return step


def refusal(code: grpc.StatusCode, reason: str) -> Step:
    async def step(request: pb.ActRequest, context: Context) -> pb.ActResponse:
        context.set_trailing_metadata([status_details(code, reason, "")] if reason else [])
        await context.abort(code, "no")
        raise AssertionError

    return step


THE_END = referee.ended(1, SEAT_A).ended


async def play(address: str, bot: Callable[[Observation], Action] = first_legal) -> Ended:
    return await play_by_polling(address, MATCH_ID, SEAT_A, "token", bot, patience=60)


async def test_polling_plays_a_match_to_its_end() -> None:
    steps = (
        joined(),
        ready(),
        poll(0, page(3, 1)),
        poll(3, news(5, 4)),
        action(5, "1", news(8, 6)),
        action(8, "1", page(9, 9), THE_END),
    )
    told = []

    def bot(observation: Observation) -> Action:
        told.append(observation.sequence)
        return first_legal(observation)

    async with acting(*steps) as address:
        assert await play(address, bot) == THE_END
    assert told == [5, 8]


async def test_polling_asks_for_the_history_of_a_match_that_begins_as_it_joins() -> None:
    async def step(request: pb.ActRequest, context: Context) -> pb.ActResponse:
        response = await joined()(request, context)
        response.observation.CopyFrom(referee.decision(5))
        return response

    told = []

    def bot(observation: Observation) -> Action:
        told.append(len(observation.events))
        return first_legal(observation)

    async with acting(step, ready(), poll(0, news(5, 1)), action(5, "1", ended=THE_END)) as address:
        assert await play(address, bot) == THE_END
    assert told == [5]


async def test_polling_asks_the_bot_once_for_each_decision_and_rejection() -> None:
    steps = (joined(), ready(), poll(0, news(5, 1)), rejection(2), rejection(1), action(5, "3", ended=THE_END))
    asked = []

    def bot(observation: Observation) -> Action:
        asked.append(observation.decision.tries_left)
        return first_legal(observation)

    async with acting(*steps) as address:
        assert await play(address, bot) == THE_END
    assert asked == [3, 2, 1]


async def test_polling_raises_bot_error_when_the_tries_are_used_up() -> None:
    async with acting(joined(), ready(), poll(0, news(5, 1)), rejection(0)) as address:
        with pytest.raises(BotError):
            await play(address)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (grpc.StatusCode.UNAVAILABLE, ""),
        (grpc.StatusCode.UNAVAILABLE, "MATCH_FROZEN"),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, "INBOX_FULL"),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_CALLS"),
    ],
)
async def test_polling_says_again_what_could_not_be_taken(code: grpc.StatusCode, reason: str) -> None:
    no = refusal(code, reason)
    steps = (no, joined(), no, ready(), no, poll(0, news(5, 1)), no, no, action(5, "1", ended=THE_END))
    async with acting(*steps) as address:
        assert await play(address) == THE_END


async def test_polling_raises_what_does_not_pass() -> None:
    async with acting(joined(), ready(), refusal(grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN")) as address:
        with pytest.raises(RefereeError, match="TOKEN_UNKNOWN"):
            await play(address)


async def test_polling_never_plays_on_in_another_log() -> None:
    async with acting(joined(), ready(), refusal(grpc.StatusCode.DATA_LOSS, "FORKED")) as address:
        with pytest.raises(ForkedError):
            await play(address)


async def test_polling_refuses_a_deal_without_its_entropy() -> None:
    deal = referee.deal_sealed(b"x" * 32, b"")
    async with acting(joined(FRESH), ready(), poll(0, deal)) as address:
        with pytest.raises(EntropyMissing):
            await play(address)


async def test_polling_gives_up_when_its_patience_is_at_its_end(closed_address: str) -> None:
    with pytest.raises(RefereeError, match="nobody listens at"):
        await play_by_polling(closed_address, MATCH_ID, SEAT_A, "token", first_legal, patience=0.2)


@asynccontextmanager
async def held(*steps: Step) -> AsyncIterator[SeatSession]:
    async with acting(*steps) as address, opener(address)() as channel:
        polling = Polling(address, channel, "token", MATCH_ID, SEAT_A, 60)
        yield SeatSession(polling, await polling.join(), b"secret")


async def resigned(request: pb.ActRequest, context: Context) -> pb.ActResponse:
    assert request.WhichOneof("kind") == "resign"
    return pb.ActResponse()


async def test_polling_resigns() -> None:
    over = refusal(grpc.StatusCode.FAILED_PRECONDITION, "MATCH_ENDED")
    for steps in ((resigned, poll(0, None, THE_END)), (over, poll(0, page(9, 1), THE_END))):
        async with held(joined(), *steps) as seat:
            assert await seat.resign() == THE_END
            assert seat.ended == THE_END


async def test_polling_leaves_without_a_word() -> None:
    async with held(joined()) as seat:
        await seat.leave()
