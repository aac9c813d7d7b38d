"""One step of a bot without a stream: a seat is visited, something may be said, and news is waited for."""

import asyncio
from collections.abc import Callable
from typing import Final

from unoduo.v1 import referee_service_pb2 as pb
from unoduo.v1 import session_pb2

from referee.codec.enums import LIFECYCLES
from referee.match.credentials import Caller
from referee.match.faults import Fault, ProblemReason
from referee.match.inbox import JoinPost, ResignPost, SeatPost
from referee.match.refusals import later
from referee.match.registry import Registry
from referee.match.seats import Attachment, Delivery
from referee.server.requests import action_post, invalid, match_id_of, ready_post, resume_of, seat_of, without_join

_LONGEST_WAIT_MS: Final = 30_000
_HANDLE: Final = 1


class Act:
    """Carries one `Act` call; fulfils `referee.match.seats.SeatPort`, and makes one answer of what is put to it."""

    def __init__(self, registry: Registry, caller: Caller, patience_s: float) -> None:
        self._registry = registry
        self._caller = caller
        self._patience_s = patience_s
        self._response = pb.ActResponse()
        self._attachment: Attachment | None = None
        self._fault: Fault | None = None
        self._news = asyncio.Event()

    def put(self, handle: int, item: bytes) -> None:
        """Takes an encoded item of a session."""
        (told,) = session_pb2.PlayResponse.FromString(item).items
        if told.HasField("problem"):
            self.end(_fault_of(told.problem))
        elif told.HasField("detached"):
            revoked = told.detached.reason == session_pb2.DETACH_REASON_TOKEN_REVOKED
            self.end(Fault(ProblemReason.TOKEN_UNKNOWN) if revoked else later(ProblemReason.MATCH_FROZEN))
        else:
            kind = str(told.WhichOneof("kind"))
            getattr(self._response, kind).CopyFrom(getattr(told, kind))
            self._news.set()

    def wake(self, handle: int) -> None:
        """Learns that there may be news."""
        self._news.set()

    def ended(self, handle: int) -> None:
        """Learns that nothing more comes; what that means is put as an item."""

    def end(self, fault: Fault) -> None:
        """Ends the call with a status."""
        self._fault = self._fault or fault
        self._news.set()

    def revoke(self, digest: bytes) -> None:
        """Learns that the token with this digest holds no more."""
        by_token = self._attachment is not None and self._attachment.grant == digest
        if by_token or self._caller.digest == digest:
            self.end(Fault(ProblemReason.TOKEN_UNKNOWN))

    async def answer(self, request: pb.ActRequest, stamp_ms: int) -> pb.ActResponse:
        """Returns the answer to a request that was read at that time, as soon as there is one. Raises Fault."""
        self._attachment = attachment = self._attach(request)
        try:
            for post in _posts(attachment, request, stamp_ms):
                attachment.match.post(post)
            kind = request.WhichOneof("kind")
            await self._wait_patiently(lambda: self._is_answered(kind))
            if kind == "resign":
                # Whether a seat could give up only the end tells.
                await self._wait_patiently(lambda: self._take_news(attachment))
            else:
                await self._wait_for_news(attachment, request.wait_ms)
        finally:
            attachment.match.lose(attachment)
        response = self._response
        response.lifecycle = LIFECYCLES.numbers[attachment.match.lifecycle]
        if request.HasField("after_sequence"):
            response.ClearField("joined")
        return response

    def _attach(self, request: pb.ActRequest) -> Attachment:
        match_id = match_id_of(request)
        if request.wait_ms > _LONGEST_WAIT_MS:
            raise invalid("wait_ms", f"must be at most {_LONGEST_WAIT_MS}, not {request.wait_ms}")
        resume = resume_of(request) if request.HasField("after_sequence") else None
        seat = seat_of(request.seat, "seat")
        try:
            attachment = self._registry.attach(
                self._caller, match_id, seat, request.seat_token, self, _HANDLE, Delivery.ON_DECISION, resume
            )
        except Fault as fault:
            raise without_join(fault) from None
        attachment.visiting = True
        return attachment

    async def _wait_patiently(self, is_done: Callable[[], bool]) -> None:
        try:
            async with asyncio.timeout(self._patience_s):
                await self._until(is_done)
        except TimeoutError:
            # Only a store that stands still takes so long. What was said may still count: it is safe to say it again.
            raise later(ProblemReason.MATCH_FROZEN) from None

    def _is_answered(self, kind: str | None) -> bool:
        response = self._response
        if not response.HasField("joined"):
            return False
        if kind == "ready":
            return response.HasField("ready_accepted")
        return kind != "action" or response.HasField("action_result")

    async def _wait_for_news(self, attachment: Attachment, wait_ms: int) -> None:
        def take() -> bool:
            return self._take_news(attachment)

        try:
            async with asyncio.timeout(wait_ms / 1_000):
                await self._until(take)
        except TimeoutError:
            # The wait is over: what there is will do.
            attachment.delivery = Delivery.EVERY_ENTRY
            if not take() and attachment.match.is_behind(attachment):
                # A page of history is on its way.
                await self._wait_patiently(take)

    def _take_news(self, attachment: Attachment) -> bool:
        """Takes what is due now, and returns whether the seat has something to do: to decide, to read on or to stop."""
        while not self._is_complete() and (item := attachment.match.next_item(attachment)) is not None:
            self.put(_HANDLE, item)
        return self._is_complete()

    def _is_complete(self) -> bool:
        response = self._response
        told = response.observation
        return response.HasField("ended") or (
            response.HasField("observation") and (told.HasField("decision") or not told.caught_up)
        )

    async def _until(self, is_done: Callable[[], bool]) -> None:
        while True:
            # Before the look, because a match that is given up by it puts answers.
            self._news.clear()
            if self._fault is not None:
                raise self._fault
            if is_done():
                return
            await self._news.wait()


def _posts(attachment: Attachment, request: pb.ActRequest, stamp_ms: int) -> list[SeatPost]:
    """Returns what a request says, in its order. Raises Fault."""
    posts: list[SeatPost] = [JoinPost(attachment)]
    kind = request.WhichOneof("kind")
    if kind == "ready":
        posts.append(ready_post(attachment, request.ready))
    elif kind == "action":
        posts.append(action_post(attachment, request.action, stamp_ms))
    elif kind == "resign":
        posts.append(ResignPost(attachment, stamp_ms))
    return posts


def _fault_of(problem: session_pb2.Problem) -> Fault:
    return without_join(
        Fault(
            ProblemReason[problem.reason],
            field=problem.field,
            message=problem.message,
            retry_after_ms=problem.retry_after_ms,
        )
    )
