"""A referee with callers of all kinds, and what each call answers them."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import grpc
from google.protobuf.message import Message
from unoduo.v1 import match_pb2, ruleset_pb2, seat_pb2, session_pb2
from unoduo.v1 import referee_service_pb2 as pb

from referee.match.credentials import CallerKind
from referee.server.limits import Limits
from referee.store.base import Store
from referee.store.memory import MemoryStore
from tests.server.wire import PATIENCE_S, Referee, Session, join_item, reason_of, referee

ORGANISER = "the-token-of-the-organiser-of-this-test"
GARBAGE = "A" * 40
SEAT_A, SEAT_B = seat_pb2.SEAT_A, seat_pb2.SEAT_B
UNKNOWN = b"\x01" * 16

Metadata = tuple[tuple[str, str], ...]


class Refusal(NamedTuple):
    """All that a refused caller is told: code, message and details, as bytes came, and the reason in them."""

    code: int
    message: str
    details: bytes
    reason: str


@dataclass(frozen=True)
class Someone:
    """A caller: its kind for the table of access, and the matches that are its own."""

    name: str
    kind: CallerKind | None
    token: str
    own: frozenset[bytes] = frozenset()
    seats: frozenset[tuple[bytes, int]] = frozenset()

    @property
    def metadata(self) -> Metadata:
        return bearer(self.token) if self.token else ()


@dataclass(frozen=True)
class Scene:
    """Two matches, `one` with a bot in seat A, and somebody of every kind."""

    host: Referee
    one: pb.CreateMatchResponse
    two: pb.CreateMatchResponse
    people: tuple[Someone, ...]


def bearer(token: str) -> Metadata:
    return (("authorization", f"Bearer {token}"),)


async def unary(host: Referee, name: str, request: Message, metadata: Metadata | None = None) -> bytes:
    """Makes a call, as the organiser unless told otherwise, and returns the bytes of the answer. Raises AioRpcError."""
    metadata = bearer(ORGANISER) if metadata is None else metadata
    call: Any = host.channel.unary_unary(f"/unoduo.v1.RefereeService/{name}")
    data: bytes = await call(request.SerializeToString(), metadata=metadata, timeout=PATIENCE_S)
    return data


async def create(
    host: Referee, bot_a: str = "", bot_b: str = "", bot_seeds: Sequence[bytes] = ()
) -> pb.CreateMatchResponse:
    request = pb.CreateMatchRequest(
        players=[match_pb2.Player(name="Ada", bot=bot_a), match_pb2.Player(name="Bob", bot=bot_b)],
        ruleset=ruleset_pb2.Ruleset(target=1),
        bot_seeds=bot_seeds,
    )
    return pb.CreateMatchResponse.FromString(await unary(host, "CreateMatch", request))


async def renew(host: Referee, **target: Any) -> str:
    """Replaces a token and returns the new one."""
    answer = await unary(host, "RevokeToken", pb.RevokeTokenRequest(**target))
    return pb.RevokeTokenResponse.FromString(answer).new_token


@asynccontextmanager
async def guarded(store: Store | None = None, limits: Limits | None = None) -> AsyncIterator[Referee]:
    async with referee(store or MemoryStore(), organiser_token=ORGANISER, limits=limits) as host:
        yield host


@asynccontextmanager
async def scene() -> AsyncIterator[Scene]:
    async with guarded() as host:
        owner, stranger = await renew(host, bot="owner"), await renew(host, bot="stranger")
        former = await renew(host, bot="former")
        await renew(host, bot="former")
        one, two = await create(host, "owner"), await create(host)
        revoked_seat, revoked_spectator = one.seat_tokens[0], one.spectator_token
        seat_a = await renew(host, seat=pb.SeatTokenRef(match_id=one.match_id, seat=SEAT_A))
        spectator = await renew(host, spectator_match_id=one.match_id)
        first, second = frozenset({one.match_id}), frozenset({two.match_id})
        a, b, other = (one.match_id, SEAT_A), (one.match_id, SEAT_B), (two.match_id, SEAT_A)
        people = (
            Someone("organiser", CallerKind.ORGANISER, ORGANISER),
            Someone("nobody", CallerKind.NOBODY, ""),
            Someone("garbage", None, GARBAGE),
            Someone("nonsense", None, "x"),
            Someone("almost the organiser", None, ORGANISER[:-1] + "T"),
            Someone("revoked bot", None, former),
            Someone("revoked seat", None, revoked_seat),
            Someone("revoked spectator", None, revoked_spectator),
            Someone("seat A", CallerKind.SEAT, seat_a, first, frozenset({a})),
            Someone("seat B", CallerKind.SEAT, one.seat_tokens[1], first, frozenset({b})),
            Someone("seat of another match", CallerKind.SEAT, two.seat_tokens[0], second, frozenset({other})),
            Someone("spectator", CallerKind.SPECTATOR, spectator, first),
            Someone("spectator of another match", CallerKind.SPECTATOR, two.spectator_token, second),
            Someone("bot of seat A", CallerKind.BOT, owner, first, frozenset({a})),
            Someone("bot of no seat", CallerKind.BOT, stranger),
        )
        yield Scene(host, one, two, people)


def request_of(call: str, match_id: bytes) -> Message:
    """Returns a request of a unary call or of `WatchMatch` about a match."""
    kinds: dict[str, Message] = {
        "CreateMatch": pb.CreateMatchRequest(players=[match_pb2.Player(name=name) for name in "AB"]),
        "GetMatch": pb.GetMatchRequest(match_id=match_id),
        "ListMatches": pb.ListMatchesRequest(),
        "VoidMatch": pb.VoidMatchRequest(match_id=match_id),
        "RevokeToken": pb.RevokeTokenRequest(spectator_match_id=match_id),
        "GetIndex": pb.GetIndexRequest(),
        "CreateDeal": pb.CreateDealRequest(),
        "CloseDeal": pb.CloseDealRequest(deal_id=UNKNOWN),
        "Act": pb.ActRequest(match_id=match_id, seat=SEAT_A),
        "WatchMatch": pb.WatchMatchRequest(match_id=match_id),
        "GetReplay": pb.GetReplayRequest(match_id=match_id),
    }
    return kinds[call]


async def answer(host: Referee, call: str, match_id: bytes, metadata: Metadata) -> Refusal | None:
    """Returns how a caller is refused, or None if it is not for who it is."""
    try:
        if call == "Play":
            return await _play(host, match_id, metadata)
        if call == "WatchMatch":
            await _first(host, request_of(call, match_id), metadata)
        else:
            await unary(host, call, request_of(call, match_id), metadata)
    except grpc.aio.AioRpcError as error:
        return _refusal(error)
    return None


async def _first(host: Referee, request: Message, metadata: Metadata) -> None:
    stub: Any = host.channel.unary_stream("/unoduo.v1.RefereeService/WatchMatch")
    call = stub(request.SerializeToString(), metadata=metadata, timeout=PATIENCE_S)
    await call.read()
    call.cancel()


async def _play(host: Referee, match_id: bytes, metadata: Metadata) -> Refusal | None:
    """Joins, once more where the write came just after the refusal: grpc.aio then gives a status of its own."""
    while True:
        try:
            return await _join(host.session(metadata), match_id)
        except grpc.aio.AioRpcError as error:
            if error.code() != grpc.StatusCode.INTERNAL:
                raise


async def _join(session: Session, match_id: bytes) -> Refusal | None:
    match = pb.CreateMatchResponse(match_id=match_id, seat_tokens=["", ""])
    try:
        await session.send(join_item(1, match, SEAT_A))
        async with asyncio.timeout(PATIENCE_S):
            while True:
                data = await session.call.read()
                if data is grpc.aio.EOF:
                    await session.call
                    raise AssertionError("a session that answers nothing")
                for item in session_pb2.PlayResponse.FromString(data).items:
                    if item.HasField("problem"):
                        problem = item.problem
                        return Refusal(problem.code, problem.message, item.SerializeToString(), problem.reason)
                    if item.HasField("joined"):
                        return None
    finally:
        session.call.cancel()


def _refusal(error: grpc.aio.AioRpcError) -> Refusal | None:
    code: int = error.code().value[0]
    if error.code() not in (grpc.StatusCode.PERMISSION_DENIED, grpc.StatusCode.UNAUTHENTICATED):
        return None
    details = dict(error.trailing_metadata() or ())["grpc-status-details-bin"]
    assert isinstance(details, bytes)
    return Refusal(code, error.details() or "", details, reason_of(error))
