"""A session: any number of seats at one referee, over as many connections as that takes (PROTOCOL.md section 2)."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc.aio
from unoduo.v1 import seat_pb2, session_pb2

from unoduo_client.channel import Security, opener
from unoduo_client.connection import Connection
from unoduo_client.conversation import Conversation
from unoduo_client.dialing import Dialer
from unoduo_client.errors import ClientError, MatchOver, SessionLost
from unoduo_client.journal import JournalWriter
from unoduo_client.seat import SeatSession

PATIENCE_S = 60.0


@asynccontextmanager
async def connect(
    address: str,
    *,
    token: str | None = None,
    tls: Security = None,
    secret: bytes | None = None,
    patience: float | None = None,
    client: str = "unoduo-client python",
) -> AsyncIterator[Session]:
    """Returns a context manager that opens a session with the referee at `host:port` and closes it at the end.

    `token` names the caller and is not needed if each join brings the token of its seat. `tls` is a `TLS`, False for
    plaintext, or None for plaintext on this machine and TLS to any other. `secret` is what entropy is derived from, by
    default 32 random bytes. `client` introduces the program, 1 to 64 characters.

    A connection that is lost is replaced, and seats are resumed where they were, until that has failed for `patience`
    seconds; the referee may be that late at the beginning too. By default the beginning must succeed at once, and what
    is lost later is tried again for 60 seconds. With 0 a lost connection is the end of the session. A match that stands
    still at a referee that answers is waited for without end.

    Raises SessionLost if there is no referee or it refuses the token or the client, OSError if the root certificates
    cannot be read.
    """
    session = Session(address, token, tls, secrets.token_bytes(32) if secret is None else secret, patience, client)
    try:
        await session.open()
        yield session
    finally:
        await session.close()


class Session:
    """Carries the conversations of any number of seats; `connect` makes it."""

    def __init__(
        self, address: str, token: str | None, tls: Security, secret: bytes, patience: float | None, client: str
    ) -> None:
        self._dialer = Dialer(address, opener(address, tls), token, client, self._assign)
        self._secret = secret
        self._first_patience = patience or 0.0
        self._patience = PATIENCE_S if patience is None else patience
        self._lost: SessionLost | None = None
        self._connection: Connection | None = None
        self._supervisor: asyncio.Task[None] | None = None
        self._conversations: set[Conversation] = set()
        self._assigned: asyncio.Queue[session_pb2.Assigned | None] = asyncio.Queue()
        self._known: set[tuple[bytes, int]] = set()

    async def open(self) -> None:
        """Opens the first connection. Raises SessionLost."""
        deadline = asyncio.get_running_loop().time() + self._first_patience
        try:
            connection = await self._dialer.dial()
        except SessionLost as lost:
            connection = await self._dialer.dial_again(lost, self._first_patience, deadline)
        self._connection = connection
        self._supervisor = asyncio.create_task(self._supervise(connection))

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
        the journal cannot be created, ClientError if the token is too long to be sent.
        """
        if self._lost is not None:
            raise self._lost
        join = session_pb2.Join(match_id=match_id, seat=seat, seat_token=token or "", delivery=delivery)
        writer = None if journal is None else JournalWriter(journal)
        conversation = Conversation(join, writer, self._closed)
        self._conversations.add(conversation)
        try:
            if self._connection is not None:
                conversation.attach(self._connection)
            joined = await conversation.joined()
        except BaseException:
            conversation.close(ClientError("the seat was not joined"))
            raise
        return SeatSession(conversation, joined, self._secret)

    async def assignments(self) -> AsyncIterator[session_pb2.Assigned]:
        """Yields each seat that the bot of this session's token has in an unfinished match, and each new one, once.

        It has `match_id`, `seat` and `bot_seed`, a seed for the bot's own dice, and is joined without a token. Raises
        SessionLost when the session has ended.
        """
        while (assigned := await self._assigned.get()) is not None:
            yield assigned
        self._assigned.put_nowait(None)
        assert self._lost is not None
        raise self._lost

    async def close(self) -> None:
        """Ends the session: every seat on it is left, and no match ends by that."""
        try:
            if self._supervisor is not None:
                self._supervisor.cancel()
                await asyncio.gather(self._supervisor, return_exceptions=True)
        finally:
            # Also if whoever closes it is cancelled meanwhile.
            self._lose(SessionLost(grpc.StatusCode.CANCELLED, "", "", "the session was closed"))
            if self._connection is not None:
                await self._connection.close()

    async def _supervise(self, connection: Connection) -> None:
        """Replaces lost connections until one cannot be replaced."""
        loop = asyncio.get_running_loop()
        deadline = 0.0
        try:
            while True:
                lost = await asyncio.shield(connection.lost)
                self._connection = None
                for conversation in tuple(self._conversations):
                    conversation.detach()
                fruitful = connection.was_fruitful()
                await connection.close()
                if fruitful or not deadline:
                    self._dialer.backoff.reset()
                    deadline = loop.time() + self._patience
                connection = await self._dialer.dial_again(lost, self._patience, deadline)
                self._connection = connection
                for conversation in tuple(self._conversations):
                    conversation.attach(connection)
        except SessionLost as final:
            self._lose(final)
        except Exception as error:  # whatever it is, nobody may wait for ever
            failure = SessionLost(grpc.StatusCode.INTERNAL, "", "", f"the client failed: {error!r}")
            failure.__cause__ = error
            self._lose(failure)

    def _assign(self, assigned: session_pb2.Assigned) -> None:
        """Takes an assignment; on each connection the referee tells them all again."""
        key = assigned.match_id, assigned.seat
        if key not in self._known:
            self._known.add(key)
            self._assigned.put_nowait(assigned)

    def _closed(self, conversation: Conversation) -> None:
        self._conversations.discard(conversation)
        if isinstance(conversation.closed, MatchOver):
            # An assignment to a match that is over is not told again.
            self._known.discard((conversation.match_id, conversation.seat))

    def _lose(self, lost: SessionLost) -> None:
        if self._lost is not None:
            return
        self._lost = lost
        for conversation in tuple(self._conversations):
            conversation.close(lost)
        self._assigned.put_nowait(None)
