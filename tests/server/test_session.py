"""The session: handles, limits, and how it ends."""

import asyncio
import gc
import random
from collections.abc import Callable

import grpc
import pytest
from unoduo.v1 import session_pb2 as pb

from referee.match.actor import MatchActor
from referee.server.limits import Limits
from referee.server.outbox import Outbox
from referee.server.runtime import serve
from referee.store.memory import MemoryStore
from tests.server.wire import (
    Item,
    Referee,
    Session,
    action_item,
    first_legal,
    h0,
    join_item,
    play_seats,
    referee,
    started,
)


async def test_hello_brings_the_limits() -> None:
    async with referee() as host:
        session = host.session()
        await session.send(Item(hello=pb.Hello(client="test 1", protocol=1)))
        info = await session.until("session_info", 0)
        assert (info.protocol, info.max_items, info.max_message_bytes) == (1, 64, 65_536)
        assert info.server
        assert info.max_seats > 0


@pytest.mark.parametrize(
    ("hello", "problem"),
    [
        (pb.Hello(protocol=1), (3, "FIELD_INVALID", "hello.client")),
        (pb.Hello(client="x" * 65, protocol=1), (3, "FIELD_INVALID", "hello.client")),
        (pb.Hello(client="x", protocol=2), (9, "PROTOCOL_UNSUPPORTED", "hello.protocol")),
        (pb.Hello(client="x"), (9, "PROTOCOL_UNSUPPORTED", "hello.protocol")),
    ],
)
async def test_hello_that_is_wrong_is_a_problem(hello: pb.Hello, problem: tuple[int, str, str]) -> None:
    async with referee() as host:
        session = host.session()
        await session.send(Item(hello=hello))
        assert await session.problem(0) == problem
        await session.alive()


async def test_hello_comes_first_or_not_at_all() -> None:
    async with referee() as host:
        session = host.session()
        hello = Item(hello=pb.Hello(client="x", protocol=1))
        await session.send(hello, hello)
        assert await session.problem(0) == (9, "HELLO_NOT_FIRST", "hello")
        await session.alive()


async def test_two_seats_on_one_session_play_a_match_to_its_end() -> None:
    async with referee() as host:
        match, session, a, b = await started(host)
        ended = await play_seats(session, {a: match, b: match}, first_legal)
        assert ended[a] == ended[b]
        assert ended[a].replay_available


async def test_result_comes_before_the_observation_that_it_caused() -> None:
    async with referee() as host:
        match, session, a, b = await started(host)
        await play_seats(session, {a: match, b: match}, first_legal)
        told = {a: 0, b: 0}
        for item in session.items:
            kind = item.WhichOneof("kind")
            if kind == "action_result":
                assert item.action_result.accepted.first_sequence > told[item.handle]
            elif kind == "observation":
                told[item.handle] = item.observation.sequence


async def test_handle_is_used_once_for_ever() -> None:
    async with referee() as host:
        match = await host.create()
        session = host.session()
        handle = await session.join(match, 1)
        await session.send(join_item(handle, match, 2))
        assert await session.problem(handle) == (3, "HANDLE_TAKEN", "handle")
        await session.send(Item(handle=handle, leave=pb.Leave()))
        await session.until("detached", handle)
        await session.send(join_item(handle, match, 1))
        assert await session.problem(handle) == (3, "HANDLE_TAKEN", "handle")


async def test_join_that_is_not_granted_does_not_use_up_its_handle() -> None:
    async with referee() as host:
        match = await host.create()
        session = host.session()
        for wrong in ({"seat_token": "no"}, {"match_id": bytes(16)}):
            await session.send(join_item(7, match, 1, **wrong))
            assert await session.problem(7) == (7, "NOT_YOURS", "")
        await session.send(join_item(7, match, 1))
        await session.until("joined", 7)


async def test_join_without_any_token_does_not_use_up_its_handle() -> None:
    async with referee() as host:
        match = await host.create()
        session = host.session()
        await session.send(join_item(7, match, 1, seat_token=""))
        assert await session.problem(7) == (16, "TOKEN_MISSING", "join.seat_token")
        await session.send(join_item(7, match, 1))
        await session.until("joined", 7)


