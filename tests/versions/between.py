"""Stands between client and referee, hands on the bytes of all calls, and keeps them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc
import grpc.aio
from unoduo_client.channel import credentials

from tests.versions.recording import Call

# As the referee: a client may ping every 10 seconds.
OPTIONS = (("grpc.http2.min_ping_interval_without_data_ms", 5_000), ("grpc.keepalive_permit_without_calls", 1))
Context = grpc.aio.ServicerContext[bytes, bytes]


def bearer(context: Context) -> str:
    """Returns the token that a call was made with, empty if none was."""
    given = dict(context.invocation_metadata() or ()).get("authorization", "")
    return str(given).removeprefix("Bearer ")


class Between(grpc.GenericRpcHandler):
    """Keeps in `calls` what is said; a call without streams is to it a stream with one message each way."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self.calls: list[Call] = []
        self.address = ""
        self._channel = channel
        self._open: list[grpc.aio.StreamStreamCall[bytes, bytes]] = []
        self._is_cutting = False
        self._all_ended = asyncio.Event()

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> "grpc.RpcMethodHandler[bytes, bytes] | None":
        """Handles every method."""
        method: str = handler_call_details.method

        async def carry(requests: AsyncIterator[bytes], context: Context) -> AsyncIterator[bytes]:
            async for data in self._carry(method, requests, context):
                yield data

        return grpc.stream_stream_rpc_method_handler(carry)

    async def cut(self) -> None:
        """Loses the connection: ends all calls that are open, as a network does."""
        self._is_cutting = True
        self._all_ended.clear()
        for call in self._open:
            call.cancel()
        await self._all_ended.wait()
        self._is_cutting = False

    async def _carry(self, method: str, requests: AsyncIterator[bytes], context: Context) -> AsyncIterator[bytes]:
        kept = Call(method.rpartition("/")[2], bearer(context))
        self.calls.append(kept)
        onward: grpc.aio.StreamStreamCall[bytes, bytes] = self._channel.stream_stream(method)(
            metadata=credentials(kept.token or None)
        )

        async def hand_on() -> None:
            async for data in requests:
                kept.messages.append(("client", data))
                await onward.write(data)
            await onward.done_writing()

        handing = asyncio.create_task(hand_on())
        self._open.append(onward)
        try:
            async for answer in onward:
                kept.messages.append(("referee", answer))
                yield answer
        except asyncio.CancelledError:
            if not self._is_cutting:
                raise
            await context.abort(grpc.StatusCode.UNAVAILABLE, "the connection is cut")
        finally:
            self._open.remove(onward)
            if not self._open:
                self._all_ended.set()
            handing.cancel()
            await asyncio.wait([handing])


@asynccontextmanager
async def between(address: str) -> AsyncIterator[Between]:
    """Stands before the referee at that address until the block ends."""
    async with grpc.aio.insecure_channel(address) as channel:
        kept = Between(channel)
        server = grpc.aio.server(options=OPTIONS)
        server.add_generic_rpc_handlers([kept])
        kept.address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
        await server.start()
        try:
            yield kept
        finally:
            await server.stop(None)
