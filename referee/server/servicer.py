"""The calls of the service (referee_service.proto)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final, NoReturn, TypeVar

import grpc
from google.protobuf.message import DecodeError, Message
from unoduo.v1 import referee_service_pb2 as pb

from referee.match.clock import Clock
from referee.match.credentials import Caller
from referee.match.faults import Fault, ProblemReason
from referee.match.identities import Renewal
from referee.match.refusals import later
from referee.match.registry import Registry
from referee.match.replays import replay_page
from referee.server.access import check_call, visible
from referee.server.act import Act
from referee.server.callers import caller_of
from referee.server.limits import Limits
from referee.server.requests import (
    deal_id_of,
    deal_seed,
    index_page_size,
    match_id_of,
    match_order,
    page_of,
    resume_of,
    void_reason,
)
from referee.server.revocation import BotToken, revoked_token
from referee.server.session import Session
from referee.server.status import abort, abort_within
from referee.server.watch import Watch
from referee.server.write_guard import STATUS_SHARE
from referee.store.base import Store

SERVICE: Final = pb.DESCRIPTOR.services_by_name["RefereeService"]

Context = grpc.aio.ServicerContext[bytes, bytes]
Q = TypeVar("Q", bound=Message)
Call = Callable[[Q, Caller], Awaitable[Message]]
Waiting = TypeVar("Waiting", Session, Act, Watch)

_LOGGER: Final = logging.getLogger(__name__)


class Servicer:
    """Answers the calls; bytes in and bytes out, so that an unreadable message has a typed answer too."""

    def __init__(self, registry: Registry, store: Store, clock: Clock, limits: Limits) -> None:
        self._registry = registry
        self._store = store
        self._clock = clock
        self._limits = limits
        self._sessions: set[Session] = set()
        self._acts: set[Act] = set()
        self._watches: set[Watch] = set()
        self._renewals: set[asyncio.Task[str]] = set()
        self._draining = False

    def handlers(self) -> grpc.GenericRpcHandler:
        """Returns a handler for every call of the service."""
        calls = {
            "CreateMatch": self._unary("CreateMatch", pb.CreateMatchRequest, self._create_match),
            "GetMatch": self._unary("GetMatch", pb.GetMatchRequest, self._get_match),
            "ListMatches": self._unary("ListMatches", pb.ListMatchesRequest, self._list_matches),
            "VoidMatch": self._unary("VoidMatch", pb.VoidMatchRequest, self._void_match),
            "GetIndex": self._unary("GetIndex", pb.GetIndexRequest, self._get_index),
            "CreateDeal": self._unary("CreateDeal", pb.CreateDealRequest, self._create_deal),
            "CloseDeal": self._unary("CloseDeal", pb.CloseDealRequest, self._close_deal),
            "RevokeToken": self._unary("RevokeToken", pb.RevokeTokenRequest, self._revoke_token),
            "GetReplay": self._unary("GetReplay", pb.GetReplayRequest, self._get_replay),
            "Play": grpc.stream_stream_rpc_method_handler(self._play),
            "Act": grpc.unary_unary_rpc_method_handler(self._act),
            "WatchMatch": grpc.unary_stream_rpc_method_handler(self._watch),
        }
        return grpc.method_handlers_generic_handler(SERVICE.full_name, calls)

    @property
    def open_sessions(self) -> int:
        """Returns how many sessions there are."""
        return len(self._sessions)

    def drain(self) -> None:
        """Ends all sessions and other calls that wait, and each new one."""
        self._draining = True
        for call in self._open_calls():
            call.end(Fault(ProblemReason.DRAINING))

    def _open_calls(self) -> list[Session | Act | Watch]:
        return [*self._sessions, *self._acts, *self._watches]

    async def _create_match(self, request: pb.CreateMatchRequest, _: Caller) -> pb.CreateMatchResponse:
        created = await self._registry.create_match(match_order(request))
        return pb.CreateMatchResponse(
            match_id=created.row.match_id,
            number=created.row.number,
            header=created.row.header,
            seat_tokens=created.tokens.seats,
            spectator_token=created.tokens.spectator,
        )

    async def _get_match(self, request: pb.GetMatchRequest, caller: Caller) -> pb.GetMatchResponse:
        row = visible("GetMatch", caller, await self._registry.find(match_id_of(request)))
        return pb.GetMatchResponse(match=await self._registry.summary(row))

    async def _list_matches(self, request: pb.ListMatchesRequest, _: Caller) -> pb.ListMatchesResponse:
        after_number, size = page_of(request)
        matches = await self._registry.list_matches(after_number, size)
        next_token = str(matches[-1].number) if len(matches) == size else ""
        return pb.ListMatchesResponse(matches=matches, next_page_token=next_token)

    async def _void_match(self, request: pb.VoidMatchRequest, caller: Caller) -> pb.VoidMatchResponse:
        row = visible("VoidMatch", caller, await self._registry.find(match_id_of(request)))
        await self._registry.void(row, void_reason(request))
        row = visible("VoidMatch", caller, await self._registry.find(row.match_id))
        return pb.VoidMatchResponse(match=await self._registry.summary(row))

    async def _get_index(self, request: pb.GetIndexRequest, _: Caller) -> pb.GetIndexResponse:
        page = await self._registry.index_page(request.after, index_page_size(request))
        return pb.GetIndexResponse(records=page.records, head=page.head, signature=page.signature, total=page.total)

    async def _create_deal(self, request: pb.CreateDealRequest, _: Caller) -> pb.CreateDealResponse:
        return pb.CreateDealResponse(deal_id=await self._registry.create_deal(deal_seed(request)))

    async def _close_deal(self, request: pb.CloseDealRequest, _: Caller) -> pb.CloseDealResponse:
        await self._registry.close_deal(deal_id_of(request))
        return pb.CloseDealResponse()

    async def _revoke_token(self, request: pb.RevokeTokenRequest, caller: Caller) -> pb.RevokeTokenResponse:
        token = revoked_token(request)
        if isinstance(token, BotToken):
            renewing = self._renew(self._registry.renew_bot_token(token.name))
        else:
            row = visible("RevokeToken", caller, await self._registry.find(token.match_id))
            renewing = self._renew(self._registry.renew_token(row, token.role))
        renewal = asyncio.create_task(renewing)
        self._renewals.add(renewal)
        renewal.add_done_callback(self._renewals.discard)
        # A token that is replaced is revoked too, even if nobody waits for the new one any more.
        return pb.RevokeTokenResponse(new_token=await asyncio.shield(renewal))

    async def _renew(self, renewing: Awaitable[Renewal]) -> str:
        """Returns the token that took the place of another, which holds no more then."""
        renewal = await renewing
        if renewal.revoked:
            for call in self._open_calls():
                call.revoke(renewal.revoked)
        return renewal.token

    async def _get_replay(self, request: pb.GetReplayRequest, caller: Caller) -> pb.GetReplayResponse:
        row = visible("GetReplay", caller, await self._registry.find(match_id_of(request)))
        data, next_token = await replay_page(self._store, row, request.page_token)
        return pb.GetReplayResponse(data=data, next_page_token=next_token)

    async def _play(self, requests: AsyncIterator[bytes], context: Context) -> None:
        async def serve(caller: Caller) -> None:
            if len(self._sessions) >= self._limits.max_sessions:
                raise later(ProblemReason.TOO_MANY_CALLS)
            session = Session(self._registry, self._clock, caller, self._limits)
            with self._open(session, self._sessions):
                await session.run(requests, context)

        await self._stream("Play", serve, context)

    async def _act(self, data: bytes, context: Context) -> bytes:
        # Who calls is looked up; what that takes is not the seat's time.
        stamp_ms = self._clock.now_ms()

        async def answer(request: pb.ActRequest, caller: Caller) -> pb.ActResponse:
            act = Act(self._registry, caller, self._limits.act_patience_s)
            with self._open(act, self._acts):
                return await act.answer(request, stamp_ms)

        return await self._answer("Act", pb.ActRequest, answer, data, context)

    async def _watch(self, data: bytes, context: Context) -> None:
        async def serve(caller: Caller) -> None:
            request = _parse(pb.WatchMatchRequest, data)
            resume = resume_of(request)
            watch = Watch(self._store, caller, self._limits)
            # It is open before it is looked at, so that a token that is replaced meanwhile is seen by one of the two.
            with self._open(watch, self._watches):
                row = visible("WatchMatch", caller, await self._registry.find(match_id_of(request)))
                await watch.run(row, resume, await self._registry.spectators(row), context)

        await self._stream("WatchMatch", serve, context)

    @contextmanager
    def _open(self, call: Waiting, calls: set[Waiting]) -> Iterator[None]:
        """Keeps a call among those that can be ended for as long as it is open. Raises Fault if there are no more."""
        if self._draining:
            raise Fault(ProblemReason.DRAINING)
        calls.add(call)
        try:
            yield
        finally:
            calls.discard(call)

    async def _stream(self, name: str, serve: Callable[[Caller], Awaitable[None]], context: Context) -> None:
        try:
            await serve(await self._enter(name, context))
        except Fault as fault:
            await self._abort(context, fault)
        except Exception:
            _LOGGER.exception("%s failed", name)
            await self._abort(context, Fault(ProblemReason.INTERNAL))

    async def _abort(self, context: Context, fault: Fault) -> NoReturn:
        """Ends a stream, whose client may have stopped to read."""
        await abort_within(context, fault, self._limits.write_patience_s * STATUS_SHARE)

    async def _enter(self, call: str, context: Context) -> Caller:
        """Returns who makes a call. Raises Fault if the caller may not."""
        caller = await caller_of(context.invocation_metadata() or (), self._registry.identities)
        check_call(call, caller)
        return caller

    def _unary(self, name: str, kind: type[Q], call: Call[Q]) -> grpc.RpcMethodHandler[bytes, bytes]:
        async def answer(data: bytes, context: Context) -> bytes:
            return await self._answer(name, kind, call, data, context)

        return grpc.unary_unary_rpc_method_handler(answer)

    async def _answer(self, name: str, kind: type[Q], call: Call[Q], data: bytes, context: Context) -> bytes:
        try:
            caller = await self._enter(name, context)
            response = await call(_parse(kind, data), caller)
            return response.SerializeToString()
        except Fault as fault:
            await abort(context, fault)
        except Exception:
            _LOGGER.exception("%s failed", name)
            await abort(context, Fault(ProblemReason.INTERNAL))


def _parse(kind: type[Q], data: bytes) -> Q:
    try:
        return kind.FromString(data)
    except DecodeError:
        raise Fault(ProblemReason.MESSAGE_UNREADABLE) from None
