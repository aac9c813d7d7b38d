"""What is said and heard about one seat, over as many connections as that takes."""

import asyncio
import random
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Protocol

from unoduo.v1 import match_pb2, observation_pb2, seat_pb2, session_pb2

from unoduo_client.backoff import Backoff
from unoduo_client.connection import Route
from unoduo_client.cursor import Cursor
from unoduo_client.errors import ClientError, ForkedError, JournalError, MatchOver, ProblemError, SeatDetached
from unoduo_client.journal import JournalWriter

_JITTER = 1.25

Answer = session_pb2.ResponseItem | ClientError


class Line(Protocol):
    """Is what a conversation knows of a connection."""

    def open(self, route: Route) -> int:
        """Returns a new handle whose items are given to the route."""

    def drop(self, handle: int) -> None:
        """Forgets a handle."""

    def put(self, item: session_pb2.RequestItem) -> None:
        """Sends an item. Raises ValueError if it is too large for any request."""


@dataclass(eq=False, slots=True)
class _Question:
    """Is an item that waits for its answer; `times` counts how often it was sent."""

    item: session_pb2.RequestItem
    answer: asyncio.Future[Answer]
    times: int = 0
    abandoned: bool = False

    def is_answered_by(self, item: session_pb2.ResponseItem) -> bool:
        match item.WhichOneof("kind"):
            case "ready_accepted":
                return self.item.HasField("ready")
            case "action_result":
                asked, result = self.item.action, item.action_result
                return asked.decision_id == result.decision_id and asked.action_id == result.action_id
        return False


