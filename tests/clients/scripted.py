"""A referee that does what a test tells it, on a real socket."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import grpc.aio
from google.protobuf import any_pb2
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from unoduo.v1 import card_pb2, log_pb2, match_pb2, observation_pb2, seat_pb2, session_pb2

MATCH_ID = bytes(range(16))

Context = grpc.aio.ServicerContext[session_pb2.PlayRequest, session_pb2.PlayResponse]


class Peer:
    """The referee's end of one session."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.requests: list[session_pb2.PlayRequest] = []
        self.pending: list[session_pb2.RequestItem] = []

    async def receive(self) -> session_pb2.RequestItem:
        while not self.pending:
            request = await self.context.read()
            assert isinstance(request, session_pb2.PlayRequest), "the client has half-closed"
            self.requests.append(request)
            self.pending.extend(request.items)
        return self.pending.pop(0)

    async def expect(self, kind: str) -> session_pb2.RequestItem:
        item = await self.receive()
        assert item.WhichOneof("kind") == kind, item
        return item

    async def send(self, *items: session_pb2.ResponseItem) -> None:
        await self.context.write(session_pb2.PlayResponse(items=items))

    async def greet(self, max_items: int = 64, max_message_bytes: int = 65536) -> None:
        await self.expect("hello")
        info = session_pb2.SessionInfo(
            server="scripted", protocol=1, max_items=max_items, max_seats=256, max_message_bytes=max_message_bytes
        )
        await self.send(session_pb2.ResponseItem(session_info=info))

    async def seat(self, deal_mode: match_pb2.DealMode.ValueType = match_pb2.DEAL_MODE_GIVEN) -> int:
        """Lets a seat join and returns its handle."""
        item = await self.expect("join")
        await self.send(joined(item, deal_mode))
        return item.handle

    async def play(self, deal_mode: match_pb2.DealMode.ValueType = match_pb2.DEAL_MODE_GIVEN) -> int:
        """Greets, lets a seat join and be ready, and returns its handle."""
        await self.greet()
        handle = await self.seat(deal_mode)
        await self.expect("ready")
        await self.send(ready_accepted(handle))
        return handle

    async def expect_the_end(self) -> None:
        """Waits until the client is gone, which says nothing more before."""
        request = await self.context.read()
        assert not isinstance(request, session_pb2.PlayRequest), request
        assert self.pending == []

    async def wait_for_the_end(self) -> None:
        """Waits until the client is gone, so that the stream does not end before."""
        while isinstance(await self.context.read(), session_pb2.PlayRequest):
            pass


Script = Callable[[Peer], Awaitable[None]]


def in_turn(*scripts: Script, repeat: bool = False) -> Script:
    """Returns a script that serves each session with the next one; further ones are refused, or get the last again."""
    left = list(scripts)

    async def script(peer: Peer) -> None:
        if not left:
            await peer.context.abort(grpc.StatusCode.UNAVAILABLE, "there is no further script")
        await (left[0] if repeat and len(left) == 1 else left.pop(0))(peer)

    return script


@asynccontextmanager
async def scripted(script: Script) -> AsyncIterator[str]:
    """Serves sessions with a script and yields the address; what fails in the script fails the test."""
    failures: list[BaseException] = []

    async def play(requests: object, context: Context) -> None:
        try:
            await script(Peer(context))
        except AssertionError as error:
            failures.append(error)
            raise

    handler = grpc.stream_stream_rpc_method_handler(
        play, session_pb2.PlayRequest.FromString, session_pb2.PlayResponse.SerializeToString
    )
    async with serving({"Play": handler}) as address:
        yield address
    if failures:
        raise failures[0]


@asynccontextmanager
async def serving(handlers: "dict[str, grpc.RpcMethodHandler[Any, Any]]") -> AsyncIterator[str]:
    """Serves the calls that have a handler on a free port and yields the address."""
    server = grpc.aio.server()
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler("unoduo.v1.RefereeService", handlers)])
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop(None)