async def test_newest_join_replaces_the_older_session() -> None:
    async with referee() as host:
        match = await host.create()
        old, new = host.session(), host.session()
        handle = await old.join(match, 1)
        await new.join(match, 1)
        assert (await old.until("detached", handle)).reason == pb.DETACH_REASON_REPLACED
        await old.send(Item(handle=handle, resign=pb.Resign()))
        assert await old.problem(handle) == (9, "HANDLE_ENDED", "")
        await old.alive()


async def test_canceled_session_lets_go_of_its_seats() -> None:
    async with referee() as host:
        match = await host.create()
        one, two = host.session(), host.session()
        a, b = await one.join(match, 1), await two.join(match, 2)
        await one.ready(a, match)
        await two.ready(b, match)
        await two.until("observation", b)
        one.call.cancel()
        await _until(lambda: host.running.open_sessions == 1)
        heir = host.session()
        handle = await heir.join(match, 2)
        assert not (await heir.until("observation", handle)).opponent_presence.present
        again = host.session()
        await again.join(match, 1)
        assert (await again.until("observation")).HasField("view")


async def test_token_in_the_metadata_covers_its_seat() -> None:
    async with referee() as host:
        match = await host.create()
        session = host.session((("authorization", f"Bearer {match.seat_tokens[0]}"),))
        await session.send(join_item(1, match, 1, seat_token=""))
        await session.until("joined", 1)
        await session.send(join_item(2, match, 2, seat_token=""))
        assert await session.problem(2) == (7, "NOT_YOURS", "")


@pytest.mark.parametrize(
    "metadata",
    [
        (("authorization", "Bearer nobody"),),
        (("authorization", "Basic nobody"),),
        (("authorization", "Bearer a"), ("authorization", "Bearer b")),
    ],
)
async def test_unknown_token_in_the_metadata_ends_the_session(metadata: tuple[tuple[str, str], ...]) -> None:
    async with referee() as host:
        assert await host.session(metadata).end() == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN")


