"""A token that is replaced while a call begins by it: the call shows nothing, whichever comes first."""

from typing import Any

import pytest
from unoduo.v1 import referee_service_pb2 as pb

from referee.store.memory import MemoryStore
from tests.server.identity import SEAT_A, answer, bearer, create, guarded, renew, unary
from tests.server.wire import join_item


@pytest.mark.parametrize(
    ("step", "reason"), [("find", "NOT_YOURS"), ("spectators", "TOKEN_UNKNOWN")], ids=["before", "after"]
)
async def test_spectators_token_that_is_replaced_while_a_call_begins_shows_nothing(
    step: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with guarded() as host:
        match = await create(host)
        registry = host.running.registry
        known = getattr(registry, step)

        async def replacing(asked: Any) -> Any:
            monkeypatch.undo()
            await renew(host, spectator_match_id=match.match_id)
            return await known(asked)

        monkeypatch.setattr(registry, step, replacing)
        refusal = await answer(host, "WatchMatch", match.match_id, bearer(match.spectator_token))
        assert refusal is not None
        assert refusal.reason == reason


async def test_seat_token_that_is_replaced_while_a_match_that_is_over_is_looked_up_grants_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = MemoryStore()
    async with guarded(store) as host:
        match = await create(host)
        await unary(host, "VoidMatch", pb.VoidMatchRequest(match_id=match.match_id))
        find = store.find_match

        async def replacing(match_id: bytes) -> Any:
            row = await find(match_id)
            monkeypatch.undo()
            await renew(host, seat=pb.SeatTokenRef(match_id=match.match_id, seat=SEAT_A))
            return row

        monkeypatch.setattr(store, "find_match", replacing)
        session = host.session()
        await session.send(join_item(1, match, 1))
        assert await session.problem(1) == (7, "NOT_YOURS", "")


async def test_token_of_a_bot_that_is_replaced_while_it_acts_ends_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    async with guarded(store) as host:
        token = await renew(host, bot="crow")
        match = await create(host, "crow")
        await unary(host, "VoidMatch", pb.VoidMatchRequest(match_id=match.match_id))
        find = store.find_match

        async def replacing(match_id: bytes) -> Any:
            monkeypatch.undo()
            await renew(host, bot="crow")
            return await find(match_id)

        monkeypatch.setattr(store, "find_match", replacing)
        refusal = await answer(host, "Act", match.match_id, bearer(token))
        assert refusal is not None
        assert refusal.reason == "TOKEN_UNKNOWN"
