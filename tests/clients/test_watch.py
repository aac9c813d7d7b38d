from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest
from unoduo.v1 import referee_service_pb2 as pb
from unoduo_client import ForkedError, Organiser, RefereeError, watch

from tests.clients.scripted import MATCH_ID, serving, status_details

Context = grpc.aio.ServicerContext[pb.WatchMatchRequest, pb.WatchMatchResponse]
Call = Callable[[pb.WatchMatchRequest, Context], Awaitable[None]]
UNAVAILABLE = grpc.StatusCode.UNAVAILABLE


@asynccontextmanager
async def feed(*calls: Call) -> AsyncIterator[str]:
    """Serves each stream by the next call and yields the address."""
    left = list(calls)

    async def serve(request: pb.WatchMatchRequest, context: Context) -> None:
        assert request.match_id == MATCH_ID
        await left.pop(0)(request, context)

    handler: grpc.RpcMethodHandler[Any, Any] = grpc.unary_stream_rpc_method_handler(
        serve, pb.WatchMatchRequest.FromString, pb.WatchMatchResponse.SerializeToString
    )
    async with serving({"WatchMatch": handler}) as address:
        yield address
    assert left == []


def told(first: int, last: int, header: bytes = b"") -> pb.WatchMatchResponse:
    message = pb.WatchMatchResponse(sequence=last, head=bytes([last] * 32), header=header)
    for number in range(first, last + 1):
        message.events.add(sequence=number)
    return message


def the_end() -> pb.WatchMatchResponse:
    message = pb.WatchMatchResponse(sequence=9, head=bytes([9] * 32))
    message.ended.sequence = 9
    return message


async def refuse(context: Context, code: grpc.StatusCode, reason: str) -> None:
    context.set_trailing_metadata([status_details(code, reason, "")])
    await context.abort(code, "no")


async def test_watch_goes_on_where_a_lost_stream_was() -> None:
    async def before(request: pb.WatchMatchRequest, context: Context) -> None:
        assert dict(context.invocation_metadata() or ())["authorization"] == "Bearer secret"
        assert (request.after_sequence, request.head) == (0, b"")
        await context.write(told(1, 3, b"header"))
        await context.write(told(4, 5))

    async def unlucky(request: pb.WatchMatchRequest, context: Context) -> None:
        await context.abort(UNAVAILABLE, "gone")

    async def after(request: pb.WatchMatchRequest, context: Context) -> None:
        assert (request.after_sequence, request.head) == (5, bytes([5] * 32))
        await context.write(told(6, 9, b"header"))
        await context.write(the_end())

    async with feed(before, unlucky, after) as address, Organiser(address, "secret") as organiser:
        messages = [message async for message in organiser.watch(MATCH_ID)]
    assert [event.sequence for message in messages for event in message.events] == list(range(1, 10))
    assert [message.header for message in messages] == [b"header", b"", b"", b""]
    assert messages[-1].ended.sequence == 9


async def test_watch_raises_what_does_not_pass() -> None:
    async def call(request: pb.WatchMatchRequest, context: Context) -> None:
        await refuse(context, grpc.StatusCode.PERMISSION_DENIED, "NOT_YOURS")

    async with feed(call) as address:
        with pytest.raises(RefereeError, match=r"no \(NOT_YOURS\)"):
            await anext(watch(address, MATCH_ID, "token"))


async def test_watch_tells_another_log() -> None:
    async def before(request: pb.WatchMatchRequest, context: Context) -> None:
        await context.write(told(1, 3, b"header"))

    async def after(request: pb.WatchMatchRequest, context: Context) -> None:
        await refuse(context, grpc.StatusCode.DATA_LOSS, "FORKED")

    async with feed(before, after) as address:
        watching = watch(address, MATCH_ID)
        await anext(watching)
        with pytest.raises(ForkedError, match="up to event 3"):
            await anext(watching)


async def test_watch_gives_up_when_its_patience_is_at_its_end(closed_address: str) -> None:
    with pytest.raises(RefereeError, match="nobody listens at"):
        await anext(watch(closed_address, MATCH_ID, patience=0.2))
