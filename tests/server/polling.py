"""A bot of single `Act` calls, and what tests ask about them."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import pytest
from unoduo.v1 import referee_service_pb2 as pb
from unoduo.v1 import session_pb2
from unoduo.v1.action_pb2 import Action, KeepOffered

from tests.server.wire import Referee, h0, info_of

KEEP = Action(keep_offered=KeepOffered())


class Poller:
    """A bot of one seat that knows where it is, and calls `Act` for each step."""

    def __init__(self, host: Referee, match: pb.CreateMatchResponse, seat: int) -> None:
        self.host = host
        self.match = match
        self.seat = seat
        self.sequence = 0
        self.head = b""
        self.sequences: list[int] = []

    def request(self, **fields: Any) -> pb.ActRequest:
        match, seat = self.match, self.seat
        given: dict[str, Any] = {"match_id": match.match_id, "seat": seat, "seat_token": match.seat_tokens[seat - 1]}
        return pb.ActRequest(**(given | fields))

    async def act(self, **fields: Any) -> pb.ActResponse:
        """Makes one step, and keeps in mind what is told."""
        response: pb.ActResponse = await self.host.stub.Act(self.request(**fields), timeout=20)
        if response.HasField("observation"):
            self.sequence, self.head = response.observation.sequence, response.observation.head
            self.sequences += [event.sequence for event in response.observation.events]
        return response

    async def go_on(self, wait_ms: int = 10_000, **fields: Any) -> pb.ActResponse:
        """Makes one step from where it is."""
        return await self.act(after_sequence=self.sequence, head=self.head, wait_ms=wait_ms, **fields)

    async def ready(self, wait_ms: int = 10_000) -> pb.ActResponse:
        return await self.go_on(wait_ms, ready=session_pb2.Ready(h0=h0(self.match.header)))

    async def play(self) -> session_pb2.Ended:
        """Plays the first legal actions until the match has ended."""
        response = await self.ready()
        number = 0
        while not response.HasField("ended"):
            told = response.observation
            fields: dict[str, Any] = {}
            if told.HasField("decision"):
                number += 1
                fields["action"] = submitted(told.decision.decision_id, told.decision.legal[0], str(number))
            response = await self.go_on(**fields)
            assert response.action_result.WhichOneof("verdict") in (None, "accepted")
        return response.ended


def submitted(decision_id: int, action: Action, action_id: str = "a") -> session_pb2.SubmittedAction:
    return session_pb2.SubmittedAction(decision_id=decision_id, action_id=action_id, action=action)


async def started(host: Referee, **fields: Any) -> tuple[Poller, Poller, pb.ActResponse]:
    """Returns a match that has started: the seat that is asked, the other one, and what the first was told."""
    match = await host.create(**fields)
    a, b = Poller(host, match, 1), Poller(host, match, 2)
    for one in (a, b):
        await one.act(ready=session_pb2.Ready(h0=h0(match.header)))
    while True:
        a, b = b, Poller(host, match, a.seat)
        told = await b.act(after_sequence=0)
        if told.observation.HasField("decision"):
            await a.go_on(0)
            return b, a, told


async def refusal_of(call: Awaitable[Any]) -> tuple[grpc.StatusCode, str, str]:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await call
    info = info_of(error.value)
    return error.value.code(), info.reason, info.metadata["field"]


async def why(call: Awaitable[Any]) -> str:
    """Returns why a call was refused, nothing if it was not."""
    try:
        await call
    except grpc.aio.AioRpcError as error:
        return info_of(error).reason
    return ""


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(20):
        while not await condition():  # noqa: ASYNC110 - the referee has no event for a test to wait for
            await asyncio.sleep(0.01)
