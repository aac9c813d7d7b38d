"""The unary calls."""

from typing import Any

import grpc
import pytest
from google.protobuf.message import Message
from unoduo.v1 import match_pb2, ruleset_pb2
from unoduo.v1 import referee_service_pb2 as pb
from unoduo.v1 import session_pb2 as session_messages

from referee.codec.headers import decode_header
from referee.deal.keys import shared_deal_id
from referee.server.limits import Limits
from referee.server.outbox import Outbox
from referee.server.servicer import SERVICE
from tests.server.wire import Item, Referee, info_of, referee

PLAYERS = [match_pb2.Player(name="Ada"), match_pb2.Player(name="Bob")]


async def _error(call: Any) -> grpc.aio.AioRpcError:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await call
    return error.value


async def _refused(call: Any) -> tuple[grpc.StatusCode, str, str]:
    error = await _error(call)
    info = info_of(error)
    return error.code(), info.reason, info.metadata.get("field", "")


def _as(token: str) -> dict[str, Any]:
    return {"metadata": (("authorization", f"Bearer {token}"),)}


async def _ended(host: Referee) -> pb.CreateMatchResponse:
    match = await host.create()
    session = host.session()
    handle = await session.join(match, 1)
    await session.send(Item(handle=handle, resign=session_messages.Resign()))
    await session.until("ended", handle)
    return match


async def test_created_match_has_a_header_with_every_setting() -> None:
    async with referee() as host:
        match = await host.stub.CreateMatch(
            pb.CreateMatchRequest(
                players=PLAYERS,
                ruleset=ruleset_pb2.Ruleset(hand_size=5),
                time_control=match_pb2.TimeControl(limit_ms=77),
                fault_policy=match_pb2.FaultPolicy(max_strikes=3),
                seed=bytes(32),
            )
        )
        header = decode_header(match.header)
        assert header.match_id == match.match_id
        assert header.match_number == match.number == 1
        assert (header.ruleset.hand_size, header.ruleset.target) == (5, 200)
        assert header.time_control.limit_ms == 77
        assert header.time_control.startup_grace_ms == 30_000
        assert header.fault_policy.max_strikes == 3
        assert header.deal_mode.name == "GIVEN"
        assert len({*match.seat_tokens, match.spectator_token}) == 3


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (pb.CreateMatchRequest(), "players"),
        (pb.CreateMatchRequest(players=PLAYERS[:1]), "players"),
        (pb.CreateMatchRequest(players=PLAYERS * 2), "players"),
        (pb.CreateMatchRequest(players=[PLAYERS[0], match_pb2.Player()]), "players[1].name"),
        (pb.CreateMatchRequest(players=[match_pb2.Player(name="a\n"), PLAYERS[1]]), "players[0].name"),
        (pb.CreateMatchRequest(players=PLAYERS, ruleset=ruleset_pb2.Ruleset(hand_size=99)), "ruleset.hand_size"),
        (pb.CreateMatchRequest(players=PLAYERS, ruleset=ruleset_pb2.Ruleset(deck=9)), "ruleset.deck"),  # type: ignore[arg-type]
        (
            pb.CreateMatchRequest(players=PLAYERS, time_control=match_pb2.TimeControl(bank_ms=5)),
            "time_control.limit_ms",
        ),
        (
            pb.CreateMatchRequest(players=PLAYERS, fault_policy=match_pb2.FaultPolicy(rejection_limit=101)),
            "fault_policy.rejection_limit",
        ),
        (pb.CreateMatchRequest(players=PLAYERS, seed=bytes(31)), "seed"),
        (pb.CreateMatchRequest(players=PLAYERS, seed=b""), "seed"),
        (pb.CreateMatchRequest(players=PLAYERS, deal_id=bytes(15)), "deal_id"),
        (pb.CreateMatchRequest(players=PLAYERS, deal_id=b""), "deal_id"),
        (pb.CreateMatchRequest(players=PLAYERS, replaces_number=1), "replaces_number"),
        (pb.CreateMatchRequest(players=PLAYERS, bot_seeds=[bytes(32)]), "bot_seeds"),
        (pb.CreateMatchRequest(players=PLAYERS, bot_seeds=[bytes(32), bytes(31)]), "bot_seeds[1]"),
    ],
)
async def test_order_that_is_wrong_is_refused_naming_the_field(request_: pb.CreateMatchRequest, field: str) -> None:
    async with referee() as host:
        refused = await _refused(host.stub.CreateMatch(request_))
        assert refused == (grpc.StatusCode.INVALID_ARGUMENT, "FIELD_INVALID", field)
        assert list((await host.stub.ListMatches(pb.ListMatchesRequest())).matches) == []


