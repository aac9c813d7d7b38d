"""A client of raw messages, as wrong as a test wants it to be."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

import grpc
from google.rpc import error_details_pb2, status_pb2
from unoduo.v1 import match_pb2, ruleset_pb2, session_pb2
from unoduo.v1 import referee_service_pb2 as pb
from unoduo.v1 import referee_service_pb2_grpc as service
from unoduo.v1.action_pb2 import Action

from referee.server.limits import Limits
from referee.server.runtime import Running, serve
from referee.store.base import Store
from referee.store.memory import MemoryStore

PATIENCE_S = 20
_MOST_ITEMS = 64
PLAY = "/unoduo.v1.RefereeService/Play"

Item = session_pb2.RequestItem


class Referee:
    """A referee on a socket of its own, with a channel to it."""

    def __init__(self, running: Running, channel: grpc.aio.Channel) -> None:
        self.running = running
        self.channel = channel
        self.stub: Any = service.RefereeServiceStub(channel)

    async def create(self, *, turn_cap: int = 0, **fields: Any) -> pb.CreateMatchResponse:
        """Creates a match of one round; a turn cap of 0 is the usual one."""
        request = pb.CreateMatchRequest(
            players=[match_pb2.Player(name="Ada"), match_pb2.Player(name="Bob")],
            ruleset=ruleset_pb2.Ruleset(target=1, turn_cap=turn_cap),
            **fields,
        )
        response: pb.CreateMatchResponse = await self.stub.CreateMatch(request)
        return response

    async def replay(self, match_id: bytes) -> bytes:
        data: bytes = b""
        token = ""
        while True:
            page = await self.stub.GetReplay(pb.GetReplayRequest(match_id=match_id, page_token=token))
            data, token = data + page.data, page.next_page_token
            if not token:
                return data

    def session(self, metadata: tuple[tuple[str, str], ...] = ()) -> "Session":
        call: Any = self.channel.stream_stream(PLAY)
        return Session(call(metadata=metadata))


class Session:
    """A `Play` call in raw bytes."""

    def __init__(self, call: Any) -> None:
        self.call = call
        self.items: list[session_pb2.ResponseItem] = []
        self.message_sizes: list[int] = []
        self._handles = count(1)
        self._cursor = 0

    async def send(self, *items: Item) -> None:
        await self.send_bytes(session_pb2.PlayRequest(items=items).SerializeToString())

    async def send_bytes(self, data: bytes) -> None:
        await self.call.write(data)

    async def next(self) -> session_pb2.ResponseItem:
        """Returns the next item, whatever it is."""
        if self._cursor == len(self.items):
            await self._read()
        self._cursor += 1
        return self.items[self._cursor - 1]

    async def batch(self) -> list[session_pb2.ResponseItem]:
        """Returns all items that have come and were not returned yet, at least one."""
        if self._cursor == len(self.items):
            await self._read()
        start, self._cursor = self._cursor, len(self.items)
        return self.items[start:]

    async def _read(self) -> None:
        size = len(self.items)
        async with asyncio.timeout(PATIENCE_S):
            while size == len(self.items):
                data = await self.call.read()
                if data is grpc.aio.EOF:
                    raise EOFError(str(await self.call.code()))
                self.message_sizes.append(len(data))
                self.items.extend(session_pb2.PlayResponse.FromString(data).items)

    async def until(self, kind: str, handle: int | None = None) -> Any:
        """Returns the content of the next item of a kind, passing over others."""
        while True:
            item = await self.next()
            if item.WhichOneof("kind") == kind and handle in (None, item.handle):
                return getattr(item, kind)

    async def problem(self, handle: int | None = None) -> tuple[int, str, str]:
        """Returns code, reason and field of the next problem."""
        problem = await self.until("problem", handle)
        assert problem.message
        return problem.code, problem.reason, problem.field

    async def end(self) -> tuple[grpc.StatusCode, str]:
        """Reads to the end and returns status code and reason."""
        async with asyncio.timeout(PATIENCE_S):
            try:
                while True:
                    if (data := await self.call.read()) is grpc.aio.EOF:
                        break
                    self.items.extend(session_pb2.PlayResponse.FromString(data).items)
            except grpc.aio.AioRpcError as error:
                return error.code(), reason_of(error)
            return await self.call.code(), ""

    async def join(self, match: pb.CreateMatchResponse, seat: int, **fields: Any) -> int:
        """Joins a seat and returns its handle."""
        handle = next(self._handles)
        await self.send(join_item(handle, match, seat, **fields))
        await self.until("joined", handle)
        return handle

    async def ready(self, handle: int, match: pb.CreateMatchResponse, entropy: bytes = b"") -> None:
        await self.send(Item(handle=handle, ready=session_pb2.Ready(h0=h0(match.header), entropy=entropy)))

    async def problems(self, number: int) -> set[tuple[int, str, str]]:
        """Returns the kinds of the next problems, so many of them."""
        return {await self.problem() for _ in range(number)}

    async def alive(self) -> None:
        """Checks that the session still answers."""
        await self.send(Item(handle=10**6, leave=session_pb2.Leave()))
        assert await self.problem(10**6) == (9, "HANDLE_UNKNOWN", "handle")


def join_item(handle: int, match: pb.CreateMatchResponse, seat: int, **fields: Any) -> Item:
    given: dict[str, Any] = {"match_id": match.match_id, "seat": seat, "seat_token": match.seat_tokens[seat - 1]}
    return Item(handle=handle, join=session_pb2.Join(**(given | fields)))


def action_item(handle: int, decision_id: int, action: Action | None = None, action_id: str = "a") -> Item:
    submitted = session_pb2.SubmittedAction(decision_id=decision_id, action_id=action_id, action=action)
    return Item(handle=handle, action=submitted)


def h0(header: bytes) -> bytes:
    return hashlib.sha256(b"\0" + header).digest()


def info_of(error: grpc.aio.AioRpcError) -> error_details_pb2.ErrorInfo:
    """Returns the ErrorInfo that every status carries."""
    metadata = dict(error.trailing_metadata())
    status = status_pb2.Status.FromString(metadata["grpc-status-details-bin"])
    info = error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(info)
    assert info.domain == "unoduo.v1"
    assert (status.code, status.message) == (error.code().value[0], error.details())
    return info


def reason_of(error: grpc.aio.AioRpcError) -> str:
    return info_of(error).reason


@asynccontextmanager
async def referee(
    store: Store | None = None, *, limits: Limits | None = None, **options: Any
) -> AsyncIterator[Referee]:
    async with (
        serve(store or MemoryStore(), limits=limits, **options) as running,
        grpc.aio.insecure_channel(running.address) as channel,
    ):
        yield Referee(running, channel)


async def play_seats(
    session: Session,
    handles: dict[int, pb.CreateMatchResponse],
    choose: Callable[[Any], Action],
    numbers: Iterator[int] | None = None,
) -> dict[int, session_pb2.Ended]:
    """Plays all seats of a session to their ends, choosing for each decision."""
    numbers = numbers or count(1)
    ended: dict[int, session_pb2.Ended] = {}
    while len(ended) < len(handles):
        answers = []
        for item in await session.batch():
            kind = item.WhichOneof("kind")
            if kind == "observation" and item.observation.HasField("decision"):
                decision = item.observation.decision
                answers.append(action_item(item.handle, decision.decision_id, choose(decision), str(next(numbers))))
            elif kind == "action_result":
                assert item.action_result.WhichOneof("verdict") != "rejected"
            elif kind == "ended":
                ended[item.handle] = item.ended
            else:
                assert kind in ("observation", "ready_accepted")
        # On a busy machine more seats must decide by the next look than a request has room for.
        for start in range(0, len(answers), _MOST_ITEMS):
            await session.send(*answers[start : start + _MOST_ITEMS])
    return ended


def first_legal(decision: Any) -> Any:
    """Chooses the first legal action."""
    return decision.legal[0]


async def started(host: Referee) -> tuple[Any, Session, int, int]:
    """Returns a match that has started with both seats on one session: it, the session and the handles."""
    match = await host.create()
    session = host.session()
    a, b = await session.join(match, 1), await session.join(match, 2)
    await session.ready(a, match)
    await session.ready(b, match)
    return match, session, a, b
