import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message
from unoduo.v1 import match_pb2, referee_service_pb2, ruleset_pb2, seat_pb2
from unoduo_client import Organiser, RefereeError

from tests.clients.scripted import MATCH_ID, serving, status_details

Context = grpc.aio.ServicerContext[Any, Any]
Call = Callable[[Any, Context], Awaitable[Message]]


@asynccontextmanager
async def organiser(name: str, call: Call, token: str | None = None) -> AsyncIterator[Organiser]:
    """Yields an organiser at a referee that answers one call."""
    request: type[Message] = getattr(referee_service_pb2, f"{name}Request")
    handler: grpc.RpcMethodHandler[Any, Any] = grpc.unary_unary_rpc_method_handler(
        call, request.FromString, lambda answer: answer.SerializeToString()
    )
    async with serving({name: handler}) as address, Organiser(address, token) as caller:
        yield caller


async def test_create_match_sends_what_is_asked_for() -> None:
    async def create(request: referee_service_pb2.CreateMatchRequest, context: Context) -> Message:
        assert dict(context.invocation_metadata() or ())["authorization"] == "Bearer secret"
        assert [player.name for player in request.players] == ["Ann", "Bob"]
        assert request.WhichOneof("deal") == "seed"
        assert request.seed == b"s" * 32
        assert request.ruleset.target == 50
        assert request.time_control.limit_ms == 1000
        assert not request.HasField("fault_policy")
        assert request.replaces_number == 3
        assert list(request.bot_seeds) == [b"a" * 32, b"b" * 32]
        return referee_service_pb2.CreateMatchResponse(match_id=MATCH_ID, seat_tokens=["a", "b"])

    async with organiser("CreateMatch", create, "secret") as caller:
        created = await caller.create_match(
            ["Ann", "Bob"],
            ruleset=ruleset_pb2.Ruleset(target=50),
            time_control=match_pb2.TimeControl(limit_ms=1000),
            seed=b"s" * 32,
            replaces_number=3,
            bot_seeds=[b"a" * 32, b"b" * 32],
        )
    assert created.seat_tokens == ["a", "b"]


async def test_create_match_asks_for_a_fresh_deal_without_a_seed() -> None:
    async def create(request: referee_service_pb2.CreateMatchRequest, context: Context) -> Message:
        assert "authorization" not in dict(context.invocation_metadata() or ())
        assert request.WhichOneof("deal") == "fresh"
        return referee_service_pb2.CreateMatchResponse(match_id=MATCH_ID)

    async with organiser("CreateMatch", create) as caller:
        assert (await caller.create_match(["Ann", "Bob"])).match_id == MATCH_ID


async def test_create_match_names_the_deal_to_share() -> None:
    async def create(request: referee_service_pb2.CreateMatchRequest, context: Context) -> Message:
        assert request.WhichOneof("deal") == "deal_id"
        assert request.deal_id == b"d" * 16
        return referee_service_pb2.CreateMatchResponse(match_id=MATCH_ID)

    async with organiser("CreateMatch", create) as caller:
        await caller.create_match(["Ann", "Bob"], deal_id=b"d" * 16)
        with pytest.raises(ValueError, match="not both"):
            await caller.create_match(["Ann", "Bob"], deal_id=b"d" * 16, seed=bytes(32))


@pytest.mark.parametrize("seed", [None, bytes(32)])
async def test_create_deal_returns_its_id(seed: bytes | None) -> None:
    async def create(request: referee_service_pb2.CreateDealRequest, context: Context) -> Message:
        assert (request.seed if request.HasField("seed") else None) == seed
        return referee_service_pb2.CreateDealResponse(deal_id=b"d" * 16)

    async with organiser("CreateDeal", create) as caller:
        assert await caller.create_deal(seed) == b"d" * 16


async def test_close_deal_names_the_deal() -> None:
    closed = []

    async def close(request: referee_service_pb2.CloseDealRequest, context: Context) -> Message:
        closed.append(request.deal_id)
        return referee_service_pb2.CloseDealResponse()

    async with organiser("CloseDeal", close) as caller:
        await caller.close_deal(b"d" * 16)
    assert closed == [b"d" * 16]


