"""One handle of a session: what is asked and answered under it, in order."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable

from unoduo.v1 import observation_pb2, session_pb2

from unoduo_client.errors import ClientError, JournalError, MatchOver, ProblemError, SeatDetached
from unoduo_client.journal import JournalWriter

_ANSWERS = {"join": "joined", "ready": "ready_accepted", "action": "action_result"}


class Conversation:
    """Sends items under one handle, one question at a time, and sorts what comes back into answers and observations.

    A problem names only the handle, not the item that it answers; with a single open question it is clear which. A
    conversation is over when the match has ended, the seat was detached or the session was lost; `closed` says why.
    """

    def __init__(
        self, handle: int, send: Callable[[session_pb2.RequestItem], None], journal: JournalWriter | None = None
    ) -> None:
        self.handle = handle
        self.closed: ClientError | None = None
        self._send = send
        self._journal = journal
        self._expected: str | None = None
        self._question: asyncio.Future[session_pb2.ResponseItem | ClientError] | None = None
        self._observations: deque[observation_pb2.Observation] = deque()
        self._news = asyncio.Event()

    async def ask(self, item: session_pb2.RequestItem) -> session_pb2.ResponseItem:
        """Sends an item and returns its answer.

        Raises ProblemError if the referee could not handle it, and what `closed` says once the conversation is over.
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

    def deliver(self, item: session_pb2.ResponseItem) -> None:
        """Takes an item that the referee sent under this handle; a kind that it does not know is skipped."""
        if self.closed is not None:
            return
        try:
            self._keep(item)
        except JournalError:
            return
        match item.WhichOneof("kind"):
            case "observation":
                self._observations.append(item.observation)
                self._news.set()
            case "ended":
                self.close(MatchOver(item.ended))
            case "detached":
                self.close(SeatDetached(item.detached))
            case "problem" if self._question is None:
                self.close(ProblemError(item.problem))
            case kind if kind == "problem" or kind == self._expected:
                self._answer(item)

    def close(self, error: ClientError) -> None:
        """Ends the conversation for this reason, unless it has ended already."""
        if self.closed is not None:
            return
        self.closed = error
        if self._journal is not None:
            self._journal.close()
        self._answer(error)
        self._news.set()

    async def _exchange(self, item: session_pb2.RequestItem) -> session_pb2.ResponseItem | ClientError:
        while self._question is not None:
            await asyncio.wait([self._question])
        if self.closed is not None:
            raise self.closed
        item.handle = self.handle
        self._send(item)
        self._keep(item)
        loop = asyncio.get_running_loop()
        question: asyncio.Future[session_pb2.ResponseItem | ClientError] = loop.create_future()
        self._question = question
        self._expected = _ANSWERS.get(item.WhichOneof("kind") or "")
        try:
            answer = await question
        except asyncio.CancelledError:
            # The answer still comes. Whoever asks next waits for it, so as not to take it for its own.
            if self._question is question:
                self._question = loop.create_future()
            raise
        if isinstance(answer, session_pb2.ResponseItem) and answer.HasField("problem"):
            raise ProblemError(answer.problem)
        return answer

    def _answer(self, answer: session_pb2.ResponseItem | ClientError) -> None:
        question, self._question = self._question, None
        if question is not None and not question.done():
            question.set_result(answer)

    def _keep(self, item: session_pb2.RequestItem | session_pb2.ResponseItem) -> None:
        if self._journal is None:
            return
        try:
            self._journal.record(item)
        except OSError as error:
            failure = JournalError(f"the journal cannot be written: {error}")
            self.close(failure)
            raise failure from error
