"""A session: one stream to the referee with any number of seats on it (PROTOCOL.md section 2)."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc.aio
from unoduo.v1 import referee_service_pb2_grpc, seat_pb2, session_pb2

from unoduo_client.channel import Security, credentials, open_channel
from unoduo_client.conversation import Conversation
from unoduo_client.errors import ClientError, ProblemError, SessionLost
from unoduo_client.journal import JournalWriter
from unoduo_client.outbox import Outbox
from unoduo_client.seat import SeatSession
from unoduo_client.status import session_lost

PROTOCOL = 1

_log = logging.getLogger(__name__)


@asynccontextmanager
async def connect(
    address: str,
    *,
    token: str | None = None,
    tls: Security = None,
    secret: bytes | None = None,
    client: str = "unoduo-client python",
) -> AsyncIterator[Session]:
    """Returns a context manager that opens a session with the referee at `host:port` and closes it at the end.

    `token` names the caller and is not needed if each join brings the token of its seat. `tls` is a `TLS`, False for
    plaintext, or None for plaintext on this machine and TLS to any other. `secret` is what entropy is derived from, by
    default 32 random bytes. `client` introduces the program, 1 to 64 characters. Raises SessionLost if there is no
    referee or it refuses the token, ProblemError if it refuses the client, OSError if the root certificates cannot be
    read.
    """
    async with open_channel(address, tls) as channel:
        stub = referee_service_pb2_grpc.RefereeServiceStub(channel)
        call = stub.Play(metadata=credentials(token))
        session = Session(address, call, secrets.token_bytes(32) if secret is None else secret)
        try:
            await session.greet(client)
            yield session
        finally:
            await session.close()


class Session:
    """Carries the conversations of any number of seats over one stream; `connect` makes it."""

    def __init__(
        self,
        address: str,
        call: grpc.aio.StreamStreamCall[session_pb2.PlayRequest, session_pb2.PlayResponse],
        secret: bytes,
    ) -> None:
        self._address = address
        self._call = call
        self._secret = secret
        self._outbox = Outbox()
        self._ending = SessionLost(grpc.StatusCode.UNKNOWN, "", "", "the session has ended")
        call.add_done_callback(self._end)
        self._lost: SessionLost | None = None
        self._conversations: dict[int, Conversation] = {}
        self._last_handle = 0
        self._greeting: asyncio.Future[session_pb2.SessionInfo] = asyncio.get_running_loop().create_future()
        self._tasks = (asyncio.create_task(self._read()), asyncio.create_task(self._write()))

    async def greet(self, client: str) -> session_pb2.SessionInfo:
        """Introduces the client and returns the limits of the session, which it observes from then on."""
        hello = session_pb2.Hello(client=client, protocol=PROTOCOL)
        self._outbox.put(session_pb2.RequestItem(hello=hello))
        info = await self._greeting
        self._outbox.max_items = info.max_items or self._outbox.max_items
        self._outbox.max_bytes = info.max_message_bytes or self._outbox.max_bytes
        return info

    async def join(
        self,
        match_id: bytes,
        seat: seat_pb2.Seat.ValueType,
        *,
        token: str | None = None,
        delivery: session_pb2.Delivery.ValueType = session_pb2.DELIVERY_EVERY_ENTRY,
        journal: Path | None = None,
    ) -> SeatSession:
        """Takes a seat and returns it.

        `match_id` has 16 bytes; `token` is needed if that of the session does not cover the seat; `journal` names a
        new file for what the seat sees and says. Raises ProblemError if the referee refuses, SessionLost, OSError if
        the journal cannot be created.
        """
        if self._lost is not None:
            raise self._lost
        self._last_handle += 1
        conversation = Conversation(
            self._last_handle, self._outbox.put, None if journal is None else JournalWriter(journal)
        )
        self._conversations[conversation.handle] = conversation
        join = session_pb2.Join(match_id=match_id, seat=seat, seat_token=token or "", delivery=delivery)
        try:
            answer = await conversation.ask(session_pb2.RequestItem(join=join))
        except BaseException:
            conversation.close(ClientError("the seat was not joined"))
            self._conversations.pop(conversation.handle, None)
            raise
        return SeatSession(conversation, answer.joined, self._secret)

    async def close(self) -> None:
        """Ends the session: every seat on it is left, and no match ends by that."""
        self._lose(SessionLost(grpc.StatusCode.CANCELLED, "", "", "the session was closed"))
        self._call.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _read(self) -> None:
        try:
            async for response in self._call:
                for item in response.items:
                    self._route(item)
        except grpc.aio.AioRpcError:
            pass  # `_end` has the status
        except Exception as error:  # whatever it is, nobody may wait for ever
            failure = SessionLost(grpc.StatusCode.INTERNAL, "", "", f"the client failed: {error!r}")
            failure.__cause__ = error
            self._lose(failure)
            return
        self._lose(self._ending)

    def _end(self, call: grpc.aio.StreamStreamCall[session_pb2.PlayRequest, session_pb2.PlayResponse]) -> None:
        self._ending = session_lost(call, self._address)

    async def _write(self) -> None:
        while True:
            request = await self._outbox.next_request()
            try:
                await self._call.write(request)
            except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
                return  # the stream has ended; the reader learns why

    def _route(self, item: session_pb2.ResponseItem) -> None:
        if item.handle == 0:
            self._hear(item)
            return
        conversation = self._conversations.get(item.handle)
        if conversation is None:
            return
        conversation.deliver(item)
        if conversation.closed is not None:
            del self._conversations[item.handle]

    def _hear(self, item: session_pb2.ResponseItem) -> None:
        """Takes an item about the session itself."""
        kind = item.WhichOneof("kind")
        if kind == "session_info" and not self._greeting.done():
            self._greeting.set_result(item.session_info)
        elif kind == "problem" and not self._greeting.done():
            self._greeting.set_exception(ProblemError(item.problem))
        elif kind == "problem":
            _log.warning("the referee reports a problem with the session: %s", ProblemError(item.problem))

    def _lose(self, lost: SessionLost) -> None:
        if self._lost is not None:
            return
        self._lost = lost
        if not self._greeting.done():
            self._greeting.set_exception(lost)
            self._greeting.exception()  # whoever greets raises it; if nobody does, it is not worth a warning
        for conversation in self._conversations.values():
            conversation.close(lost)
        self._conversations.clear()
