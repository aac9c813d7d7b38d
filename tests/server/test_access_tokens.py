"""Tokens that are replaced, bots that learn of their seats, and no token anywhere but in the answer that brings it."""

import asyncio
import logging
from base64 import urlsafe_b64decode
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
import pytest
from unoduo.v1 import referee_service_pb2 as pb
from unoduo.v1 import seat_pb2, session_pb2

from referee.match.assignments import bot_seed
from referee.rules.seats import Seat
from referee.store.memory import MemoryStore
from referee.store.sqlite import SqliteStore
from tests.server.identity import (
    ORGANISER,
    SEAT_A,
    SEAT_B,
    UNKNOWN,
    Refusal,
    answer,
    bearer,
    create,
    guarded,
    renew,
    unary,
)
from tests.server.wire import PATIENCE_S, Item, Referee, Session, info_of, join_item


def seat_ref(match: pb.CreateMatchResponse, seat: seat_pb2.Seat.ValueType = SEAT_A) -> pb.SeatTokenRef:
    return pb.SeatTokenRef(match_id=match.match_id, seat=seat)


def own_join(handle: int, match: pb.CreateMatchResponse, seat: int) -> Item:
    """Returns a join by who calls, without a token of the seat."""
    return join_item(handle, match, seat, seat_token="")


async def assigned(session: Session, count: int) -> list[session_pb2.Assigned]:
    return [await session.until("assigned", 0) for _ in range(count)]


async def refused(host: Referee, request: pb.RevokeTokenRequest) -> tuple[grpc.StatusCode, str, str]:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await unary(host, "RevokeToken", request)
    info = info_of(error.value)
    return error.value.code(), info.reason, info.metadata.get("field", "")


async def test_revoked_seat_token_detaches_its_seat_alone() -> None:
    async with guarded() as host:
        match = await create(host)
        one, two = host.session(), host.session()
        await one.join(match, 1)
        await two.join(match, 2)
        new = await renew(host, seat=seat_ref(match))
        detached = await one.until("detached", 1)
        assert (detached.reason, detached.join_number) == (session_pb2.DETACH_REASON_TOKEN_REVOKED, 1)
        await one.send(join_item(2, match, 1))
        assert await one.problem(2) == (7, "NOT_YOURS", "")
        await one.send(join_item(3, match, 1, seat_token=new))
        await one.until("joined", 3)
        await two.alive()
        assert not any(item.HasField("detached") for item in two.items)


async def test_token_whose_revocation_nobody_waits_for_any_more_is_revoked() -> None:
    store = MemoryStore()
    async with guarded(store) as host:
        match = await create(host)
        session = host.session()
        await session.join(match, 1)
        store.freeze()
        target = pb.RevokeTokenRequest(seat=seat_ref(match))
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await host.stub.RevokeToken(target, timeout=0.2, metadata=bearer(ORGANISER))
        assert error.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        await asyncio.sleep(0.1)
        store.thaw()
        assert (await session.until("detached", 1)).reason == session_pb2.DETACH_REASON_TOKEN_REVOKED
        await session.send(join_item(2, match, 1))
        assert await session.problem(2) == (7, "NOT_YOURS", "")


async def test_bot_whose_first_token_nobody_waits_for_any_more_is_known() -> None:
    store = MemoryStore()
    async with guarded(store) as host:
        store.freeze()
        with pytest.raises(grpc.aio.AioRpcError):
            await host.stub.RevokeToken(pb.RevokeTokenRequest(bot="rob"), timeout=0.2, metadata=bearer(ORGANISER))
        await asyncio.sleep(0.1)
        store.thaw()
        assert await renew(host, bot="another")
        assert host.running.registry.identities.knows_bot("rob")


async def test_session_opened_with_a_revoked_token_ends() -> None:
    async with guarded() as host:
        match = await create(host)
        session = host.session(bearer(match.seat_tokens[0]))
        await session.send(own_join(1, match, 1))
        await session.until("joined", 1)
        await renew(host, seat=seat_ref(match))
        assert await session.end() == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN")
        kinds = [item.WhichOneof("kind") for item in session.items]
        assert kinds == ["joined", "detached"]


