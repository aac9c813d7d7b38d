"""`WatchMatch`: everything public, nothing else, in order and to the end."""

import asyncio
from typing import Any

import grpc
import pytest
from unoduo.v1 import observation_pb2, session_pb2
from unoduo.v1 import referee_service_pb2 as pb

from referee.server.limits import Limits
from referee.server.runtime import serve
from referee.store.memory import MemoryStore
from tests.server.wire import Item, Referee, Session, info_of, play_seats, referee

_PATIENCE_S = 20


class Watcher:
    """Is one who watches, and keeps what was told."""

    def __init__(self, host: Referee, match: pb.CreateMatchResponse, metadata: Any = (), **fields: Any) -> None:
        request = pb.WatchMatchRequest(**({"match_id": match.match_id} | fields))
        self.call: Any = host.stub.WatchMatch(request, metadata=metadata)
        self.messages: list[pb.WatchMatchResponse] = []

    @property
    def events(self) -> list[observation_pb2.ObservedEvent]:
        return [event for message in self.messages for event in message.events]

    async def next(self) -> pb.WatchMatchResponse:
        async with asyncio.timeout(_PATIENCE_S):
            message = await self.call.read()
        assert message is not grpc.aio.EOF
        self.messages.append(message)
        return self.messages[-1]

    async def until(self, sequence: int) -> None:
        while not self.messages or self.messages[-1].sequence < sequence:
            await self.next()

    async def to_the_end(self) -> session_pb2.Ended:
        while not self.messages or not self.messages[-1].HasField("ended"):
            await self.next()
        async with asyncio.timeout(_PATIENCE_S):
            assert await self.call.read() is grpc.aio.EOF
        assert await self.call.code() is grpc.StatusCode.OK
        return self.messages[-1].ended

    async def refusal(self) -> tuple[grpc.StatusCode, str, str]:
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await self._read_to_the_end()
        info = info_of(error.value)
        return error.value.code(), info.reason, info.metadata["field"]

    async def _read_to_the_end(self) -> None:
        async with asyncio.timeout(_PATIENCE_S):
            while await self.call.read() is not grpc.aio.EOF:
                pass


async def _joined(host: Referee, **fields: Any) -> tuple[pb.CreateMatchResponse, Session, dict[int, Any]]:
    match = await host.create(**fields)
    session = host.session()
    handles = {await session.join(match, seat): match for seat in (1, 2)}
    return match, session, handles


async def _play(match: pb.CreateMatchResponse, session: Session, handles: dict[int, Any]) -> session_pb2.Ended:
    for handle in handles:
        await session.ready(handle, match)
    ended = await play_seats(session, handles, lambda decision: decision.legal[0])
    return next(iter(ended.values()))


def _public(session: Session, handle: int) -> list[observation_pb2.ObservedEvent]:
    """Returns what a seat saw without what only it may see."""
    told = [item.observation for item in session.items if item.handle == handle and item.HasField("observation")]
    events = [event for observation in told for event in observation.events]
    return [observation_pb2.ObservedEvent(sequence=event.sequence, event=event.event) for event in events]


async def test_watching_tells_the_public_parts_from_the_first_event_to_the_end() -> None:
    async with referee() as host:
        match, session, handles = await _joined(host)
        watcher = Watcher(host, match)
        first = await watcher.next()
        assert (first.header, first.sequence, first.caught_up) == (match.header, 0, True)
        ended, seen = await asyncio.gather(_play(match, session, handles), watcher.to_the_end())
        assert seen == ended
        for handle in handles:
            assert watcher.events == _public(session, handle)
        assert any(item.observation.events for item in session.items)
        assert not any(message.header for message in watcher.messages[1:])
        assert watcher.messages[-1].head == ended.head


async def test_match_that_is_over_is_told_in_pages() -> None:
    async with referee() as host:
        match, session, handles = await _joined(host)
        ended = await _play(match, session, handles)
        watcher = Watcher(host, match)
        assert await watcher.to_the_end() == ended
        assert watcher.events == _public(session, min(handles))
        assert all(message.ByteSize() < 20_000 for message in watcher.messages)
        assert [bool(message.header) for message in watcher.messages] == [True] + [False] * (len(watcher.messages) - 1)