async def test_create_match_names_the_bots() -> None:
    async def create(request: referee_service_pb2.CreateMatchRequest, context: Context) -> Message:
        assert [(player.name, player.bot) for player in request.players] == [("Ann", ""), ("Bob", "bobbot")]
        return referee_service_pb2.CreateMatchResponse(match_id=MATCH_ID)

    async with organiser("CreateMatch", create) as caller:
        await caller.create_match(["Ann", "Bob"], bots=["", "bobbot"])


async def test_void_match_returns_where_it_stands() -> None:
    async def void(request: referee_service_pb2.VoidMatchRequest, context: Context) -> Message:
        assert request.reason == "rain"
        return referee_service_pb2.VoidMatchResponse(match=match_pb2.MatchSummary(match_id=request.match_id))

    async with organiser("VoidMatch", void) as caller:
        assert (await caller.void_match(MATCH_ID, "rain")).match_id == MATCH_ID


async def test_revoke_returns_the_new_token_of_each_kind() -> None:
    async def revoke(request: referee_service_pb2.RevokeTokenRequest, context: Context) -> Message:
        kind = request.WhichOneof("target")
        if kind == "seat":
            assert (request.seat.match_id, request.seat.seat) == (MATCH_ID, seat_pb2.SEAT_B)
        else:
            assert (request.spectator_match_id, request.bot) in ((MATCH_ID, ""), (b"", "annbot"))
        return referee_service_pb2.RevokeTokenResponse(new_token=f"new {kind}")

    async with organiser("RevokeToken", revoke) as caller:
        assert await caller.revoke_seat_token(MATCH_ID, seat_pb2.SEAT_B) == "new seat"
        assert await caller.revoke_spectator_token(MATCH_ID) == "new spectator_match_id"
        assert await caller.revoke_bot_token("annbot") == "new bot"


async def test_index_follows_the_pages() -> None:
    records = [b"a", b"b", b"c"]

    async def index(request: referee_service_pb2.GetIndexRequest, context: Context) -> Message:
        assert request.page_size == 2
        page = records[request.after : request.after + 2]
        return referee_service_pb2.GetIndexResponse(records=page, head=page[-1], total=len(records))

    async with organiser("GetIndex", index) as caller:
        pages = [page async for page in caller.index(page_size=2)]
    assert [(list(page.records), page.head) for page in pages] == [([b"a", b"b"], b"b"), ([b"c"], b"c")]


async def test_get_match_returns_the_match() -> None:
    async def get(request: referee_service_pb2.GetMatchRequest, context: Context) -> Message:
        return referee_service_pb2.GetMatchResponse(match=match_pb2.MatchSummary(match_id=request.match_id, number=5))

    async with organiser("GetMatch", get) as caller:
        match = await caller.get_match(MATCH_ID)
    assert (match.match_id, match.number) == (MATCH_ID, 5)


async def test_list_matches_follows_the_pages() -> None:
    async def matches(request: referee_service_pb2.ListMatchesRequest, context: Context) -> Message:
        first = int(request.page_token or 1)
        assert request.page_size == 2
        listed = [match_pb2.MatchSummary(number=number) for number in range(first, min(first + 2, 6))]
        return referee_service_pb2.ListMatchesResponse(
            matches=listed, next_page_token=str(first + 2) if first + 2 < 6 else ""
        )

    async with organiser("ListMatches", matches) as caller:
        assert [match.number async for match in caller.list_matches(page_size=2)] == [1, 2, 3, 4, 5]
        # This referee's tokens are numbers to begin with, those of the real one numbers to begin after.
        assert [match.number async for match in caller.list_matches(page_size=2, after_number=4)] == [4, 5]


PAGES = [b"UNODUO", b"\x00\x01", b"rest"]


async def replay(request: referee_service_pb2.GetReplayRequest, context: Context) -> Message:
    number = int(request.page_token or 0)
    next_page = str(number + 1) if number + 1 < len(PAGES) else ""
    return referee_service_pb2.GetReplayResponse(data=PAGES[number], next_page_token=next_page)