@pytest.mark.parametrize(
    ("data", "end"),
    [
        (b"\xff\xff\xff", (grpc.StatusCode.INVALID_ARGUMENT, "MESSAGE_UNREADABLE")),
        (
            pb.PlayRequest(items=[Item(handle=1)] * 65).SerializeToString(),
            (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_ITEMS"),
        ),
        (
            pb.PlayRequest(items=[Item(hello=pb.Hello(client="x" * 66_000))]).SerializeToString(),
            (grpc.StatusCode.RESOURCE_EXHAUSTED, "MESSAGE_TOO_LARGE"),
        ),
    ],
    ids=["undecodable", "items", "bytes"],
)
async def test_message_that_no_session_takes_ends_it(data: bytes, end: tuple[grpc.StatusCode, str]) -> None:
    async with referee() as host:
        session = host.session()
        await session.send_bytes(data)
        assert await session.end() == end


async def test_message_far_too_large_ends_the_session() -> None:
    async with referee() as host:
        session = host.session()
        await session.send_bytes(bytes(300_000))
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await session.call.read()
        assert error.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_largest_request_is_handled() -> None:
    async with referee() as host:
        session = host.session()
        filler = "x" * 65_000
        await session.send(Item(handle=1, ready=pb.Ready(h0=filler.encode())), *[Item(handle=2)] * 63)
        assert await session.problem(1) == (9, "HANDLE_UNKNOWN", "handle")
        for _ in range(63):
            assert await session.problem(2) == (3, "KIND_MISSING", "kind")


async def test_request_without_items_is_a_problem() -> None:
    async with referee() as host:
        session = host.session()
        await session.send()
        assert await session.problem(0) == (3, "NO_ITEMS", "")
        await session.alive()


async def test_too_many_malformed_items_in_a_row_end_the_session_and_only_it() -> None:
    async with referee() as host:
        _, sound, _, _ = await started(host)
        session = host.session()
        malformed = {(3, "KIND_MISSING", "kind")}
        for _ in range(2):
            for _ in range(2):
                await session.send(*[Item(handle=1)] * 50)
                assert await session.problems(50) == malformed
            # An item that is not malformed begins the count anew.
            await session.alive()
        for _ in range(2):
            await session.send(*[Item(handle=1)] * 50)
            assert await session.problems(50) == malformed
        await session.send(Item(handle=1))
        assert await session.end() == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_MALFORMED")
        await sound.alive()


async def test_too_many_seats_are_refused() -> None:
    async with referee(limits=Limits(max_seats=2)) as host:
        match, rival = await host.create(), await host.create()
        session = host.session()
        first = await session.join(match, 1)
        await session.join(match, 2)
        await session.send(join_item(9, rival, 1))
        assert await session.problem(9) == (8, "TOO_MANY_SEATS", "")
        await session.send(Item(handle=first, leave=pb.Leave()))
        await session.until("detached", first)
        await session.send(join_item(9, rival, 1))
        await session.until("joined", 9)


async def test_client_that_does_not_read_is_cut_and_costs_others_nothing(caplog: pytest.LogCaptureFixture) -> None:
    async with referee(limits=Limits(write_patience_s=4)) as host:
        match, sound, a, b = await started(host)
        session = host.session()
        handle = await session.join(await host.create(), 1)
        request = pb.PlayRequest(items=[Item(handle=handle, hello=pb.Hello())] * 64).SerializeToString()
        flood = asyncio.create_task(_flood(session, request))
        await play_seats(sound, {a: match, b: match}, first_legal)
        await _until(lambda: host.running.open_sessions == 1)
        flood.cancel()
        await sound.alive()
    assert caplog.records == []


async def _flood(session: Session, request: bytes) -> None:
    while True:
        await session.send_bytes(request)


async def _until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():  # noqa: ASYNC110 - the referee has no event for a test to wait for
            await asyncio.sleep(0.01)


async def test_responses_are_coalesced_and_bounded() -> None:
    async with referee() as host:
        session = host.session()
        matches = [await host.create() for _ in range(40)]
        handles = {}
        for start in range(0, 40, 20):
            part = matches[start : start + 20]
            items = [
                join_item(2 * (start + place) + seat, match, seat)
                for place, match in enumerate(part)
                for seat in (1, 2)
            ]
            await session.send(*items)
        for place, match in enumerate(matches):
            for seat in (1, 2):
                handle = 2 * place + seat
                handles[handle] = match
        for start in range(1, 81, 40):
            await session.send(
                *[
                    Item(handle=handle, ready=pb.Ready(h0=h0(handles[handle].header)))
                    for handle in range(start, start + 40)
                ]
            )
        joined = 0
        while joined < 80:
            joined += (await session.next()).WhichOneof("kind") == "ready_accepted"
        assert max(session.message_sizes) <= 32 * 1024
        assert len(session.message_sizes) < 80


async def test_referee_that_goes_down_ends_its_sessions_with_unavailable() -> None:
    async with serve(MemoryStore()) as running:
        channel = grpc.aio.insecure_channel(running.address)
        _, session, a, _ = await started(Referee(running, channel))
        await session.until("observation", a)
    assert await session.end() == (grpc.StatusCode.UNAVAILABLE, "DRAINING")
    await channel.close()


async def test_random_bytes_never_end_in_an_internal_error() -> None:
    rng = random.Random(5)
    async with referee() as host:
        match, sound, _, _ = await started(host)
        template = pb.PlayRequest(
            items=[join_item(3, match, 1), action_item(3, 4), Item(handle=3, ready=pb.Ready(h0=bytes(32)))]
        ).SerializeToString()
        for _ in range(60):
            data = bytearray(template)
            for _ in range(rng.randrange(1, 6)):
                data[rng.randrange(len(data))] = rng.randrange(256)
            session = host.session()
            await session.send_bytes(bytes(data))
            await session.call.done_writing()
            await asyncio.sleep(0)
            session.call.cancel()
        await sound.alive()


async def test_session_that_is_over_is_forgotten_and_so_are_its_matches() -> None:
    async with referee() as host:
        _, session, a, b = await started(host)
        await session.send(Item(handle=a, resign=pb.Resign()))
        await session.until("ended", b)
        await session.call.done_writing()
        assert await session.end() == (grpc.StatusCode.OK, "")
        await _until(lambda: host.running.open_sessions == 0)
        await _until(lambda: not _kept())


def _kept() -> list[object]:
    gc.collect()
    return [thing for thing in gc.get_objects() if isinstance(thing, (Outbox, MatchActor))]