async def test_revoked_token_of_a_match_that_is_over_is_worth_nothing() -> None:
    async with guarded() as host:
        match = await create(host)
        session = host.session()
        handle = await session.join(match, 1)
        await session.send(Item(handle=handle, resign=session_pb2.Resign()))
        await session.until("ended", handle)
        new = await renew(host, seat=seat_ref(match, SEAT_B))
        await session.send(join_item(2, match, 2), join_item(3, match, 2, seat_token=new))
        assert await session.problem(2) == (7, "NOT_YOURS", "")
        await session.until("ended", 3)


async def test_revoked_token_of_a_bot_ends_its_sessions_and_takes_its_seats() -> None:
    async with guarded() as host:
        first, other = await renew(host, bot="crow"), await renew(host, bot="rook")
        match = await create(host, "crow", "rook")
        crow, rook = host.session(bearer(first)), host.session(bearer(other))
        await crow.send(own_join(1, match, 1))
        await rook.send(own_join(1, match, 2))
        await crow.until("joined", 1)
        await rook.until("joined", 1)
        again = await renew(host, bot="crow")
        assert await crow.end() == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN")
        await rook.alive()
        heir = host.session(bearer(again))
        await heir.send(own_join(1, match, 1))
        assert (await heir.until("joined", 1)).join_number == 2


async def test_revoked_token_of_the_spectators_ends_their_calls_alone() -> None:
    async with guarded() as host:
        match = await create(host)
        watch: Any = host.channel.unary_stream("/unoduo.v1.RefereeService/WatchMatch")
        request = pb.WatchMatchRequest(match_id=match.match_id).SerializeToString()
        spectator, organiser = (watch(request, metadata=bearer(by)) for by in (match.spectator_token, ORGANISER))
        for call in (spectator, organiser):
            await asyncio.wait_for(call.read(), PATIENCE_S)
        await renew(host, spectator_match_id=match.match_id)
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await asyncio.wait_for(spectator.read(), PATIENCE_S)
        assert (error.value.code(), info_of(error.value).reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN")
        assert not organiser.done()
        organiser.cancel()


async def test_new_bot_has_no_token_to_revoke() -> None:
    async with guarded() as host:
        match = await create(host)
        nobody = host.session()
        await nobody.join(match, 1)
        await renew(host, bot="crow")
        await nobody.alive()


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (pb.RevokeTokenRequest(), "target"),
        (pb.RevokeTokenRequest(seat=pb.SeatTokenRef(match_id=b"x", seat=SEAT_A)), "seat.match_id"),
        (pb.RevokeTokenRequest(seat=pb.SeatTokenRef(match_id=UNKNOWN)), "seat.seat"),
        (pb.RevokeTokenRequest(spectator_match_id=b"x"), "spectator_match_id"),
        (pb.RevokeTokenRequest(bot=""), "bot"),
        (pb.RevokeTokenRequest(bot=" "), "bot"),
        (pb.RevokeTokenRequest(bot="x" * 65), "bot"),
        (pb.RevokeTokenRequest(bot="a\nb"), "bot"),
    ],
)
async def test_malformed_revocation_names_the_field(request_: pb.RevokeTokenRequest, field: str) -> None:
    async with guarded() as host:
        assert await refused(host, request_) == (grpc.StatusCode.INVALID_ARGUMENT, "FIELD_INVALID", field)


async def test_token_of_a_match_that_does_not_exist_cannot_be_revoked() -> None:
    async with guarded() as host:
        request = pb.RevokeTokenRequest(seat=pb.SeatTokenRef(match_id=UNKNOWN, seat=SEAT_A))
        assert await refused(host, request) == (grpc.StatusCode.PERMISSION_DENIED, "NOT_YOURS", "")


