"""Loads for the servers of `serving`: bots that answer at once, counted in moves."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence
from hashlib import sha256

import grpc
from unoduo.v1 import match_pb2, referee_service_pb2, referee_service_pb2_grpc, ruleset_pb2, seat_pb2, session_pb2

from tests.benchmarks.serving import BARE_METHOD, YOUR_TURN

_MOVE = bytes(60)
"""About the size of a request with one action."""

_PLAY = "/unoduo.v1.RefereeService/Play"
_ENDLESS = ruleset_pb2.Ruleset(target=1_000_000, round_cap=10_000)
_PATIENT = match_pb2.TimeControl(limit_ms=3_600_000)


class Load(ABC):
    """Is a set of streams that make moves while it is let run."""

    def __init__(self, port: int) -> None:
        self.moves = 0
        self.received_messages = 0
        self.received_bytes = 0
        self.gate = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self.channel = grpc.aio.insecure_channel(f"127.0.0.1:{port}")

    @abstractmethod
    async def open(self) -> None:
        """Opens the streams; they make no moves yet."""

    async def run(self, seconds: float) -> int:
        """Lets the streams run for some time and returns how many moves they made."""
        before = self.moves
        self.gate.set()
        await asyncio.sleep(seconds)
        self.gate.clear()
        self.raise_failures()
        return self.moves - before

    async def close(self) -> None:
        """Ends all streams."""
        self.raise_failures()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.channel.close()

    def received(self, message: bytes) -> None:
        """Counts a message."""
        self.received_messages += 1
        self.received_bytes += len(message)

    def raise_failures(self) -> None:
        """Raises what has ended a stream, if one has ended."""
        for task in self._tasks:
            if task.done():
                task.result()


class BareLoad(Load):
    """Plays ping-pong over pairs of streams at the bare server."""

    def __init__(self, port: int, pairs: int) -> None:
        super().__init__(port)
        self._pairs = pairs

    async def open(self) -> None:
        """Opens the streams of all pairs."""
        self._tasks = [asyncio.create_task(self._play()) for _ in range(2 * self._pairs)]

    async def _play(self) -> None:
        call: grpc.aio.StreamStreamCall[bytes, bytes] = self.channel.stream_stream(BARE_METHOD)()
        async for message in call:
            self.received(message)
            if message.startswith(YOUR_TURN):
                await self.gate.wait()
                self.moves += 1
                await call.write(_MOVE)


class RefereeLoad(Load):
    """Plays matches at the referee, with some seats of different matches on each session."""

    def __init__(
        self,
        port: int,
        matches: int,
        seats_a_session: int,
        delivery: session_pb2.Delivery.ValueType = session_pb2.DELIVERY_EVERY_ENTRY,
        ruleset: ruleset_pb2.Ruleset = _ENDLESS,
    ) -> None:
        super().__init__(port)
        self.created: list[referee_service_pb2.CreateMatchResponse] = []
        self.ended = 0
        self._matches = matches
        self._seats_a_session = seats_a_session
        self._delivery = delivery
        self._ruleset = ruleset

    @property
    def stub(self) -> referee_service_pb2_grpc.RefereeServiceAsyncStub:
        """Returns the calls of an organiser."""
        stub: referee_service_pb2_grpc.RefereeServiceAsyncStub = referee_service_pb2_grpc.RefereeServiceStub(
            self.channel
        )
        return stub

    async def open(self) -> None:
        """Creates the matches, joins and readies all seats."""
        stub = self.stub
        for number in range(self._matches):
            request = referee_service_pb2.CreateMatchRequest(
                ruleset=self._ruleset,
                time_control=_PATIENT,
                players=[match_pb2.Player(name="one"), match_pb2.Player(name="two")],
                seed=number.to_bytes(32),
            )
            self.created.append(await stub.CreateMatch(request))
        for seat in (seat_pb2.SEAT_A, seat_pb2.SEAT_B):
            for start in range(0, self._matches, self._seats_a_session):
                joins = [
                    session_pb2.Join(
                        match_id=match.match_id,
                        seat=seat,
                        seat_token=match.seat_tokens[seat - 1],
                        delivery=self._delivery,
                    )
                    for match in self.created[start : start + self._seats_a_session]
                ]
                self._tasks.append(asyncio.create_task(self._play(joins)))

    async def _play(self, joins: list[session_pb2.Join]) -> None:
        call: grpc.aio.StreamStreamCall[bytes, bytes] = self.channel.stream_stream(_PLAY)()
        first = session_pb2.PlayRequest(
            items=[session_pb2.RequestItem(handle=handle, join=join) for handle, join in enumerate(joins, 1)]
        )
        await call.write(first.SerializeToString())
        await self.play(call)

    async def play(self, call: grpc.aio.StreamStreamCall[bytes, bytes]) -> None:
        """Answers what comes on a session, until it ends."""
        async for message in call:
            answers = self.answers(message)
            if answers:
                await self.gate.wait()
                await call.write(session_pb2.PlayRequest(items=answers).SerializeToString())

    def answers(self, message: bytes) -> Sequence[session_pb2.RequestItem]:
        """Counts a response and returns what its seats say to it: one legal action for each decision."""
        self.received(message)
        answers = []
        for item in session_pb2.PlayResponse.FromString(message).items:
            kind = item.WhichOneof("kind")
            if kind == "observation":
                decision = item.observation.decision
                if decision.legal:
                    identity = decision.decision_id
                    action = session_pb2.SubmittedAction(
                        decision_id=identity, action_id="m", action=decision.legal[identity % len(decision.legal)]
                    )
                    answers.append(session_pb2.RequestItem(handle=item.handle, action=action))
            elif kind == "action_result":
                if not item.action_result.HasField("accepted"):
                    raise RuntimeError(f"a legal action was not accepted: {item}")
                self.moves += 1
            elif kind == "joined":
                ready = session_pb2.Ready(h0=_head(item.joined.header))
                answers.append(session_pb2.RequestItem(handle=item.handle, ready=ready))
            elif kind == "ended":
                self.ended += 1
            elif kind not in ("ready_accepted", None):
                raise RuntimeError(f"unexpected item: {item}")
        return answers


def _head(header: bytes) -> bytes:
    return sha256(b"\x00" + header).digest()
