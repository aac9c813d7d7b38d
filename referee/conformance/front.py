"""What a client takes for the referee: it hands on what both say, and does to it what a check wants.

The referee behind it is the real one, so that what is not tampered with is true.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import suppress
from typing import Final, TypeAlias

import grpc
import grpc.aio
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from unoduo.v1 import referee_service_pb2, session_pb2

from referee.conformance.ledger import Ledger
from referee.server.tls import Certificate

_SERVICE: Final = referee_service_pb2.DESCRIPTOR.services_by_name["RefereeService"].full_name
_DETAILS_KEY: Final = "grpc-status-details-bin"
_AUTHORIZATION: Final = "authorization"
_OPTIONS: Final = (
    ("grpc.so_reuseport", 0),
    # As the referee: a client may ping every 10 seconds.
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
)

Said: TypeAlias = Callable[["Line", session_pb2.RequestItem], Iterable[session_pb2.RequestItem]]
Told: TypeAlias = Callable[["Line", session_pb2.ResponseItem], Iterable[session_pb2.ResponseItem]]
Context: TypeAlias = grpc.aio.ServicerContext[session_pb2.PlayRequest, session_pb2.PlayResponse]
_End: TypeAlias = tuple[grpc.StatusCode, str, tuple[tuple[str, str | bytes], ...]]


class Line:
    """Is one `Play` call of the client, counted by `number` from 1."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.is_cut = False
        self.up: asyncio.Queue[list[session_pb2.RequestItem] | None] = asyncio.Queue()
        self.down: asyncio.Queue[list[session_pb2.ResponseItem] | _End] = asyncio.Queue()

    def say(self, *items: session_pb2.RequestItem) -> None:
        """Says something to the referee in the name of the client."""
        if items:
            self.up.put_nowait([*items])

    def tell(self, *items: session_pb2.ResponseItem) -> None:
        """Tells the client something in the name of the referee."""
        if items and not self.is_cut:
            self.down.put_nowait([*items])

    def cut(self, code: grpc.StatusCode = grpc.StatusCode.UNAVAILABLE, reason: str = "") -> None:
        """Ends the call behind what the client was told so far, with a status and, if there is one, its reason."""
        if self.is_cut:
            return
        self.is_cut = True
        trailers = ((_DETAILS_KEY, _details(code, reason)),) if reason else ()
        self.down.put_nowait((code, "the kit ends the call", trailers))


class Front:
    """Listens where the client looks for the referee; `said` and `told` see each item and return what becomes of it."""

    def __init__(self, ledger: Ledger) -> None:
        self.lines: list[Line] = []
        self.said: Said = lambda line, item: [item]
        self.told: Told = lambda line, item: [item]
        self.port = 0
        self.opened = asyncio.Event()
        self._ledger = ledger
        self._server: grpc.aio.Server | None = None
        self._channel: grpc.aio.Channel | None = None

    async def open(self, referee: str, certificate: Certificate | None, host: str) -> None:
        """Begins to serve before the referee at that address: on a free port, later on the same again."""
        self._channel = grpc.aio.insecure_channel(referee, options=(("grpc.use_local_subchannel_pool", 1),))
        self._server = grpc.aio.server(options=_OPTIONS)
        play = grpc.stream_stream_rpc_method_handler(
            self._play, session_pb2.PlayRequest.FromString, session_pb2.PlayResponse.SerializeToString
        )
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(_SERVICE, {"Play": play}),))
        address = f"{host}:{self.port}"
        if certificate is None:
            self.port = self._server.add_insecure_port(address)
        else:
            self.port = self._server.add_secure_port(address, certificate.credentials)
        await self._server.start()

    async def close(self) -> None:
        """Ends all calls without a word of the referee."""
        server, channel = self._server, self._channel
        self._server = self._channel = None
        if server is not None:
            await server.stop(0)
        if channel is not None:
            await channel.close()

    async def _play(self, requests: AsyncIterator[session_pb2.PlayRequest], context: Context) -> None:
        line = Line(len(self.lines) + 1)
        self.lines.append(line)
        self.opened.set()
        assert self._channel is not None
        metadata = tuple((key, value) for key, value in context.invocation_metadata() or () if key == _AUTHORIZATION)
        call = self._channel.stream_stream(
            f"/{_SERVICE}/Play", session_pb2.PlayRequest.SerializeToString, session_pb2.PlayResponse.FromString
        )(metadata=metadata)
        tasks = [
            asyncio.create_task(work)
            for work in (self._hear(line, requests), _say(line, call), self._listen(line, call))
        ]
        try:
            code, details, trailers = await self._tell(line, context)
        finally:
            line.is_cut = True
            for task in tasks:
                task.cancel()
            call.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        if code is not grpc.StatusCode.OK:
            await context.abort(code, details, trailers)

    async def _hear(self, line: Line, requests: AsyncIterator[session_pb2.PlayRequest]) -> None:
        """Takes what the client says."""
        async for request in requests:
            if line.is_cut:
                return
            self._ledger.request(request)
            kept: list[session_pb2.RequestItem] = []
            for item in request.items:
                self._ledger.said(line.number, item)
                kept.extend(() if line.is_cut else self.said(line, item))
            line.say(*kept)
        line.up.put_nowait(None)

    async def _listen(self, line: Line, call: grpc.aio.StreamStreamCall) -> None:  # type: ignore[type-arg]
        """Takes what the referee says."""
        with suppress(grpc.aio.AioRpcError):
            async for response in call:
                kept: list[session_pb2.ResponseItem] = []
                for item in response.items:
                    self._ledger.meant(line.number, item)
                    kept.extend(() if line.is_cut else self.told(line, item))
                    if line.is_cut:
                        # What the check cut goes without what came before it in the same message.
                        return
                line.tell(*kept)
        code, details = await call.code(), await call.details()
        trailers = tuple((key, value) for key, value in await call.trailing_metadata() or () if key == _DETAILS_KEY)
        line.down.put_nowait((code, details or "", trailers))

    async def _tell(self, line: Line, context: Context) -> _End:
        """Tells the client what there is to be told and returns the status that ends the call."""
        while isinstance(items := await line.down.get(), list):
            for item in items:
                self._ledger.told(line.number, item)
            await context.write(session_pb2.PlayResponse(items=items))
        return items


async def _say(line: Line, call: grpc.aio.StreamStreamCall) -> None:  # type: ignore[type-arg]
    with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
        while (items := await line.up.get()) is not None:
            await call.write(session_pb2.PlayRequest(items=items))
        await call.done_writing()


def _details(code: grpc.StatusCode, reason: str) -> bytes:
    status = Status(code=code.value[0], message="the kit ends the call")
    status.details.add().Pack(ErrorInfo(reason=reason, domain="unoduo.v1"))
    return status.SerializeToString()
