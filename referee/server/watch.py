"""Somebody who watches: the public parts of one match on a stream."""

import asyncio

import grpc
from unoduo.v1 import referee_service_pb2 as pb

from referee.codec.observations import encode_observation
from referee.match.credentials import Caller
from referee.match.faults import Fault, ProblemReason
from referee.match.feed import stored_feed
from referee.match.joining import find_entry
from referee.match.refusals import later
from referee.match.seats import Resume
from referee.match.spectators import Spectator, Spectators
from referee.server.limits import Limits
from referee.server.requests import without_join
from referee.server.write_guard import STATUS_SHARE, WriteGuard
from referee.store.base import MatchRow, Store
from referee.store.errors import StoreError


class Watch:
    """Carries one `WatchMatch` call.

    What comes next is read when the last message is written, so that a slow client costs no memory.
    """

    def __init__(self, store: Store, caller: Caller, limits: Limits) -> None:
        self._store = store
        self._caller = caller
        self._limits = limits
        self._fault: Fault | None = None
        self._news = asyncio.Event()
        self._spectator = Spectator(self._news.set, self.end)

    def end(self, fault: Fault) -> None:
        """Ends the call with a status."""
        self._fault = self._fault or fault
        self._news.set()

    def revoke(self, digest: bytes) -> None:
        """Learns that the token with this digest holds no more."""
        if self._caller.digest == digest:
            self.end(Fault(ProblemReason.TOKEN_UNKNOWN))

    async def run(
        self,
        row: MatchRow,
        resume: Resume,
        spectators: Spectators,
        context: grpc.aio.ServicerContext[bytes, bytes],
    ) -> None:
        """Tells what comes behind the event that the client knows, until the match has ended. Raises Fault."""
        spectators.add(self._spectator)
        try:
            await self._place(row, resume)
            async with WriteGuard(self._limits.write_patience_s * (1 - STATUS_SHARE)) as guard:
                message: bytes | None = await self._first_message(row, resume, spectators)
                while message is not None:
                    guard.begin()
                    await context.write(message)
                    guard.end()
                    message = await self._next_message(spectators)
        except TimeoutError:
            raise Fault(ProblemReason.SLOW_READER) from None
        except StoreError:
            raise later(ProblemReason.STORE_UNAVAILABLE) from None
        except grpc.aio.BaseError:
            # The call is finished: there is nobody to tell any more.
            raise asyncio.CancelledError from None
        finally:
            spectators.remove(self._spectator)

    async def _place(self, row: MatchRow, resume: Resume) -> None:
        try:
            feed = await stored_feed(self._store, row)
            self._spectator.entry = await find_entry(self._store, row.number, feed, resume)
        except Fault as fault:
            raise without_join(fault) from None

    async def _first_message(self, row: MatchRow, resume: Resume, spectators: Spectators) -> bytes:
        """Returns the message with the header, which comes whether there is news or not."""
        told = await spectators.next_message(self._spectator)
        if self._fault is not None:
            raise self._fault
        if told is None:
            head = resume.head if resume.sequence else row.h0
            told = encode_observation(b"", resume.sequence, head, caught_up=True)
        return pb.WatchMatchResponse(header=row.header).SerializeToString() + told

    async def _next_message(self, spectators: Spectators) -> bytes | None:
        """Returns the next message as soon as there is one, or None behind the last one. Raises Fault."""
        while not self._spectator.has_ended:
            self._news.clear()
            if self._fault is not None:
                raise self._fault
            message = await spectators.next_message(self._spectator)
            if message is not None:
                return message
            await self._news.wait()
        return None
