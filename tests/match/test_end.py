"""How a match ends, and what is left of it."""

import asyncio
import gc
from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from os import urandom
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from unoduo.v1 import match_pb2

from referee.adjudication.state import Lifecycle
from referee.audit.replay import replay
from referee.audit.report import Status
from referee.audit.verify import verify
from referee.codec.seals import IndexSealed, decode_index_record, decode_reveal, decode_seal
from referee.log.heads import index_head
from referee.match.clock import FakeClock
from referee.match.faults import Fault, ProblemReason
from referee.match.inbox import JoinPost, ResignPost
from referee.match.registry import CreatedMatch, Registry
from referee.match.replays import replay_page
from referee.match.seats import Delivery
from referee.rules.seats import Seat
from referee.store.sqlite import SqliteStore
from tests.match.table import ADMISSION, NOBODY, ORDER, Port, Table, asked, play_out, settle


async def _replay(table: Table, match: CreatedMatch) -> bytes:
    data, token = b"", ""
    while True:
        page, token = await replay_page(table.store, match.row, token)
        data += page
        if not token:
            return data


@pytest.mark.parametrize("fresh", [False, True])
async def test_replay_of_a_whole_match_verifies(table: Table, fresh: bool) -> None:
    match, a, b = await table.started(replace(ORDER, seed=None if fresh else bytes(32)))
    await play_out(a, b, random=Random(3))

    report = verify(BytesIO(await _replay(table, match)))
    assert report.status is Status.OK
    assert a.ended is not None
    assert report.sequence == a.ended.sequence
    assert report.final_head == a.ended.head
    assert report.outcome == table.actor(match).outcome


async def test_deal_of_two_matches_is_revealed_when_both_have_ended(table: Table) -> None:
    first, a, _ = await table.started()
    second, b, _ = await table.started()
    a.resign()
    await settle()
    with pytest.raises(Fault) as refused:
        await _replay(table, first)
    assert refused.value.reason is ProblemReason.REPLAY_NOT_AVAILABLE
    assert a.ended is not None
    assert not a.ended.replay_available

    b.resign()
    await settle()
    assert b.ended is not None
    assert b.ended.replay_available
    decks = {verify(BytesIO(await _replay(table, match))).status for match in (first, second)}
    assert decks == {Status.OK}


async def test_same_seed_gives_the_same_deal_whatever_else_is_drawn(table: Table) -> None:
    replays = []
    for _ in range(2):
        match, a, b = await table.started()
        await play_out(a, b, random=Random(3))
        entries = replay(BytesIO(await _replay(table, match))).entries
        replays.append([entry.events for entry in entries])
    assert replays[0] == replays[1]


async def test_replay_with_rulings_of_every_kind_verifies(table: Table) -> None:
    match, a, b = await table.started()
    for turn in range(30):
        one = asked(a, b)
        if turn % 3 == 0:
            table.clock.stall(40)
            table.clock.advance(1_001)
        elif turn % 3 == 1:
            one.act(action_id="t", decision_id=1)
            assert one.decision is not None
            one.act()
        else:
            one.act()
        await settle()
    a.resign()
    await settle()
    assert verify(BytesIO(await _replay(table, match))).status is Status.OK


async def test_end_is_sealed_revealed_and_indexed(table: Table) -> None:
    match, a, b = await table.started()
    b.resign()
    await settle()

    row = await table.store.read_seal(1)
    assert row is not None
    assert row.reveal is not None
    seal = decode_seal(row.seal)
    assert a.ended is not None
    assert seal.final_head == a.ended.head
    assert seal.outcome == table.actor(match).outcome
    assert decode_reveal(row.reveal).seed == bytes(32)
    created, sealed = await table.store.index_records(0, 10)
    assert decode_index_record(sealed.data).kind == IndexSealed(seal.final_head, seal.outcome)
    assert sealed.head == index_head(created.head, sealed.data)
    secrets = await table.store.read_secrets(1)
    assert secrets is not None
    assert secrets.blind_key == b""


async def test_matches_that_begin_and_end_at_once_have_one_order_in_the_index(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "store")
    registry = Registry(
        store,
        FakeClock(),
        entropy=urandom,
        wall_clock=str,
        on_fatal=print,
        max_open_matches=5,
        admission=ADMISSION,
    )
    await store.open(registry)
    matches = await asyncio.gather(*[registry.create_match(replace(ORDER, seed=None)) for _ in range(5)])
    actors = [actor for match in matches if (actor := registry.actor(match.row.number)) is not None]
    for match, actor in zip(matches, actors, strict=True):
        token = match.tokens.seats[Seat.A]
        port = Port()
        attachment = registry.attach(NOBODY, match.row.match_id, Seat.A, token, port, 1, Delivery.EVERY_ENTRY, None)
        port.attachments[1] = attachment
        actor.post(JoinPost(attachment))
        actor.post(ResignPost(attachment, 0))
    async with asyncio.timeout(10):
        while not all(actor.is_sealed for actor in actors):
            assert not any(actor.lifecycle is Lifecycle.FROZEN for actor in actors)
            await asyncio.sleep(0)

    records = await store.index_records(0, 100)
    assert len(records) == 10
    for previous, record in pairwise(records):
        assert record.previous == previous.head
        assert record.head == index_head(previous.head, record.data)
    await registry.close()
    await store.close()


