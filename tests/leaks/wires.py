"""Ways to call a referee in raw bytes: its servicer itself, or a server on a socket. Both stand under a fake clock."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from typing import Any

import grpc
import pytest
from unoduo.v1 import observation_pb2, session_pb2
from unoduo.v1 import referee_service_pb2 as pb

from referee.match.clock import FakeClock
from referee.match.registry import Registry
from referee.match.surroundings import Admission
from referee.server import runtime
from referee.server.limits import Limits
from referee.server.servicer import SERVICE, Servicer
from referee.store.memory import MemoryStore

ORGANISER = "the-token-of-the-organiser-of-this-test"
CREATED = "2026-01-02T03:04:05Z"
PATIENCE_S = 20
_PATH = f"/{SERVICE.full_name}/"

Entropy = Callable[[int], bytes]
Metadata = tuple[tuple[str, str], ...]


class Aborted(Exception):
    """Ends a call with a status."""


@dataclass
class Told:
    """Is what came of a call: the messages, then the status if it is not OK, as the bytes that a client gets."""

    messages: list[bytes]
    status: bytes | None = None


class Stream:
    """Is the client's end of a call that goes on; `observation` is the one that was told last."""

    def __init__(self) -> None:
        self.messages: list[bytes] = []
        self.items: list[session_pb2.ResponseItem] = []
        self.status: bytes | None = None
        self.is_over = False
        self.sequence = 0
        self.head = b""
        self.has_caught_up = False
        self.decision: observation_pb2.Decision | None = None
        self.has_ended = False
        self._news = asyncio.Event()

    def take(self, data: bytes, *, is_watch: bool) -> None:
        """Takes a message."""
        self.messages.append(data)
        if is_watch:
            watched = pb.WatchMatchResponse.FromString(data)
            self.sequence = watched.sequence
            self.has_ended |= watched.HasField("ended")
        else:
            for item in session_pb2.PlayResponse.FromString(data).items:
                self._take_item(item)
        self._news.set()

    def _take_item(self, item: session_pb2.ResponseItem) -> None:
        self.items.append(item)
        if item.HasField("observation"):
            told = item.observation
            self.sequence, self.head = told.sequence, told.head
            self.has_caught_up |= told.caught_up
            self.decision = told.decision if told.HasField("decision") else None
        self.has_ended |= item.HasField("ended")

    def finish(self, status: bytes | None) -> None:
        """Takes the end."""
        self.status = status
        self.is_over = True
        self._news.set()

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Waits until something is so, which only what comes on this stream can make so."""
        async with asyncio.timeout(PATIENCE_S):
            while not is_so():
                assert not self.is_over, self.status
                self._news.clear()
                await self._news.wait()

    async def until_told(self, is_so: Callable[[], bool]) -> None:
        """Waits until something is so, or the call is over."""
        await self.until(lambda: self.is_over or is_so())

    async def until_over(self) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not self.is_over:
                self._news.clear()
                await self._news.wait()

    async def send(self, *items: session_pb2.RequestItem) -> None:
        raise NotImplementedError

    async def half_close(self) -> None:
        raise NotImplementedError

    async def cancel(self) -> None:
        raise NotImplementedError


class Wire(ABC):
    """Calls a referee. `store` is what it keeps, `clock` the clock under which it stands."""

    store: MemoryStore
    clock: FakeClock

    @abstractmethod
    async def unary(self, call: str, request: bytes, token: str) -> Told:
        """Makes a call that is answered once."""

    @abstractmethod
    def open(self, call: str, request: bytes | None, token: str) -> Stream:
        """Begins a call that goes on; a session has no request to begin with."""

    @abstractmethod
    async def restart(self) -> None:
        """Ends the referee as a crash does and begins anew on the same store."""

    @abstractmethod
    async def close(self) -> None:
        """Ends everything."""


def metadata_of(token: str) -> Metadata:
    return (("authorization", f"Bearer {token}"),) if token else ()


class _Context:
    """Stands for grpc: takes what the servicer tells a client."""

    def __init__(self, token: str, told: Callable[[bytes], None]) -> None:
        self._metadata = metadata_of(token)
        self._told = told
        self.status: bytes | None = None

    def invocation_metadata(self) -> Metadata:
        return self._metadata

    async def write(self, data: bytes) -> None:
        self._told(data)
        await asyncio.sleep(0)

    async def abort(self, code: grpc.StatusCode, message: str, trailing: tuple[tuple[str, bytes], ...]) -> None:
        self.status = _status(code, message, dict(trailing)["grpc-status-details-bin"])
        raise Aborted


class DirectWire(Wire):
    """Calls the servicer itself."""

    def __init__(self, entropy: Entropy, limits: Limits) -> None:
        self.store, self.clock = MemoryStore(), FakeClock()
        self._entropy = entropy
        self._limits = limits
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Begins to serve."""
        limits = self._limits
        self._registry = Registry(
            self.store,
            self.clock,
            entropy=self._entropy,
            wall_clock=lambda: CREATED,
            on_fatal=lambda error: None,
            max_open_matches=limits.max_open_matches,
            admission=Admission(
                max_calls_a_seat=limits.max_calls_a_seat,
                max_spectators=limits.max_spectators,
                spectator_delay_ms=limits.spectator_delay_ms,
            ),
            organiser_token=ORGANISER,
        )
        await self.store.open(self._registry)
        await self._registry.identities.load()
        await self._registry.recover()
        self._servicer = Servicer(self._registry, self.store, self.clock, limits)
        self._handlers: Any = self._servicer.handlers()

    async def unary(self, call: str, request: bytes, token: str) -> Told:
        answers: list[bytes] = []
        context = _Context(token, answers.append)
        try:
            async with asyncio.timeout(PATIENCE_S):
                answers.append(await self._handler(call).unary_unary(request, context))
        except Aborted:
            pass
        return Told(answers, context.status)

    def open(self, call: str, request: bytes | None, token: str) -> Stream:
        stream = _DirectStream()
        context = _Context(token, lambda data: stream.take(data, is_watch=request is not None))
        handler = self._handler(call)
        if request is None:
            work = handler.stream_stream(stream.requests(), context)
        else:
            work = handler.unary_stream(request, context)
        stream.task = task = asyncio.create_task(_run(work, stream, context))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return stream

    async def restart(self) -> None:
        await self._stop()
        await self.start()

    async def close(self) -> None:
        await self._stop()
        await self.store.close()

    async def _stop(self) -> None:
        tasks = [*self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._registry.close()

    def _handler(self, call: str) -> Any:
        return self._handlers.service(_Details(_PATH + call, ()))


@dataclass(frozen=True)
class _Details(grpc.HandlerCallDetails):
    method: str
    invocation_metadata: Any


async def _run(work: Any, stream: Stream, context: _Context) -> None:
    try:
        await work
    except Aborted:
        pass
    finally:
        stream.finish(context.status)


class _DirectStream(Stream):
    task: asyncio.Task[None]

    def __init__(self) -> None:
        super().__init__()
        self._said: asyncio.Queue[bytes | None] = asyncio.Queue()

    async def requests(self) -> AsyncIterator[bytes]:
        while (data := await self._said.get()) is not None:
            yield data

    async def send(self, *items: session_pb2.RequestItem) -> None:
        self._said.put_nowait(session_pb2.PlayRequest(items=items).SerializeToString())

    async def half_close(self) -> None:
        self._said.put_nowait(None)

    async def cancel(self) -> None:
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


class _ServerClock(FakeClock):
    def close(self) -> None:
        pass


class SocketWire(Wire):
    """Calls a server over a channel; what other services it offers is called through `channel`."""

    def __init__(self, entropy: Entropy, limits: Limits, monkeypatch: pytest.MonkeyPatch) -> None:
        self.store, self.clock = MemoryStore(), _ServerClock()
        self._entropy = entropy
        self._limits = limits
        self._stack = AsyncExitStack()
        monkeypatch.setattr(runtime, "LoopClock", lambda: self.clock)
        monkeypatch.setattr(runtime, "_utc_now", lambda: CREATED)

    async def start(self) -> None:
        """Begins to serve."""
        running = await self._stack.enter_async_context(
            runtime.serve(self.store, limits=self._limits, organiser_token=ORGANISER, entropy=self._entropy, dev=True)
        )
        self.channel = await self._stack.enter_async_context(grpc.aio.insecure_channel(running.address))

    async def unary(self, call: str, request: bytes, token: str) -> Told:
        stub: Any = self.channel.unary_unary(_PATH + call)
        try:
            return Told([await stub(request, metadata=metadata_of(token), timeout=PATIENCE_S)])
        except grpc.aio.AioRpcError as error:
            return Told([], _status_of(error))

    def open(self, call: str, request: bytes | None, token: str) -> Stream:
        channel: Any = self.channel
        if request is None:
            return _SocketStream(channel.stream_stream(_PATH + call)(metadata=metadata_of(token)), is_watch=False)
        stub = channel.unary_stream(_PATH + call)
        return _SocketStream(stub(request, metadata=metadata_of(token)), is_watch=True)

    async def restart(self) -> None:
        raise NotImplementedError

    async def close(self) -> None:
        await self._stack.aclose()


class _SocketStream(Stream):
    def __init__(self, call: Any, *, is_watch: bool) -> None:
        super().__init__()
        self._call = call
        self._is_watch = is_watch
        self._reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        call = self._call
        # How a call ends its code tells, whatever a read says of it.
        with suppress(grpc.aio.AioRpcError, asyncio.CancelledError):
            while (data := await call.read()) is not grpc.aio.EOF:
                self.take(data, is_watch=self._is_watch)
        code = await call.code()
        is_told = code not in (grpc.StatusCode.OK, grpc.StatusCode.CANCELLED)
        details = dict(await call.trailing_metadata() or ()).get("grpc-status-details-bin", b"")
        self.finish(_status(code, await call.details(), details) if is_told else None)

    async def send(self, *items: session_pb2.RequestItem) -> None:
        # Whether the call has ended its reader learns.
        with suppress(grpc.aio.AioRpcError):
            await self._call.write(session_pb2.PlayRequest(items=items).SerializeToString())

    async def half_close(self) -> None:
        with suppress(grpc.aio.AioRpcError):
            await self._call.done_writing()

    async def cancel(self) -> None:
        self._call.cancel()
        await asyncio.gather(self._reader, return_exceptions=True)


def _status_of(error: grpc.aio.AioRpcError) -> bytes:
    details = dict(error.trailing_metadata() or ()).get("grpc-status-details-bin", b"")
    assert isinstance(details, bytes)
    return _status(error.code(), error.details() or "", details)


def _status(code: grpc.StatusCode, message: str, details: bytes) -> bytes:
    return f"{code.name} {message} ".encode() + details