def status_details(code: grpc.StatusCode, reason: str, field: str, domain: str = "unoduo.v1") -> tuple[str, bytes]:
    """Returns the trailing metadata of a status as the referee sends it."""
    detail = any_pb2.Any()
    detail.Pack(ErrorInfo(reason=reason, domain=domain, metadata={"field": field}))
    status = Status(code=code.value[0], message="refused", details=[detail])
    return ("grpc-status-details-bin", status.SerializeToString())


def header(deal_mode: match_pb2.DealMode.ValueType) -> bytes:
    return log_pb2.Header(format=1, match_id=MATCH_ID, match_number=7, deal_mode=deal_mode).SerializeToString()


def joined(
    item: session_pb2.RequestItem,
    deal_mode: match_pb2.DealMode.ValueType = match_pb2.DEAL_MODE_GIVEN,
    lifecycle: match_pb2.Lifecycle.ValueType = match_pb2.LIFECYCLE_CREATED,
) -> session_pb2.ResponseItem:
    answer = session_pb2.Joined(
        match_id=item.join.match_id,
        seat=item.join.seat,
        header=header(deal_mode),
        lifecycle=lifecycle,
        join_number=1,
    )
    return session_pb2.ResponseItem(handle=item.handle, joined=answer)


def ready_accepted(handle: int) -> session_pb2.ResponseItem:
    return session_pb2.ResponseItem(handle=handle, ready_accepted=session_pb2.ReadyAccepted(h0=bytes(32)))


def observed(handle: int, observation: observation_pb2.Observation) -> session_pb2.ResponseItem:
    return session_pb2.ResponseItem(handle=handle, observation=observation)


def decision(sequence: int = 5, tries_left: int = 3) -> observation_pb2.Observation:
    """Returns an observation in which seat A may draw or play a card."""
    observation = observation_pb2.Observation(sequence=sequence, head=bytes(32), caught_up=True)
    observation.view.seat = seat_pb2.SEAT_A
    observation.decision.decision_id = sequence
    observation.decision.phase = observation_pb2.PHASE_TURN
    observation.decision.tries_left = tries_left
    observation.decision.legal.add().play.cards.append(card_pb2.CARD_RED_0)
    observation.decision.legal.add().draw.SetInParent()
    return observation


def deal_sealed(entropy_1: bytes, entropy_2: bytes) -> observation_pb2.Observation:
    observation = observation_pb2.Observation(sequence=1)
    sealed = observation.events.add(sequence=1).event.deal_sealed
    sealed.entropy_1, sealed.entropy_2 = entropy_1, entropy_2
    return observation


def accepted(item: session_pb2.RequestItem) -> session_pb2.ResponseItem:
    answer = result(item)
    answer.action_result.accepted.sequence = item.action.decision_id + 1
    return answer


def rejected(item: session_pb2.RequestItem, tries_left: int) -> session_pb2.ResponseItem:
    answer = result(item)
    refusal = answer.action_result.rejected
    refusal.reason = session_pb2.REJECTION_REASON_CARD_NOT_HELD
    refusal.clause, refusal.message, refusal.tries_left = "R13.3", "the card is not in the hand", tries_left
    return answer


def stale(item: session_pb2.RequestItem) -> session_pb2.ResponseItem:
    answer = result(item)
    answer.action_result.stale.reason = session_pb2.STALE_REASON_EXPIRED
    return answer


def result(item: session_pb2.RequestItem) -> session_pb2.ResponseItem:
    answer = session_pb2.ActionResult(action_id=item.action.action_id, decision_id=item.action.decision_id)
    return session_pb2.ResponseItem(handle=item.handle, action_result=answer)


def ended(handle: int, winner: seat_pb2.Seat.ValueType = seat_pb2.SEAT_A) -> session_pb2.ResponseItem:
    answer = session_pb2.Ended(sequence=9, head=bytes(32))
    answer.outcome.winner = winner
    return session_pb2.ResponseItem(handle=handle, ended=answer)


def problem(handle: int, code: int = 7, reason: str = "NOT_YOURS", field: str = "join") -> session_pb2.ResponseItem:
    answer = session_pb2.Problem(code=code, reason=reason, field=field, message="no", retry_after_ms=20)
    return session_pb2.ResponseItem(handle=handle, problem=answer)