class Conversation:
    """Sends items about one seat, one question at a time, and sorts what comes back into answers and observations.

    A problem names only the handle, not the item that it answers; with a single open question it is clear which.

    A connection may be lost at any time. On the next one the seat is taken again behind the last event that was told,
    and the open question is asked again, so that whoever asks or listens notices nothing. A conversation is over when
    the match has ended, the seat was detached for good, the referee's log has become another one or the session is
    given up; `closed` says why, and `on_closed` is told.
    """

    def __init__(
        self,
        join: session_pb2.Join,
        journal: JournalWriter | None = None,
        on_closed: "Callable[[Conversation], None]" = lambda conversation: None,
    ) -> None:
        self.closed: ClientError | None = None
        self._join = join
        self._journal = journal
        self._on_closed = on_closed
        self._first_joined: asyncio.Future[session_pb2.Joined | ClientError] = (
            asyncio.get_running_loop().create_future()
        )
        self._header: bytes | None = None
        self._line: Line | None = None
        self._handle = 0
        self._is_joined = False
        self._timer: asyncio.TimerHandle | None = None
        self._backoff = Backoff()
        self._question: _Question | None = None
        self._cursor = Cursor()
        self._observations: deque[observation_pb2.Observation] = deque()
        self._news = asyncio.Event()
        self._is_closed = asyncio.Event()

    @property
    def has_news(self) -> bool:
        """Returns whether an observation has come that was not yielded yet."""
        return bool(self._observations)

    @property
    def match_id(self) -> bytes:
        """Returns which match it is about."""
        return self._join.match_id

    @property
    def seat(self) -> seat_pb2.Seat.ValueType:
        """Returns which seat it is about."""
        return self._join.seat

    async def joined(self) -> session_pb2.Joined:
        """Returns the answer to the first join. Raises what `closed` says if there is none."""
        answer = await asyncio.shield(self._first_joined)
        if isinstance(answer, ClientError):
            raise answer
        return answer

    async def ask(self, item: session_pb2.RequestItem) -> session_pb2.ResponseItem:
        """Sends an item and returns its answer.

        Raises ProblemError if the referee could not handle it, what `closed` says once the conversation is over, and
        ValueError for an item too large for any request.
        """
        answer = await self._exchange(item)
        if isinstance(answer, ClientError):
            raise answer
        return answer

    async def finish(self, item: session_pb2.RequestItem) -> ClientError:
        """Sends an item that ends the conversation and returns what `closed` then says. Raises ProblemError."""
        answer = await self._exchange(item)
        assert isinstance(answer, ClientError)
        return answer

    async def observations(self) -> AsyncIterator[observation_pb2.Observation]:
        """Yields observations until the match has ended. Raises what `closed` says if it ended otherwise."""
        while True:
            while self._observations:
                yield self._observations.popleft()
            if isinstance(self.closed, MatchOver):
                return
            if self.closed is not None:
                raise self.closed
            self._news.clear()
            await self._news.wait()

    async def wait_closed(self) -> ClientError:
        """Waits until it is over and returns what `closed` says."""
        await self._is_closed.wait()
        assert self.closed is not None
        return self.closed

    # The connection

    def attach(self, line: Line) -> None:
        """Takes the seat over a connection."""
        self._line = line
        self._is_joined = False
        self._handle = line.open(self.deliver)
        item = session_pb2.RequestItem(handle=self._handle, join=self._join)
        if (position := self._cursor.position) is not None:
            item.join.after_sequence, item.join.head = position
        try:
            line.put(item)
        except ValueError as error:
            self.close(ClientError(str(error)))

    def detach(self) -> None:
        """Learns that the connection is lost; the next one is taken by `attach`."""
        self._line = None
        self._is_joined = False
        self._stop_waiting()
        if self._question is not None and self._question.item.HasField("leave"):
            # A seat whose session is gone is left.
            self.close(SeatDetached(session_pb2.Detached(reason=session_pb2.DETACH_REASON_LEFT)))

    def close(self, error: ClientError) -> None:
        """Ends the conversation for this reason, unless it has ended already."""
        if self.closed is not None:
            return
        self.closed = error
        self._stop_waiting()
        if self._journal is not None:
            self._journal.close()
        self._drop_handle()
        if not self._first_joined.done():
            self._first_joined.set_result(error)
        self._answer(error)
        self._news.set()
        self._is_closed.set()
        self._on_closed(self)

    # What the referee says

    def deliver(self, item: session_pb2.ResponseItem) -> bool:
        """Takes an item that the referee sent under the handle, and returns whether it brought anything new.

        A kind that it does not know is skipped.
        """
        if self.closed is not None:
            return False
        try:
            return self._take(item)
        except JournalError:
            return False

    def _take(self, item: session_pb2.ResponseItem) -> bool:
        match item.WhichOneof("kind"):
            case "observation":
                return self._observe(item)
            case "joined":
                self._admit(item)
                return False
            case "problem":
                return self._refused(item)
            case "detached":
                return self._let_go(item.detached)
            case "ended":
                self._keep(item)
                self.close(MatchOver(item.ended))
                return True
        if self._question is None or not self._question.is_answered_by(item):
            return False
        self._keep(item)
        self._answer(item)
        return True

    def _observe(self, item: session_pb2.ResponseItem) -> bool:
        if not self._cursor.take(item.observation):
            return False
        self._backoff.reset()
        self._keep(item)
        self._observations.append(item.observation)
        self._news.set()
        if self._is_joined and self._timer is not None:
            # The match goes on; the decision of an action that waits may be closed by now.
            self._repeat()
        return True

    def _admit(self, item: session_pb2.ResponseItem) -> None:
        joined = item.joined
        if self._header is None:
            self._keep(item)
            self._header = joined.header
            self._cursor.from_start = joined.lifecycle == match_pb2.LIFECYCLE_CREATED
            self._first_joined.set_result(joined)
        elif joined.header != self._header:
            self._fork()
            return
        self._is_joined = True
        question = self._question
        if question is None or joined.lifecycle == match_pb2.LIFECYCLE_ENDED:
            return  # Of a match that has ended nothing is left to be asked: Ended comes and answers everything.
        if question.abandoned:
            self._drop()
        else:
            self._put(question)

    def _refused(self, item: session_pb2.ResponseItem) -> bool:
        problem, question = ProblemError(item.problem), self._question
        if problem.reason == "DRAINING":
            # The session is about to end. What was said is said again in the next one.
            return False
        wait_s = problem.retry_after_ms / 1000 * random.uniform(1, _JITTER)
        if not self._is_joined:
            if problem.may_pass:
                self._wait(wait_s, self._rejoin)
            elif problem.reason == "FORKED":
                self._fork()
            else:
                self.close(problem)
        elif question is None:
            self.close(problem)
        elif problem.may_pass and not question.abandoned:
            self._wait(wait_s, self._repeat)
        elif question.times > 1 and problem.reason == "MATCH_ENDED":
            # It may have ended by this very question, asked before. Ended answers it.
            return False
        else:
            self._answer(item)
            return True
        return False

    def _let_go(self, detached: session_pb2.Detached) -> bool:
        if detached.reason != session_pb2.DETACH_REASON_MATCH_FROZEN:
            self.close(SeatDetached(detached))
            return True
        # What was under way under this handle is answered by problems that mean nothing any more.
        self._drop_handle()
        self._wait(self._backoff.next_delay(), self._rejoin)
        return False

    def _fork(self) -> None:
        self.close(ForkedError(self._cursor.sequence, None if self._journal is None else self._journal.path))

    # What is said to the referee

    async def _exchange(self, item: session_pb2.RequestItem) -> Answer:
        while self._question is not None:
            await asyncio.wait([self._question.answer])
        if self.closed is not None:
            raise self.closed
        loop = asyncio.get_running_loop()
        question = self._question = _Question(item, loop.create_future())
        if self._is_joined:
            self._put(question)
        try:
            answer = await question.answer
        except asyncio.CancelledError:
            # The answer may still come. Whoever asks next waits for it, so as not to take it for its own.
            if self._question is question:
                question.answer = loop.create_future()
                question.abandoned = True
                if not self._is_joined or self._timer is not None:
                    self._drop()
            raise
        if isinstance(answer, session_pb2.ResponseItem) and answer.HasField("problem"):
            raise ProblemError(answer.problem)
        return answer

    def _put(self, question: _Question) -> None:
        assert self._line is not None
        item = question.item
        if question.times:
            item = session_pb2.RequestItem()
            item.CopyFrom(question.item)
        item.handle = self._handle
        try:
            self._line.put(item)
        except ValueError as error:
            self._question = None
            question.answer.set_exception(error)
            return
        question.times += 1
        if question.times == 1:
            self._keep(item)

    def _repeat(self) -> None:
        self._stop_waiting()
        if self._question is not None:
            self._put(self._question)

    def _rejoin(self) -> None:
        self._stop_waiting()
        self._drop_handle()
        if self._line is not None:
            self.attach(self._line)

    def _drop_handle(self) -> None:
        self._is_joined = False
        if self._line is not None:
            self._line.drop(self._handle)

    def _drop(self) -> None:
        """Forgets a question that nobody waits for and that no answer comes to."""
        if self._is_joined:
            self._stop_waiting()
        self._answer(ClientError("nobody waits for this"))

    def _answer(self, answer: Answer) -> None:
        question, self._question = self._question, None
        if question is not None and not question.answer.done():
            question.answer.set_result(answer)

    def _wait(self, seconds: float, then: Callable[[], None]) -> None:
        self._stop_waiting()
        self._timer = asyncio.get_running_loop().call_later(seconds, then)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _keep(self, item: session_pb2.RequestItem | session_pb2.ResponseItem) -> None:
        if self._journal is None:
            return
        try:
            self._journal.record(item)
        except OSError as error:
            failure = JournalError(f"the journal cannot be written: {error}")
            self.close(failure)
            raise failure from error