async def test_tokens_hold_over_a_restart(tmp_path: Path) -> None:
    async with guarded(SqliteStore(tmp_path / "store")) as host:
        bot = await renew(host, bot="crow")
        match = await create(host, "", "crow")
        seat_a = await renew(host, seat=seat_ref(match))
    async with guarded(SqliteStore(tmp_path / "store")) as host:
        session = host.session(bearer(bot))
        await session.send(own_join(1, match, 2))
        await session.until("joined", 1)
        other = host.session()
        await other.send(join_item(1, match, 1))
        assert await other.problem(1) == (7, "NOT_YOURS", "")
        await other.send(join_item(2, match, 1, seat_token=seat_a))
        await other.until("joined", 2)
        assert await answer(host, "GetMatch", match.match_id, bearer(match.spectator_token)) is None


# Bots


async def test_bot_is_told_of_its_unfinished_matches_behind_its_first_item() -> None:
    async with guarded() as host:
        token = await renew(host, bot="crow")
        matches = [await create(host, "crow"), await create(host), await create(host, "", "crow")]
        ended = await create(host, "crow")
        quitter = host.session()
        await quitter.join(ended, 1)
        await quitter.send(Item(handle=1, resign=session_pb2.Resign()))
        await quitter.until("ended", 1)

        session = host.session(bearer(token))
        await session.send(Item(hello=session_pb2.Hello(client="test", protocol=1)))
        told = await assigned(session, 2)
        assert [item.WhichOneof("kind") for item in session.items] == ["session_info", "assigned", "assigned"]
        assert [(seat.match_id, seat.seat) for seat in told] == [
            (matches[0].match_id, SEAT_A),
            (matches[2].match_id, SEAT_B),
        ]
        await session.send(own_join(1, matches[0], 1), own_join(2, matches[2], 2))
        await session.until("joined", 1)
        await session.until("joined", 2)


async def test_bot_is_told_of_each_new_match_as_long_as_its_session_lasts() -> None:
    async with guarded() as host:
        token = await renew(host, bot="crow")
        await renew(host, bot="rook")
        sessions = [host.session(bearer(token)) for _ in range(2)]
        for session in sessions:
            await session.alive()
        match = await create(host, "crow", "rook")
        for session in sessions:
            (told,) = await assigned(session, 1)
            assert (told.match_id, told.seat) == (match.match_id, SEAT_A)
        await sessions[0].call.done_writing()
        assert await sessions[0].end() == (grpc.StatusCode.OK, "")
        both = await create(host, "crow", "crow")
        assert [(seat.match_id, seat.seat) for seat in await assigned(sessions[1], 2)] == [
            (both.match_id, SEAT_A),
            (both.match_id, SEAT_B),
        ]
        assert host.running.registry.assignments._ports.keys() == {"crow"}


async def test_seed_of_a_bot_follows_from_salt_and_seat() -> None:
    store = MemoryStore()
    async with guarded(store) as host:
        token = await renew(host, bot="crow")
        await create(host, "crow", "crow")
        first, second = host.session(bearer(token)), host.session(bearer(token))
        await first.alive()
        await second.alive()
        told = await assigned(first, 2)
        secrets = await store.read_secrets(1)
        assert secrets is not None
        assert [seat.bot_seed for seat in told] == [bot_seed(secrets.salt, seat) for seat in Seat]
        assert [seat.bot_seed for seat in await assigned(second, 2)] == [seat.bot_seed for seat in told]


async def test_bots_are_told_the_seeds_that_were_given_also_after_a_restart(tmp_path: Path) -> None:
    given = [bytes([number]) * 32 for number in (1, 2)]
    async with guarded(SqliteStore(tmp_path)) as host:
        token = await renew(host, bot="crow")
        await create(host, "crow", "crow", bot_seeds=given)
        session = host.session(bearer(token))
        await session.alive()
        assert [seat.bot_seed for seat in await assigned(session, 2)] == given
    async with guarded(SqliteStore(tmp_path)) as host:
        session = host.session(bearer(token))
        await session.alive()
        assert [seat.bot_seed for seat in await assigned(session, 2)] == given


def test_bot_seed_is_the_digest_of_the_protocol() -> None:
    assert bot_seed(bytes(32), Seat.A).hex() == "0e6922f5736fe255e70c7917d9ec6ea2ac674df7d648a024531d25b95d7728ee"
    assert bot_seed(bytes(32), Seat.B).hex() == "1c27ee99c3ef65a1824ef7bc65abd4e8f28f7dbd95e8647f8a107572ea7eca5d"