async def broken_replay(request: referee_service_pb2.GetReplayRequest, context: Context) -> Message:
    if request.page_token:
        context.set_trailing_metadata([status_details(grpc.StatusCode.UNAVAILABLE, "DRAINING", "")])
        await context.abort(grpc.StatusCode.UNAVAILABLE, "going down")
    return referee_service_pb2.GetReplayResponse(data=b"UNO", next_page_token="1")


async def test_fetch_replay_joins_the_pages() -> None:
    async with organiser("GetReplay", replay) as caller:
        assert await caller.fetch_replay(MATCH_ID) == b"".join(PAGES)


async def test_save_replay_writes_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.unoduo"
    async with organiser("GetReplay", replay) as caller:
        await caller.save_replay(MATCH_ID, path)
    assert path.read_bytes() == b"".join(PAGES)
    assert os.listdir(tmp_path) == [path.name]


async def test_save_replay_leaves_nothing_of_a_broken_transfer(tmp_path: Path) -> None:
    path = tmp_path / "a.unoduo"
    path.write_bytes(b"before")
    async with organiser("GetReplay", broken_replay) as caller:
        with pytest.raises(RefereeError, match="going down"):
            await caller.save_replay(MATCH_ID, path)
    assert path.read_bytes() == b"before"
    assert os.listdir(tmp_path) == [path.name]


async def test_save_replay_follows_a_link(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to("a.unoduo")
    async with organiser("GetReplay", replay) as caller:
        await caller.save_replay(MATCH_ID, link)
    assert link.is_symlink()
    assert (tmp_path / "a.unoduo").read_bytes() == b"".join(PAGES)


async def test_save_replay_writes_through_no_link_that_somebody_has_laid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    for name in ("a.unoduo.part", "unoduo-guess.part"):
        (tmp_path / name).symlink_to(victim)
    async with organiser("GetReplay", replay) as caller:
        await caller.save_replay(MATCH_ID, tmp_path / "a.unoduo")
        monkeypatch.setattr("unoduo_client.organiser.token_hex", lambda size: "guess")
        with pytest.raises(FileExistsError):
            await caller.save_replay(MATCH_ID, tmp_path / "a.unoduo")
    assert victim.read_text() == "precious"
    assert sorted(os.listdir(tmp_path)) == ["a.unoduo", "a.unoduo.part", "unoduo-guess.part", "victim"]


async def test_save_replay_refuses_what_is_no_regular_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    async with organiser("GetReplay", replay) as caller:
        with pytest.raises(FileExistsError, match="no regular file"):
            await caller.save_replay(MATCH_ID, pipe)
        for folder in (tmp_path, Path()):
            with pytest.raises(IsADirectoryError):
                await caller.save_replay(MATCH_ID, folder)
    assert pipe.is_fifo()
    assert os.listdir(tmp_path) == [pipe.name]


@pytest.mark.parametrize(
    ("trailers", "reason", "field"),
    [
        ([status_details(grpc.StatusCode.INVALID_ARGUMENT, "FIELD_INVALID", "players")], "FIELD_INVALID", "players"),
        ([status_details(grpc.StatusCode.INVALID_ARGUMENT, "X", "y", domain="elsewhere.example")], "", ""),
        ([("grpc-status-details-bin", b"\xff\xff")], "", ""),
        ([], "", ""),
    ],
    ids=["of the referee", "of somebody else", "unreadable", "none"],
)
async def test_calls_raise_referee_error_with_reason_and_field(
    trailers: list[tuple[str, str | bytes]], reason: str, field: str
) -> None:
    async def refuse(request: referee_service_pb2.CreateMatchRequest, context: Context) -> Message:
        context.set_trailing_metadata(trailers)
        await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "two players, please")

    async with organiser("CreateMatch", refuse) as caller:
        with pytest.raises(RefereeError) as error:
            await caller.create_match(["Ann"])
    assert error.value.code is grpc.StatusCode.INVALID_ARGUMENT
    assert (error.value.reason, error.value.field) == (reason, field)
    assert error.value.message == "two players, please"


async def test_calls_raise_referee_error_where_nobody_listens(closed_address: str) -> None:
    async with Organiser(closed_address) as caller:
        with pytest.raises(RefereeError, match=f"nobody listens at {closed_address}") as error:
            await caller.get_match(MATCH_ID)
    assert error.value.code is grpc.StatusCode.UNAVAILABLE