async def test_deal_that_was_not_made_is_unknown() -> None:
    async with referee() as host:
        for call in (
            host.create(deal_id=bytes(16)),
            host.stub.CloseDeal(pb.CloseDealRequest(deal_id=bytes(16))),
        ):
            assert await _refused(call) == (grpc.StatusCode.INVALID_ARGUMENT, "DEAL_UNKNOWN", "deal_id")


async def test_matches_share_a_deal_until_it_is_closed() -> None:
    async with referee() as host:
        deal = await host.stub.CreateDeal(pb.CreateDealRequest(seed=bytes(32)))
        assert deal.deal_id == shared_deal_id(bytes(32))
        again = await host.stub.CreateDeal(pb.CreateDealRequest(seed=bytes(32)))
        drawn = await host.stub.CreateDeal(pb.CreateDealRequest())
        assert again.deal_id == deal.deal_id != drawn.deal_id
        for match in [await host.create(deal_id=deal.deal_id) for _ in range(2)]:
            assert decode_header(match.header).deal_mode.name == "SHARED"
        for _ in range(2):
            await host.stub.CloseDeal(pb.CloseDealRequest(deal_id=deal.deal_id))
        closed = grpc.StatusCode.FAILED_PRECONDITION, "DEAL_CLOSED"
        assert await _refused(host.create(deal_id=deal.deal_id)) == (*closed, "deal_id")
        assert await _refused(host.stub.CreateDeal(pb.CreateDealRequest(seed=bytes(32)))) == (*closed, "seed")


@pytest.mark.parametrize("size", [0, 31, 33])
async def test_deal_of_another_size_is_malformed(size: int) -> None:
    async with referee() as host:
        expected = grpc.StatusCode.INVALID_ARGUMENT, "FIELD_INVALID"
        refused = await _refused(host.stub.CreateDeal(pb.CreateDealRequest(seed=bytes(size))))
        assert refused == (*expected, "seed")
        refused = await _refused(host.stub.CloseDeal(pb.CloseDealRequest(deal_id=bytes(size))))
        assert refused == (*expected, "deal_id")


async def test_too_many_matches_say_when_to_try_again() -> None:
    async with referee(limits=Limits(max_open_matches=1)) as host:
        await host.create()
        error = await _error(host.create())
        info = info_of(error)
        assert (error.code(), info.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_MATCHES")
        assert int(info.metadata["retry_after_ms"]) > 0


async def test_match_is_found_by_its_organiser_and_by_who_has_a_token_of_it() -> None:
    async with referee() as host:
        match, rival = await host.create(), await host.create()
        request = pb.GetMatchRequest(match_id=match.match_id)
        for metadata in ({}, *map(_as, (*match.seat_tokens, match.spectator_token))):
            found = (await host.stub.GetMatch(request, **metadata)).match
            assert (found.number, found.lifecycle) == (1, match_pb2.LIFECYCLE_CREATED)
        foreign = [
            await _error(host.stub.GetMatch(request, **_as(rival.seat_tokens[0]))),
            await _error(host.stub.GetMatch(pb.GetMatchRequest(match_id=bytes(16)))),
            await _error(host.stub.GetReplay(pb.GetReplayRequest(match_id=bytes(16)))),
            await _error(
                host.stub.GetReplay(pb.GetReplayRequest(match_id=match.match_id), **_as(rival.spectator_token))
            ),
        ]
        assert {error.code() for error in foreign} == {grpc.StatusCode.PERMISSION_DENIED}
        assert len({(info_of(error).SerializeToString(), error.details()) for error in foreign}) == 1


@pytest.mark.parametrize("size", [0, 15, 17])
async def test_match_id_of_another_size_is_malformed(size: int) -> None:
    async with referee() as host:
        expected = (grpc.StatusCode.INVALID_ARGUMENT, "FIELD_INVALID", "match_id")
        assert await _refused(host.stub.GetMatch(pb.GetMatchRequest(match_id=bytes(size)))) == expected
        assert await _refused(host.stub.GetReplay(pb.GetReplayRequest(match_id=bytes(size)))) == expected


async def test_list_goes_on_where_the_last_page_ended() -> None:
    async with referee() as host:
        for _ in range(5):
            await host.create()
        numbers, token = [], ""
        pages = 0
        while True:
            page = await host.stub.ListMatches(pb.ListMatchesRequest(page_size=2, page_token=token))
            numbers += [match.number for match in page.matches]
            token = page.next_page_token
            pages += 1
            if not token:
                break
        assert numbers == [1, 2, 3, 4, 5]
        assert pages == 3
        assert len((await host.stub.ListMatches(pb.ListMatchesRequest())).matches) == 5


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (pb.ListMatchesRequest(page_size=1_001), "page_size"),
        (pb.ListMatchesRequest(page_token="x"), "page_token"),
        (pb.ListMatchesRequest(page_token="-1"), "page_token"),
        (pb.ListMatchesRequest(page_token="4294967296"), "page_token"),
    ],
)
async def test_page_that_cannot_be_is_refused(request_: pb.ListMatchesRequest, field: str) -> None:
    async with referee() as host:
        refused = await _refused(host.stub.ListMatches(request_))
        assert refused == (grpc.StatusCode.INVALID_ARGUMENT, "FIELD_INVALID", field)