@pytest.mark.parametrize("live", [False, True])
async def test_watching_goes_on_behind_any_message(live: bool) -> None:
    async with referee() as host:
        match, session, handles = await _joined(host)
        watcher = Watcher(host, match)
        watching = asyncio.create_task(watcher.to_the_end())
        playing = asyncio.create_task(_play(match, session, handles))
        if not live:
            await playing
            await watching
        cuts = 0
        while not live and cuts < len(watcher.messages) - 1:
            known = watcher.messages[cuts]
            again = Watcher(host, match, after_sequence=known.sequence, head=known.head)
            await again.to_the_end()
            assert again.events == [event for event in watcher.events if event.sequence > known.sequence]
            cuts += max(1, len(watcher.messages) // 20)
        while live and not playing.done():
            known = watcher.messages[-1] if watcher.messages else pb.WatchMatchResponse()
            again = Watcher(host, match, after_sequence=known.sequence, head=known.head)
            told = await again.next()
            assert not told.events or told.events[0].sequence == known.sequence + 1
            assert told.sequence >= known.sequence
            again.call.cancel()
        await playing
        await watching


@pytest.mark.parametrize("over", [False, True])
@pytest.mark.parametrize("after_sequence", [3, 4, 10_000])
async def test_other_head_or_sequence_is_a_fork(over: bool, after_sequence: int) -> None:
    async with referee() as host:
        match, session, handles = await _joined(host)
        for handle in handles:
            await session.ready(handle, match)
        await session.until("observation")
        if over:
            await session.send(Item(handle=min(handles), resign=session_pb2.Resign()))
            await session.until("ended")
        watcher = Watcher(host, match, after_sequence=after_sequence, head=bytes(32))
        assert await watcher.refusal() == (grpc.StatusCode.DATA_LOSS, "FORKED", "after_sequence")


@pytest.mark.parametrize(
    ("fields", "refusal"),
    [
        ({"match_id": b"x"}, (grpc.StatusCode.INVALID_ARGUMENT, "FIELD_INVALID", "match_id")),
        ({"after_sequence": 1}, (grpc.StatusCode.INVALID_ARGUMENT, "FIELD_INVALID", "head")),
        ({"match_id": bytes(16)}, (grpc.StatusCode.PERMISSION_DENIED, "NOT_YOURS", "")),
    ],
)
async def test_request_that_is_wrong_is_refused(fields: dict[str, Any], refusal: tuple[Any, ...]) -> None:
    async with referee() as host:
        assert await Watcher(host, await host.create(), **fields).refusal() == refusal


async def test_deal_that_other_matches_may_share_is_not_told_before_it_is_revealed() -> None:
    async with referee() as host:
        match, session, handles = await _joined(host, seed=bytes(32))
        other, rival, rivals = await _joined(host, seed=bytes(32))
        withheld = (grpc.StatusCode.FAILED_PRECONDITION, "FEED_NOT_AVAILABLE", "")
        assert await Watcher(host, match).refusal() == withheld
        ended = await _play(match, session, handles)
        assert await Watcher(host, match).refusal() == withheld
        await _play(other, rival, rivals)
        seen = await Watcher(host, match).to_the_end()
        assert (seen.outcome, seen.head) == (ended.outcome, ended.head)


async def test_spectators_are_no_more_than_may_be_and_make_room_when_they_go() -> None:
    async with referee(limits=Limits(max_spectators=2)) as host:
        match = await host.create()
        watchers = [Watcher(host, match) for _ in range(2)]
        for watcher in watchers:
            await watcher.next()
        refused = (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_CALLS", "")
        assert await Watcher(host, match).refusal() == refused
        watchers[0].call.cancel()

        async def has_room() -> bool:
            late = Watcher(host, match)
            try:
                await late.next()
            except grpc.aio.AioRpcError:
                return False
            return True

        async with asyncio.timeout(_PATIENCE_S):
            while not await has_room():  # noqa: ASYNC110 - the referee has no event for a test to wait for
                await asyncio.sleep(0.01)


async def test_token_that_is_revoked_ends_what_it_watches_and_nothing_else() -> None:
    async with referee() as host:
        match = await host.create()
        by_token = Watcher(host, match, metadata=(("authorization", f"Bearer {match.spectator_token}"),))
        organiser = Watcher(host, match)
        await by_token.next()
        await organiser.next()
        await host.stub.RevokeToken(pb.RevokeTokenRequest(spectator_match_id=match.match_id))
        assert await by_token.refusal() == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN", "")
        await host.stub.VoidMatch(pb.VoidMatchRequest(match_id=match.match_id))
        await organiser.to_the_end()


async def test_referee_that_goes_down_ends_watching() -> None:
    async with serve(MemoryStore()) as running:
        channel = grpc.aio.insecure_channel(running.address)
        host = Referee(running, channel)
        watcher = Watcher(host, await host.create())
        await watcher.next()
    assert await watcher.refusal() == (grpc.StatusCode.UNAVAILABLE, "DRAINING", "")
    await channel.close()


async def test_spectator_that_does_not_read_is_cut_and_costs_others_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async with referee(limits=Limits(write_patience_s=0.3)) as host:
        match, session, handles = await _joined(host)
        context = _Stuck()
        servicer: Any = host.running._servicer
        request = pb.WatchMatchRequest(match_id=match.match_id).SerializeToString()
        stuck = asyncio.create_task(servicer._watch(request, context))
        sound = Watcher(host, match)
        await asyncio.gather(_play(match, session, handles), sound.to_the_end())
        await asyncio.wait_for(stuck, _PATIENCE_S)
        assert context.written == 1
        assert context.status is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert not servicer._watches


class _Stuck:
    """Is a call whose client never reads."""

    def __init__(self) -> None:
        self.written = 0
        self.status: grpc.StatusCode | None = None

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return ()

    async def write(self, data: bytes) -> None:
        self.written += 1
        await asyncio.Event().wait()

    async def abort(self, status: grpc.StatusCode, *details: object) -> None:
        self.status = status
