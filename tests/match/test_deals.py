"""Deals that matches share: made before them, closed after them, and secret until all is over."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from io import BytesIO
from itertools import permutations
from random import Random
from typing import Any

import pytest

from referee.audit.replay import replay
from referee.audit.report import Status
from referee.audit.verify import verify
from referee.codec.headers import decode_header
from referee.deal.keys import shared_deal_id
from referee.match.faults import Fault, ProblemReason
from referee.match.registry import CreatedMatch, MatchOrder
from referee.match.replays import replay_page
from referee.rules.outcome import Termination
from referee.rules.seats import Seat
from referee.store.memory import MemoryStore
from tests.match.restarted import proof
from tests.match.table import ORDER, Sitter, Table, play_out, settle

SEED = bytes(range(32))
_LINK = 8


def sharing(deal_id: bytes) -> MatchOrder:
    return replace(ORDER, seed=None, deal_id=deal_id)


async def reason_of(call: Coroutine[Any, Any, Any]) -> tuple[ProblemReason, str]:
    with pytest.raises(Fault) as refused:
        await call
    return refused.value.reason, refused.value.field


async def is_revealed(table: Table, match: CreatedMatch) -> bool:
    """Returns whether the cards of a match are public, by all ways that could tell them."""
    row = await table.registry.find(match.row.match_id)
    assert row is not None
    told = [(await table.registry.summary(row)).replay_available]
    for refusal, call in (
        (ProblemReason.REPLAY_NOT_AVAILABLE, replay_page(table.store, row, "")),
        (ProblemReason.FEED_NOT_AVAILABLE, table.registry.spectators(row)),
    ):
        try:
            await call
            told.append(True)
        except Fault as fault:
            told.append(fault.reason is not refusal)
    assert len({*told}) == 1, told
    return told[0]


async def test_deal_of_a_seed_is_one_and_has_the_same_id_everywhere(table: Table) -> None:
    deal_id = await table.registry.create_deal(SEED)
    assert deal_id == await table.registry.create_deal(SEED) == shared_deal_id(SEED)
    drawn = [await table.registry.create_deal(None) for _ in range(2)]
    assert len({deal_id, *drawn}) == 3
    for made in drawn:
        row = await table.store.read_deal(made)
        assert row is not None
        assert shared_deal_id(row.seed) == made


async def test_match_of_a_deal_is_shared_takes_no_entropy_and_verifies(table: Table) -> None:
    deal_id = await table.registry.create_deal(SEED)
    match = await table.create(sharing(deal_id))
    assert decode_header(match.row.header).deal_mode.name == "SHARED"
    a, b = await table.join(match, Seat.A), await table.join(match, Seat.B)
    a.ready(b"entropy")
    await settle()
    assert a.problems == ["ENTROPY_NOT_ALLOWED"]
    a.ready()
    b.ready()
    await settle()
    sealed = a.observations[-1].events[0].event.deal_sealed
    assert (sealed.entropy_1, sealed.entropy_2) == (b"", b"")
    await play_out(a, b, random=Random(3))
    await table.registry.close_deal(deal_id)
    assert verify(BytesIO(await proof(table, match))).status is Status.OK


async def test_matches_of_a_deal_have_the_same_cards_at_every_referee() -> None:
    told = []
    for count in (2, 1):
        table = Table()
        await table.open()
        deal_id = await table.registry.create_deal(SEED)
        for _ in range(count):
            match, a, b = await table.started(sharing(deal_id))
            await play_out(a, b, random=Random(3))
            told.append((table, match))
        await table.registry.close_deal(deal_id)
    events = [[entry.events for entry in replay(BytesIO(await proof(*each))).entries] for each in told]
    assert events[0] == events[1] == events[2]
    for table, _ in told[1:]:
        await table.close()


@pytest.mark.parametrize("steps", [*permutations(("first", "second", "close"))])
async def test_deal_is_revealed_when_it_is_closed_and_all_its_matches_are_over(table: Table, steps: list[str]) -> None:
    deal_id = await table.registry.create_deal(SEED)
    matches = {name: await table.started(sharing(deal_id)) for name in ("first", "second")}
    for done, step in enumerate(steps, 1):
        if step == "close":
            await table.registry.close_deal(deal_id)
        else:
            matches[step][1].resign()
        await settle()
        for match, _, _ in matches.values():
            assert await is_revealed(table, match) == (done == 3), steps[:done]
    for match, _, _ in matches.values():
        assert verify(BytesIO(await proof(table, match))).status is Status.OK


async def test_half_of_a_pair_cannot_be_read_before_the_other_half_is_made(table: Table) -> None:
    deal_id = await table.registry.create_deal(None)
    first, a, _ = await table.started(sharing(deal_id))
    a.resign()
    await settle()
    assert a.ended is not None
    assert not a.ended.replay_available
    assert not await is_revealed(table, first)
    second, b, _ = await table.started(sharing(deal_id))
    b.resign()
    await settle()
    assert not await is_revealed(table, first)
    await table.registry.close_deal(deal_id)
    assert await is_revealed(table, first)
    assert await is_revealed(table, second)


async def test_void_match_of_a_deal_counts_as_over(table: Table) -> None:
    deal_id = await table.registry.create_deal(None)
    match = await table.create(sharing(deal_id))
    await table.registry.close_deal(deal_id)
    assert not await is_revealed(table, match)
    await table.registry.void(match.row, "called off")
    await settle()
    assert await is_revealed(table, match)


async def test_closed_deal_takes_no_match_and_is_not_made_again(table: Table) -> None:
    deal_id = await table.registry.create_deal(SEED)
    for _ in range(2):
        await table.registry.close_deal(deal_id)
    assert await reason_of(table.registry.create_match(sharing(deal_id))) == (ProblemReason.DEAL_CLOSED, "deal_id")
    assert await reason_of(table.registry.create_deal(SEED)) == (ProblemReason.DEAL_CLOSED, "seed")
    assert table.registry.open_matches == 0
    await table.create()


async def test_unknown_deal_takes_no_match_and_cannot_be_closed(table: Table) -> None:
    await table.create()
    secrets = await table.store.read_secrets(1)
    assert secrets is not None
    for deal_id in (bytes(16), secrets.deal_id):
        for call in (table.registry.create_match(sharing(deal_id)), table.registry.close_deal(deal_id)):
            assert await reason_of(call) == (ProblemReason.DEAL_UNKNOWN, "deal_id")


async def test_end_of_a_given_seed_opens_no_shared_deal_of_it(table: Table) -> None:
    shared = await table.create(sharing(await table.registry.create_deal(SEED)))
    given, a, _ = await table.started(replace(ORDER, seed=SEED))
    a.resign()
    await settle()
    assert await is_revealed(table, given)
    assert not await is_revealed(table, shared)


async def test_deals_outlive_a_restart(table: Table) -> None:
    kept, closed = [await table.registry.create_deal(None) for _ in range(2)]
    over, a, _ = await table.started(sharing(kept))
    a.resign()
    asleep = await table.create(sharing(closed))
    await settle()
    await table.registry.close_deal(closed)
    await table.restart()
    assert await reason_of(table.registry.create_match(sharing(closed))) == (ProblemReason.DEAL_CLOSED, "deal_id")
    later = await table.create(sharing(kept))
    await table.registry.void(asleep.row, "")
    await table.registry.close_deal(kept)
    assert [await is_revealed(table, match) for match in (over, asleep, later)] == [False, True, False]
    await table.registry.void(later.row, "")
    assert await is_revealed(table, over)


async def test_deals_of_a_backup_are_closed_and_their_matches_end_void(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_id = await table.registry.create_deal(SEED)
    over, a, _ = await table.started(sharing(deal_id))
    a.resign()
    open_match = await table.create(sharing(deal_id))
    await settle()
    with monkeypatch.context() as backup:
        backup.setattr(MemoryStore, "restored", True)
        await table.restart()
    assert await reason_of(table.registry.create_match(sharing(deal_id))) == (ProblemReason.DEAL_CLOSED, "deal_id")
    for match in (over, open_match):
        assert await is_revealed(table, match)
    report = verify(BytesIO(await proof(table, open_match)))
    assert report.outcome is not None
    assert report.outcome.termination is Termination.VOID_REFEREE


async def test_deal_that_is_being_closed_is_closed_though_its_organiser_is_gone(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_id = await table.registry.create_deal(None)
    match, a, _ = await table.started(sharing(deal_id))
    gate, close = asyncio.Event(), table.store.close_deal

    async def close_slowly(deal_id: bytes, reveals: Mapping[int, bytes]) -> None:
        await gate.wait()
        await close(deal_id, reveals)

    monkeypatch.setattr(table.store, "close_deal", close_slowly)
    closing = asyncio.create_task(table.registry.close_deal(deal_id))
    await settle()
    closing.cancel()
    a.resign()
    await settle()
    gate.set()
    await settle()
    assert await is_revealed(table, match)


@pytest.mark.parametrize(
    "call",
    [lambda table: table.registry.create_deal(None), lambda table: table.registry.close_deal(bytes(16))],
    ids=["create", "close"],
)
async def test_no_deal_is_made_or_closed_while_the_store_takes_nothing(
    table: Table, call: Callable[[Table], Coroutine[Any, Any, Any]]
) -> None:
    _, a, _ = await table.started()
    table.store.freeze()
    a.resign()
    await settle()
    assert await reason_of(call(table)) == (ProblemReason.STORE_UNAVAILABLE, "")
    table.store.thaw()


async def test_nothing_links_two_matches_of_a_deal_before_its_reveal(table: Table) -> None:
    deals = [await table.registry.create_deal(None) for _ in range(2)]
    one, other, stranger = [await _public(table, deal_id) for deal_id in (deals[0], deals[0], deals[1])]
    links = _pieces(one) & _pieces(other)
    assert links, "what is the same in all matches is in these too"
    assert links <= _pieces(stranger)
    rows = [await table.store.read_deal(deal_id) for deal_id in deals]
    for row in rows:
        assert row is not None
        for secret in (row.deal_id, row.seed):
            assert not any(secret in told for told in (one, other, stranger))


async def _public(table: Table, deal_id: bytes) -> bytes:
    """Returns all that is told of a match from its creation to its end, but what depends on the cards."""
    match, a, b = await table.started(sharing(deal_id))
    start = len(a.observations)
    a.resign()
    await settle()
    records = await table.store.index_records(0, 100)
    told: list[Any] = [*a.observations[start:], *b.observations[start:], a.ended, b.ended]
    row = await table.registry.find(match.row.match_id)
    assert row is not None
    told.append(await table.registry.summary(row))
    parts = [match.row.header, *(record.data for record in records[-2:]), *(each.SerializeToString() for each in told)]
    return b"|".join(parts)


def _pieces(data: bytes) -> set[bytes]:
    return {data[place : place + _LINK] for place in range(len(data) - _LINK + 1)}


async def test_seat_that_comes_back_is_told_of_the_end_alone(table: Table) -> None:
    deal_id = await table.registry.create_deal(None)
    match, a, _ = await table.started(sharing(deal_id))
    a.resign()
    await settle()
    for revealed in (False, True):
        back: Sitter = await table.join(match, Seat.A)
        assert back.ended is not None
        assert back.ended.replay_available == revealed
        await table.registry.close_deal(deal_id)