async def test_blind_key_is_forgotten_with_the_seal(table: Table) -> None:
    match, a, _ = await table.started()
    secrets = await table.store.read_secrets(1)
    assert secrets is not None
    assert secrets.blind_key in _bytes_within(table.actor(match))
    a.resign()
    await settle()
    assert secrets.blind_key not in _bytes_within(table.actor(match))


def _bytes_within(root: object) -> set[bytes]:
    """Returns all bytes that can be reached from an object by its attributes and containers."""
    found: set[bytes] = set()
    seen: set[int] = set()
    waiting = [root]
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen or isinstance(thing, (type, ModuleType, Table)):
            continue
        seen.add(id(thing))
        if isinstance(thing, bytes):
            found.add(thing)
        waiting.extend(gc.get_referents(thing))
    return found


async def test_ended_is_told_when_the_seal_is_stored(table: Table) -> None:
    _, a, b = await table.started()
    a.resign()
    while not a.observations[-1].events[-1].event.HasField("match_ended"):
        await asyncio.sleep(0)
        table.store.freeze()
    await settle()
    assert a.ended is None
    assert a.port.kinds()[-1] == "observation"
    table.store.thaw()
    await settle()
    assert a.ended == b.ended
    assert a.ended is not None


@pytest.mark.parametrize("seat", list(Seat))
@pytest.mark.parametrize("playing", [False, True])
async def test_resignation_ends_the_match_at_any_time(table: Table, seat: Seat, playing: bool) -> None:
    if playing:
        match, a, b = await table.started()
    else:
        match = await table.create()
        a, b = await table.join(match, Seat.A), await table.join(match, Seat.B)
    sitter = (a, b)[seat]
    sitter.resign()
    await settle()
    outcome = table.actor(match).outcome
    assert outcome is not None
    assert (outcome.winner, outcome.termination.name, outcome.faulted) == (seat.other, "RESIGNATION", ())
    assert a.ended == b.ended
    sitter.resign()
    await settle()
    assert sitter.problems == ["MATCH_ENDED"]


async def test_replay_is_not_available_before_the_end(table: Table) -> None:
    match, _, _ = await table.started()
    with pytest.raises(Fault) as refusal:
        await replay_page(table.store, match.row, "")
    assert refusal.value.reason is ProblemReason.REPLAY_NOT_AVAILABLE


@pytest.mark.parametrize("token", ["-1", "0", "x", "1.5", "9" * 11, "٣"])
async def test_replay_refuses_a_token_that_it_did_not_give(table: Table, token: str) -> None:
    match, a, _ = await table.started()
    a.resign()
    await settle()
    with pytest.raises(Fault) as refusal:
        await replay_page(table.store, match.row, token)
    assert refusal.value.field == "page_token"


async def test_summary_follows_a_match_to_its_end(table: Table) -> None:
    match = await table.create()
    assert (await table.registry.summary(match.row)).lifecycle == 1
    a, b = await table.join(match, Seat.A), await table.join(match, Seat.B)
    a.ready()
    b.ready()
    await settle()
    summary = await table.registry.summary(match.row)
    assert (summary.lifecycle, summary.sequence, summary.replay_available) == (2, 4, False)
    assert [player.name for player in summary.players] == ["Ada", "Bob"]
    a.resign()
    await settle()
    (summary,) = await table.registry.list_matches(0, 1)
    assert (summary.lifecycle, summary.sequence, summary.replay_available) == (4, 6, True)
    assert summary.outcome.winner == 2
    assert table.actor(match).lifecycle is Lifecycle.ENDED


async def test_matches_of_an_earlier_process_are_listed_as_they_were_left(table: Table) -> None:
    for steps in range(12):
        match = await table.create()
        a, b = await table.join(match, Seat.A), await table.join(match, Seat.B)
        if steps:
            a.ready()
            b.ready()
            await settle()
        for _ in range(steps):
            asked(a, b).act()
            await settle()
        if steps % 2:
            a.resign()
            await settle()
    live = await table.registry.list_matches(0, 100)
    for match_ in live:
        # Nobody can go on with what was not over.
        if match_.lifecycle != match_pb2.LIFECYCLE_ENDED:
            match_.lifecycle = match_pb2.LIFECYCLE_FROZEN

    later = Table()
    later.store = table.store
    later.registry = type(table.registry)(
        table.store,
        later.clock,
        entropy=bytes,
        wall_clock=str,
        on_fatal=later.fatal.append,
        max_open_matches=100,
        admission=ADMISSION,
    )
    stored = await later.registry.list_matches(0, 100)
    assert list(stored) == list(live)
    assert [match.number for match in await later.registry.list_matches(3, 4)] == [4, 5, 6, 7]
