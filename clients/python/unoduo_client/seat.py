"""A seat of one match, held by this client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from typing import Protocol, TypeVar

from unoduo.v1 import action_pb2, log_pb2, observation_pb2, seat_pb2, session_pb2

from unoduo_client.deal import DealGuard, client_entropy, header_head
from unoduo_client.errors import ClientError, EntropyMissing, MatchOver, SeatDetached

_Value = TypeVar("_Value")


class Talk(Protocol):
    """Is what is said and heard about one seat, be it over a session or call by call."""

    @property
    def closed(self) -> ClientError | None:
        """Returns why it is over, None while it is not."""

    async def ask(self, item: session_pb2.RequestItem) -> session_pb2.ResponseItem:
        """Says something and returns the answer."""

    async def finish(self, item: session_pb2.RequestItem) -> ClientError:
        """Says something that ends it, and returns what `closed` then says."""

    @property
    def has_news(self) -> bool:
        """Returns whether an observation has come that was not yielded yet."""

    def observations(self) -> AsyncIterator[observation_pb2.Observation]:
        """Yields what the seat learns, until the match has ended."""

    async def wait_closed(self) -> ClientError:
        """Waits until it is over, as far as that is noticed while nothing is said, and returns what `closed` says."""

    def close(self, error: ClientError) -> None:
        """Ends it for this reason."""


class SeatSession:
    """Holds one seat. `Session.join` makes it; `unoduo_client.play.play_seat` plays it.

    It outlives its connection: what comes is one gapless stream of observations, and what waits for an answer is asked
    again on the next one. Every method may raise SessionLost, SeatDetached, MatchOver, EntropyMissing, ForkedError or
    JournalError once that has happened, and ProblemError if the referee cannot handle what was said.
    """

    def __init__(self, talk: Talk, joined: session_pb2.Joined, secret: bytes) -> None:
        self.match_id: bytes = joined.match_id
        self.seat: seat_pb2.Seat.ValueType = joined.seat
        self.header: log_pb2.Header = log_pb2.Header.FromString(joined.header)
        self.h0 = header_head(joined.header)
        self.is_ready = False
        self._talk = talk
        self._secret = secret
        self._guard = DealGuard(joined, self.header.deal_mode)
        self._decision_id = 0
        self._tries = 0
        self._closed_decision_id = 0

    @property
    def ended(self) -> session_pb2.Ended | None:
        """Returns how the match ended, None while it has not."""
        closed = self._talk.closed
        return closed.ended if isinstance(closed, MatchOver) else None

    @property
    def has_news(self) -> bool:
        """Returns whether an observation has come that `observations` has not yielded yet."""
        return self._talk.has_news

    async def ready(self, secret: bytes | None = None) -> None:
        """Declares the seat ready; in a fresh deal with entropy derived from `secret`, by default the session's.

        A program that may be restarted between this and the start of its match must keep its secret: the first
        entropy counts (PROTOCOL.md section 8).
        """
        entropy = b""
        if self._guard.wants_entropy:
            entropy = client_entropy(self._secret if secret is None else secret, self.h0)
        self._guard.sent = entropy
        await self._talk.ask(session_pb2.RequestItem(ready=session_pb2.Ready(h0=self.h0, entropy=entropy)))
        self.is_ready = True

    async def observations(self) -> AsyncIterator[observation_pb2.Observation]:
        """Yields what the seat learns until its match has ended.

        Raises EntropyMissing, here and in every later call, if the deal does not contain the entropy that was sent.
        """
        async for observation in self._talk.observations():
            try:
                self._guard.check(observation)
            except EntropyMissing as error:
                self._talk.close(error)
                raise
            yield observation

    async def act(
        self, observation: observation_pb2.Observation, action: action_pb2.Action
    ) -> session_pb2.ActionResult:
        """Answers the decision of an observation and returns the verdict: accepted, rejected or stale.

        Raises ValueError if the observation has no decision or the action is too large to be sent.
        """
        if not observation.HasField("decision"):
            raise ValueError("this observation has no decision to answer")
        decision_id = observation.decision.decision_id
        self._tries = self._tries + 1 if decision_id == self._decision_id else 1
        self._decision_id = decision_id
        submitted = session_pb2.SubmittedAction(decision_id=decision_id, action_id=str(self._tries), action=action)
        answer = await self._talk.ask(session_pb2.RequestItem(action=submitted))
        if not answer.action_result.HasField("rejected"):
            self._closed_decision_id = decision_id
        return answer.action_result

    def is_asked(self, observation: observation_pb2.Observation) -> bool:
        """Returns whether an observation has a decision that this seat has not answered yet.

        After a restart of the referee the open decision is told again, perhaps while its answer is on the way.
        """
        return observation.HasField("decision") and observation.decision.decision_id != self._closed_decision_id

    async def unless_over(self, thinking: Awaitable[_Value]) -> _Value:
        """Returns what something comes to that takes its time, or cancels it and raises why the seat is over."""
        thought, closed = asyncio.ensure_future(thinking), asyncio.create_task(self._talk.wait_closed())
        try:
            await asyncio.wait((thought, closed), return_when=asyncio.FIRST_COMPLETED)
            if thought.done():
                return thought.result()
            raise closed.result()
        finally:
            thought.cancel()
            closed.cancel()
            await asyncio.gather(thought, closed, return_exceptions=True)

    async def resign(self) -> session_pb2.Ended:
        """Gives up the match and returns how it ended."""
        closed = await self._talk.finish(session_pb2.RequestItem(resign=session_pb2.Resign()))
        if isinstance(closed, MatchOver):
            return closed.ended
        raise closed

    async def leave(self) -> None:
        """Stops delivery for this seat. The match goes on and the clock of the seat with it."""
        closed = await self._talk.finish(session_pb2.RequestItem(leave=session_pb2.Leave()))
        if not (isinstance(closed, SeatDetached) and closed.reason == session_pb2.DETACH_REASON_LEFT):
            raise closed