async def test_seat_of_another_bot_is_not_granted() -> None:
    async with guarded() as host:
        token = await renew(host, bot="crow")
        await renew(host, bot="rook")
        match = await create(host, "crow", "rook")
        session = host.session(bearer(token))
        await session.send(own_join(1, match, 2))
        assert await session.problem(1) == (7, "NOT_YOURS", "")


async def test_both_seats_of_a_match_are_for_one_session_only_if_its_bot_owns_both() -> None:
    async with guarded() as host:
        crow = await renew(host, bot="crow")
        both, half = await create(host, "crow", "crow"), await create(host, "crow")
        owner = host.session(bearer(crow))
        await owner.send(own_join(1, both, 1), own_join(2, both, 2), own_join(3, half, 1))
        for handle in (1, 2, 3):
            await owner.until("joined", handle)
        await owner.send(join_item(4, half, 2))
        assert await owner.problem(4) == (7, "NOT_YOURS", "")
        nobody = host.session()
        await nobody.send(join_item(1, both, 1), join_item(2, both, 2))
        assert await nobody.problem(2) == (7, "NOT_YOURS", "")
        await nobody.send(Item(handle=1, leave=session_pb2.Leave()))
        await nobody.until("detached", 1)
        await nobody.send(join_item(3, both, 2))
        await nobody.until("joined", 3)


async def test_match_for_an_unknown_bot_is_refused_by_its_field() -> None:
    async with guarded() as host:
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await create(host, "", "crow")
        info = info_of(error.value)
        assert (error.value.code(), info.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "BOT_UNKNOWN")
        assert info.metadata["field"] == "players[1].bot"


# Secrecy


async def test_no_token_is_in_log_store_replay_or_answer(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    tokens: list[str] = [ORGANISER]
    told: list[bytes] = []
    async with guarded(SqliteStore(tmp_path / "store")) as host:
        tokens += [await renew(host, bot="crow"), await renew(host, bot="crow")]
        match = await create(host, "crow")
        tokens += [*match.seat_tokens, match.spectator_token]
        tokens += [await renew(host, seat=seat_ref(match)), await renew(host, spectator_match_id=match.match_id)]
        for token in tokens:
            told += [_bytes(await answer(host, name, match.match_id, bearer(token))) for name in ("GetMatch", "Play")]
            session = host.session(bearer(token))
            # Those of spectators and those that were replaced are refused a session, perhaps before anything is sent.
            with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
                await session.send(*(join_item(handle, match, 2, seat_token=token) for handle in (1, 2)))
            session.call.cancel()
        player = host.session(bearer(tokens[2]))
        await player.send(own_join(1, match, 1), Item(handle=1, resign=session_pb2.Resign()))
        await player.until("ended", 1)
        told += [item.SerializeToString() for item in player.items]
        told.append(await unary(host, "ListMatches", pb.ListMatchesRequest()))
        told.append(await _replay(host, match.match_id))
        told += [path.read_bytes() for path in (tmp_path / "store").iterdir()]
    told += [path.read_bytes() for path in (tmp_path / "store").iterdir()]
    told.append(caplog.text.encode())
    everything = b"\n".join(told)
    assert match.match_id in everything
    assert [token for token in tokens if token.encode() in everything] == []
    assert [token for token in tokens if _raw(token) in everything] == []


async def _replay(host: Referee, match_id: bytes) -> bytes:
    data, token = b"", ""
    while True:
        request = pb.GetReplayRequest(match_id=match_id, page_token=token)
        page = pb.GetReplayResponse.FromString(await unary(host, "GetReplay", request))
        data, token = data + page.data, page.next_page_token
        if not token:
            return data


def _bytes(refusal: Refusal | None) -> bytes:
    return b"" if refusal is None else refusal.message.encode() + refusal.details


def _raw(token: str) -> bytes:
    """Returns the random part of a token as bytes."""
    return urlsafe_b64decode(token + "=" * (-len(token) % 4))[-16:]
