"""A bot's session: one reader, one writer, any number of seats (`PROTOCOL.md`, "A session")."""

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Final

import grpc
from google.protobuf.message import DecodeError
from unoduo.v1 import session_pb2 as pb

from referee.match.clock import Clock
from referee.match.credentials import Caller, CallerKind
from referee.match.faults import Fault, ProblemReason
from referee.match.registry import Registry
from referee.server.items import ItemHandler
from referee.server.limits import Limits
from referee.server.outbox import Outbox
from referee.server.pace import Pace
from referee.server.write_guard import STATUS_SHARE, WriteGuard

_LOGGER: Final = logging.getLogger(__name__)
_ITEMS_A_TURN: Final = 16


class Session:
    """Carries one `Play` call."""

    def __init__(self, registry: Registry, clock: Clock, caller: Caller, limits: Limits) -> None:
        self._assignments = registry.assignments
        self._clock = clock
        self._caller = caller
        self._limits = limits
        self._pace = Pace(limits.max_items_per_s)
        self._outbox = Outbox(limits)
        self._items = ItemHandler(registry, caller, limits, self._outbox)
        self._fault: Fault | None = None
        self._is_over = False
        self._is_greeted = caller.kind is not CallerKind.BOT

    def revoke(self, digest: bytes) -> None:
        """Learns that the token with this digest holds no more: the seats granted by it are taken away.

        If the whole session was opened with it, that ends.
        """
        for attachment in self._outbox.handles:
            if attachment.grant == digest:
                attachment.match.revoke(attachment)
        if self._caller.digest == digest:
            self.end(Fault(ProblemReason.TOKEN_UNKNOWN))

    def end(self, fault: Fault) -> None:
        """Ends the session with a status, behind the answers that wait to be written."""
        self._fault = self._fault or fault
        self._outbox.finish()

    async def run(self, requests: AsyncIterator[bytes], context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        """Serves until the last handle of a half-closed session has ended or the client goes.

        Raises Fault if that is what ends it.
        """
        reader = asyncio.create_task(self._read(requests))
        try:
            await self._write(context)
            if self._is_over:
                # This is how a handler says that there is nobody to answer any more.
                raise asyncio.CancelledError
            if self._fault is not None:
                raise self._fault
        finally:
            reader.cancel()
            self._items.close()
            self._assignments.leave(self._caller.bot, self._outbox)

    async def _write(self, context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        try:
            async with WriteGuard(self._limits.write_patience_s * (1 - STATUS_SHARE)) as guard:
                while (message := await self._outbox.next_message()) is not None:
                    guard.begin()
                    await context.write(message)
                    guard.end()
        except TimeoutError:
            self.end(Fault(ProblemReason.SLOW_READER))
        except grpc.aio.BaseError:
            self._is_over = True

    async def _read(self, requests: AsyncIterator[bytes]) -> None:
        try:
            async for data in requests:
                stamp_ms = self._clock.now_ms()
                items = await self._handle(data, stamp_ms)
                if (pause_s := self._pace.wait_s(items, stamp_ms)) > 0:
                    await asyncio.sleep(pause_s)
                await self._outbox.wait_for_room()
            self._outbox.half_close()
        except Fault as fault:
            self.end(fault)
        except grpc.aio.BaseError:
            # The call is finished, or the server has stopped, and grpc has noticed it in the middle of a read.
            self._is_over = True
            self._outbox.finish()
        except Exception:
            _LOGGER.exception("a session is ended")
            self.end(Fault(ProblemReason.INTERNAL))

    async def _handle(self, data: bytes, stamp_ms: int) -> int:
        """Handles a request that was read at that time and returns how many items it had."""
        request = self._parse(data)
        for place, item in enumerate(request.items, 1):
            self._items.handle(item, stamp_ms)
            if not self._is_greeted:
                self._is_greeted = True
                await self._assignments.follow(self._caller.bot, self._outbox)
            if place % _ITEMS_A_TURN == 0:
                await asyncio.sleep(0)
        return len(request.items)

    def _parse(self, data: bytes) -> pb.PlayRequest:
        if len(data) > self._limits.max_request_bytes:
            raise Fault(ProblemReason.MESSAGE_TOO_LARGE)
        try:
            request = pb.PlayRequest.FromString(data)
        except DecodeError:
            raise Fault(ProblemReason.MESSAGE_UNREADABLE) from None
        if len(request.items) > self._limits.max_items:
            raise Fault(ProblemReason.TOO_MANY_ITEMS)
        if not request.items:
            self._items.refuse(0, Fault(ProblemReason.NO_ITEMS))
        return request
