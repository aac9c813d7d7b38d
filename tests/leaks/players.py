"""Those who call a referee in the course of a match: to play a seat, or only to ask."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from unoduo.v1 import action_pb2, seat_pb2, session_pb2
from unoduo.v1 import referee_service_pb2 as pb

from referee.codec.actions import encode_action
from referee.rules.actions import Action
from referee.rules.seats import Seat
from tests.leaks.plans import Plan
from tests.leaks.transcript import Transcript
from tests.leaks.wires import Stream, Told, Wire

if TYPE_CHECKING:
    from tests.leaks.course import Course

_WAIT_MS = 30_000

Item = session_pb2.RequestItem


class Someone:
    """Calls by a token; what that tells is noted, if there is where to."""

    def __init__(self, name: str, wire: Wire, token: str, transcript: Transcript | None) -> None:
        self.name = name
        self.token = token
        self.called: set[str] = set()
        self._wire = wire
        self._transcript = transcript
        self._streams: list[tuple[str, str, Stream]] = []

    async def ask(self, call: str, request: bytes) -> Told:
        """Makes a call that is answered once."""
        self.called.add(call)
        told = await self._wire.unary(call, request, self.token)
        if self._transcript is not None:
            self._transcript.note(f"{self.name} {call}", told)
        return told

    def open(self, call: str, request: bytes | None = None) -> Stream:
        """Begins a call that goes on."""
        self.called.add(call)
        stream = self._wire.open(call, request, self.token)
        self._streams.append((f"{self.name} {call} {len(self._streams)}", call, stream))
        return stream

    async def close(self) -> None:
        """Ends all streams, and notes what came on them."""
        for channel, call, stream in self._streams:
            await stream.cancel()
            if self._transcript is not None:
                self._transcript.note_stream(channel, call, stream)


class Player:
    """Plays a seat by a session, or in single calls if it `acts`."""

    def __init__(self, course: Course, seat: Seat, who: Someone, seat_token: str, plan: Plan | None) -> None:
        self.seat = seat
        self.who = who
        self.seat_token = seat_token
        self.acts = plan is not None and plan.acts
        self.delivery = plan.delivery if plan is not None else session_pb2.DELIVERY_EVERY_ENTRY
        self.stream: Stream | None = None
        self.points: list[tuple[int, bytes]] = []
        self._course = course
        self._ids = count(1)

    @property
    def number(self) -> seat_pb2.Seat.ValueType:
        return seat_pb2.Seat.ValueType(self.seat + 1)

    def join_item(self, resume: tuple[int, bytes] | None) -> Item:
        join = session_pb2.Join(
            match_id=self._course.match_id, seat=self.number, seat_token=self.seat_token, delivery=self.delivery
        )
        if resume is not None:
            join.after_sequence, join.head = resume
        return Item(handle=1, join=join)

    def ready_item(self) -> Item:
        return Item(handle=1, ready=session_pb2.Ready(h0=self._course.h0, entropy=self._course.entropy))

    async def ready(self, stream: Stream) -> None:
        """Declares the seat ready, and waits for the answer."""
        known = len(stream.items)
        await stream.send(self.ready_item())
        await stream.until(lambda: any(item.HasField("ready_accepted") for item in stream.items[known:]))

    async def join(self, resume: tuple[int, bytes] | None = None) -> Stream:
        """Takes the seat in a new session, and waits until it is told what that brings."""
        former, stream = self.stream, self.who.open("Play")
        await stream.send(Item(hello=session_pb2.Hello(client="curious", protocol=1)), self.join_item(resume))
        await stream.until(lambda: bool(self._kinds(stream, "joined", "problem")))
        if self._kinds(stream, "problem"):
            return stream
        self.stream = stream
        if self._course.is_over:
            await stream.until(lambda: stream.has_ended)
        elif self._course.is_played and not self._course.stands:
            await stream.until(lambda: stream.has_caught_up)
        if former is not None and not former.is_over and not former.has_ended:
            await former.until(lambda: bool(self._kinds(former, "detached")))
            await former.half_close()
            await former.until_over()
        return stream

    async def act(self, wait_ms: int = 0, resume: tuple[int, bytes] | None = None, **said: object) -> pb.ActResponse:
        """Makes one call, behind all that is known if nothing else is asked for."""
        request = pb.ActRequest(
            match_id=self._course.match_id, seat=self.number, seat_token=self.seat_token, wait_ms=wait_ms
        )
        after = resume or (self.points[-1] if self.points else None)
        if after is not None:
            request.after_sequence, request.head = after
        for name, message in said.items():
            getattr(request, name).CopyFrom(message)
        told = await self.who.ask("Act", request.SerializeToString())
        if not told.messages:
            return pb.ActResponse()
        response = pb.ActResponse.FromString(told.messages[0])
        if response.HasField("observation"):
            self._learn(response.observation.sequence, response.observation.head)
        return response

    async def submit(self, action: Action, decision_id: int) -> session_pb2.ActionResult:
        """Says an action and returns the answer."""
        action_id = f"a{next(self._ids)}"
        submitted = session_pb2.SubmittedAction(
            decision_id=decision_id, action_id=action_id, action=encode_action(action)
        )
        if self.stream is None:
            return (await self.act(action=submitted)).action_result
        stream = self.stream
        await stream.send(Item(handle=1, action=submitted))

        def answers() -> list[session_pb2.ActionResult]:
            return [item.action_result for item in stream.items if item.action_result.action_id == action_id]

        await stream.until(lambda: bool(answers()))
        return answers()[0]

    async def decision(self) -> tuple[int, list[action_pb2.Action]]:
        """Returns the id of the open decision, which is this seat's, and what is legal."""
        course = self._course
        if self.stream is None:
            told = pb.ActResponse()
            while not told.observation.HasField("decision"):
                told = await self.act(wait_ms=_WAIT_MS)
            return told.observation.decision.decision_id, [*told.observation.decision.legal]
        stream = self.stream
        await stream.until(lambda: stream.sequence >= course.sequence and stream.decision is not None)
        assert stream.decision is not None
        return stream.decision.decision_id, [*stream.decision.legal]

    async def hear(self, next_seat: Seat | None) -> None:
        """Waits until the seat is told of the last entry, if it is told at all."""
        stream, course = self.stream, self._course
        if stream is None:
            return
        if next_seat is None:
            await stream.until(lambda: stream.has_ended)
        elif self.delivery == session_pb2.DELIVERY_EVERY_ENTRY or next_seat is self.seat:
            await stream.until(lambda: stream.sequence >= course.sequence)
        self._learn(stream.sequence, stream.head)

    async def vanish(self) -> None:
        """Loses the connection."""
        if self.stream is not None:
            await self.stream.cancel()
            self.stream = None

    def _learn(self, sequence: int, head: bytes) -> None:
        if not self.points or self.points[-1][0] < sequence:
            self.points.append((sequence, head))

    def _kinds(self, stream: Stream, *kinds: str) -> list[session_pb2.ResponseItem]:
        return [item for item in stream.items if item.handle == 1 and item.WhichOneof("kind") in kinds]