async def test_seats_and_spectators_make_and_list_no_matches() -> None:
    async with referee() as host:
        match = await host.create()
        for token in (*match.seat_tokens, match.spectator_token):
            for call in (
                host.stub.ListMatches(pb.ListMatchesRequest(), **_as(token)),
                host.stub.CreateMatch(pb.CreateMatchRequest(players=PLAYERS), **_as(token)),
            ):
                assert await _refused(call) == (grpc.StatusCode.PERMISSION_DENIED, "NOT_YOURS", "")


async def test_token_that_nobody_has_is_refused_by_every_call() -> None:
    async with referee() as host:
        match = await host.create()
        calls: list[tuple[Any, Message]] = [
            (host.stub.CreateMatch, pb.CreateMatchRequest(players=PLAYERS)),
            (host.stub.GetMatch, pb.GetMatchRequest(match_id=match.match_id)),
            (host.stub.ListMatches, pb.ListMatchesRequest()),
            (host.stub.GetReplay, pb.GetReplayRequest(match_id=match.match_id)),
        ]
        for call, request in calls:
            refused = await _refused(call(request, **_as("nobody")))
            assert refused == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN", "authorization")


async def test_replay_comes_after_the_reveal() -> None:
    async with referee() as host:
        match = await host.create()
        refused = await _refused(host.stub.GetReplay(pb.GetReplayRequest(match_id=match.match_id)))
        assert refused == (grpc.StatusCode.FAILED_PRECONDITION, "REPLAY_NOT_AVAILABLE", "")
        over = await _ended(host)
        assert (await host.replay(over.match_id)).startswith(b"UNODUO")
        refused = await _refused(host.stub.GetReplay(pb.GetReplayRequest(match_id=over.match_id, page_token="x")))
        assert refused == (grpc.StatusCode.INVALID_ARGUMENT, "FIELD_INVALID", "page_token")


@pytest.mark.parametrize("name", [method.name for method in SERVICE.methods if method.name != "Play"])
async def test_unreadable_request_is_malformed(name: str) -> None:
    async with referee() as host:
        call: Any = host.channel.unary_unary(f"/unoduo.v1.RefereeService/{name}")
        assert await _refused(call(b"\xff\xff")) == (grpc.StatusCode.INVALID_ARGUMENT, "MESSAGE_UNREADABLE", "")


async def test_bug_is_an_internal_error_that_tells_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with referee() as host:

        async def broken(match_id: bytes) -> None:
            raise RuntimeError("secret")

        monkeypatch.setattr(host.running.registry, "find", broken)
        error = await _error(host.stub.GetMatch(pb.GetMatchRequest(match_id=bytes(16))))
        assert (error.code(), info_of(error).reason) == (grpc.StatusCode.INTERNAL, "INTERNAL")
        assert "secret" not in str(error)
        assert "GetMatch failed" in caplog.text


async def test_bug_in_what_a_session_says_ends_it_as_an_internal_error(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(outbox: Outbox) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(Outbox, "next_message", broken)
    async with referee() as host:
        assert await host.session().end() == (grpc.StatusCode.INTERNAL, "INTERNAL")
        assert host.running.open_sessions == 0
        assert "Play failed" in caplog.text
