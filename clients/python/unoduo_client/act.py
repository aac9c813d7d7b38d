"""A seat without a stream: each step is a call of its own that waits for news (PROTOCOL.md section 1, `Act`)."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import AsyncIterator

import grpc.aio
from unoduo.v1 import match_pb2, observation_pb2, referee_service_pb2, referee_service_pb2_grpc, seat_pb2, session_pb2

from unoduo_client.backoff import Backoff
from unoduo_client.channel import Security, credentials, opener
from unoduo_client.cursor import Cursor
from unoduo_client.errors import ClientError, ForkedError, MatchOver, RefereeError, SeatDetached
from unoduo_client.play import Bot, play_seat
from unoduo_client.seat import SeatSession
from unoduo_client.session import PATIENCE_S
from unoduo_client.status import referee_error

_WAIT_MS = 20_000
_ANSWER_S = 20.0


async def play_by_polling(
    address: str,
    match_id: bytes,
    seat: seat_pb2.Seat.ValueType,
    token: str,
    bot: Bot,
    *,
    tls: Security = None,
    secret: bytes | None = None,
    patience: float = PATIENCE_S,
) -> session_pb2.Ended:
    """Plays a match to its end by calls of `Act` and returns how it ended.

    For networks where streams are hard; a session costs the referee far less. `token` is that of the seat or of its
    bot; the rest is as for `connect`, and the errors are those of `play_seat`. A referee that cannot be reached is
    tried for `patience` seconds, also at the beginning; a match that stands still at one that answers, without end.
    """
    async with opener(address, tls)() as channel:
        polling = Polling(address, channel, token, match_id, seat, patience)
        joined = await polling.join()
        return await play_seat(SeatSession(polling, joined, secret or secrets.token_bytes(32)), bot)


class Polling:
    """Says and hears about one seat call by call; fulfils `unoduo_client.seat.Talk`."""

    def __init__(
        self,
        address: str,
        channel: grpc.aio.Channel,
        token: str,
        match_id: bytes,
        seat: seat_pb2.Seat.ValueType,
        patience: float,
    ) -> None:
        self.closed: ClientError | None = None
        self._address = address
        self._stub = referee_service_pb2_grpc.RefereeServiceStub(channel)
        self._metadata = credentials(token)
        self._match_id = match_id
        self._seat = seat
        self._patience = patience
        self._cursor = Cursor()
        self._observations: deque[observation_pb2.Observation] = deque()

    @property
    def has_news(self) -> bool:
        """Returns whether an observation has come that was not yielded yet."""
        return bool(self._observations)

    async def join(self) -> session_pb2.Joined:
        """Begins, and returns what the match is. Raises RefereeError."""
        response = await self._call(self._request(wait_ms=0))
        if response.joined.lifecycle == match_pb2.LIFECYCLE_CREATED:
            # What came with it, if the match began just now, came without its history.
            self._cursor = Cursor()
            self._cursor.from_start = True
            self._observations.clear()
        return response.joined

    async def ask(self, item: session_pb2.RequestItem) -> session_pb2.ResponseItem:
        """Says that the seat is ready, or what it does, and returns the answer. Raises RefereeError."""
        if self.closed is not None:
            raise self.closed
        request = self._request()
        if item.HasField("ready"):
            request.ready.CopyFrom(item.ready)
        else:
            request.action.CopyFrom(item.action)
        response = await self._call(request)
        return session_pb2.ResponseItem(
            ready_accepted=response.ready_accepted if response.HasField("ready_accepted") else None,
            action_result=response.action_result if response.HasField("action_result") else None,
        )

    async def finish(self, item: session_pb2.RequestItem) -> ClientError:
        """Resigns or leaves, and returns what `closed` then says. Raises RefereeError."""
        if self.closed is not None:
            raise self.closed
        if item.HasField("leave"):
            # A seat that nobody asks about is left.
            self.closed = SeatDetached(session_pb2.Detached(reason=session_pb2.DETACH_REASON_LEFT))
            return self.closed
        request = self._request()
        request.resign.SetInParent()
        try:
            await self._call(request)
        except RefereeError as error:
            if error.reason != "MATCH_ENDED":
                raise
        while self.closed is None:
            await self._call(self._request())
        return self.closed

    async def observations(self) -> AsyncIterator[observation_pb2.Observation]:
        """Yields observations until the match has ended. Raises RefereeError."""
        while True:
            while self._observations:
                yield self._observations.popleft()
            if isinstance(self.closed, MatchOver):
                return
            if self.closed is not None:
                raise self.closed
            await self._call(self._request())

    async def wait_closed(self) -> ClientError:
        """Waits without end: while nothing is said nothing is heard."""
        nothing: asyncio.Future[ClientError] = asyncio.get_running_loop().create_future()
        return await nothing

    def close(self, error: ClientError) -> None:
        """Ends the conversation for this reason."""
        self.closed = self.closed or error

    def _request(self, wait_ms: int = _WAIT_MS) -> referee_service_pb2.ActRequest:
        request = referee_service_pb2.ActRequest(match_id=self._match_id, seat=self._seat, wait_ms=wait_ms)
        if (position := self._cursor.position) is not None:
            request.after_sequence, request.head = position
        return request

    async def _call(self, request: referee_service_pb2.ActRequest) -> referee_service_pb2.ActResponse:
        """Makes a call, again and again while it fails for what may pass, and takes what it tells.

        What the referee cannot take now is tried for as long as it says so.
        """
        loop = asyncio.get_running_loop()
        backoff, deadline = Backoff(), 0.0
        while True:
            try:
                response = await self._stub.Act(
                    request, metadata=self._metadata, timeout=request.wait_ms / 1000 + _ANSWER_S
                )
                break
            except grpc.aio.AioRpcError as failure:
                error = referee_error(failure, self._address)
            delay = error.retry_after_ms / 1000 or backoff.next_delay()
            deadline = deadline or loop.time() + self._patience
            if error.reason == "FORKED":
                self.closed = ForkedError(self._cursor.sequence, None)
                raise self.closed
            if not error.may_pass or (not error.reason and loop.time() + delay > deadline):
                raise error
            await asyncio.sleep(delay)
        if response.HasField("observation") and self._cursor.take(response.observation):
            self._observations.append(response.observation)
        if response.HasField("ended"):
            self.closed = MatchOver(response.ended)
        return response
