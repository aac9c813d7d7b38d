"""Matches that the organiser declares void, wherever they stand."""

import asyncio
from dataclasses import replace
from io import BytesIO

import pytest
from unoduo.v1 import match_pb2

from referee.adjudication.inputs import Void
from referee.audit.report import Status
from referee.audit.verify import verify
from referee.codec.seals import IndexSealed, decode_index_record
from referee.match.faults import Fault, ProblemReason
from referee.rules.actions import KEEP_OFFERED
from referee.rules.outcome import Termination
from referee.rules.seats import Seat
from tests.match.restarted import FRESH, last_entry, proof
from tests.match.table import ORDER, Table, asked, settle

VOID = Void(Termination.VOID_ORGANISER, "wrong pairing")


async def test_match_being_played_ends_void(table: Table) -> None:
    match, a, b = await table.started(FRESH)
    await table.registry.void(match.row, "wrong pairing")
    await settle()
    for sitter in (a, b):
        assert sitter.ended is not None
        assert sitter.ended.outcome.termination == Termination.VOID_ORGANISER.value
        assert list(sitter.ended.outcome.faulted) == []
        assert sitter.observations[-1].events[0].event.voided.reason == "wrong pairing"
    assert (await last_entry(table, match)).input.kind == VOID
    (summary,) = await table.registry.list_matches(0, 10)
    assert summary.lifecycle == match_pb2.LIFECYCLE_ENDED
    assert verify(BytesIO(await proof(table, match))).status is Status.OK
    record = decode_index_record((await table.store.index_records(1, 1))[0].data)
    assert isinstance(record.kind, IndexSealed)
    assert record.kind.outcome.termination is Termination.VOID_ORGANISER


async def test_match_before_its_start_ends_void(table: Table) -> None:
    match = await table.create(FRESH)
    await table.registry.void(match.row, "")
    assert verify(BytesIO(await proof(table, match))).status is Status.OK
    assert table.registry.open_matches == 0


@pytest.mark.parametrize("touched", [False, True])
async def test_match_after_a_restart_ends_void(table: Table, touched: bool) -> None:
    match, _, _ = await table.started(FRESH)
    await table.restart()
    one = await table.join(match, Seat.A) if touched else None
    await table.registry.void(match.row, "wrong pairing")
    await settle()
    assert (await last_entry(table, match)).input.kind == VOID
    assert verify(BytesIO(await proof(table, match))).status is Status.OK
    assert one is None or one.ended is not None


async def test_match_that_has_ended_cannot_be_void(table: Table) -> None:
    match, a, _ = await table.started()
    a.resign()
    late = asyncio.ensure_future(table.registry.void(match.row, "late"))
    await settle()
    assert isinstance(late.exception(), Fault)
    row = await table.registry.find(match.row.match_id)
    assert row is not None
    with pytest.raises(Fault) as refused:
        await table.registry.void(row, "too late")
    for fault in (late.exception(), refused.value):
        assert isinstance(fault, Fault)
        assert fault.reason is ProblemReason.MATCH_ENDED


async def test_of_two_voids_the_first_counts(table: Table) -> None:
    match, _, _ = await table.started()
    first = asyncio.ensure_future(table.registry.void(match.row, "first"))
    second = asyncio.ensure_future(table.registry.void(match.row, "second"))
    await settle()
    assert first.exception() is None
    assert isinstance(second.exception(), Fault)
    assert (await last_entry(table, match)).input.kind == replace(VOID, reason="first")


async def test_match_of_which_the_store_takes_nothing_is_not_void_yet(table: Table) -> None:
    match, a, b = await table.started()
    table.store.freeze()
    asked(a, b).act(KEEP_OFFERED)
    await settle()
    with pytest.raises(Fault) as refused:
        await table.registry.void(match.row, "now")
    assert refused.value.reason is ProblemReason.MATCH_FROZEN
    table.store.thaw()
    await settle()
    await table.registry.void(match.row, "now")
    assert (await last_entry(table, match)).input.kind == replace(VOID, reason="now")


async def test_void_that_is_not_stored_is_not_answered_as_done(table: Table) -> None:
    match, _, _ = await table.started()
    table.store.freeze()
    voiding = asyncio.ensure_future(table.registry.void(match.row, "now"))
    await settle()
    table.store.give_up()
    await settle()
    fault = voiding.exception()
    assert isinstance(fault, Fault)
    assert fault.reason is ProblemReason.MATCH_FROZEN


async def test_match_that_was_given_up_ends_void_for_the_organiser_at_once(table: Table) -> None:
    match, a, b = await table.started(FRESH)
    table.store.freeze()
    asked(a, b).act(KEEP_OFFERED)
    await settle()
    table.store.give_up()
    await settle()
    await table.registry.void(match.row, "wrong pairing")
    assert (await last_entry(table, match)).input.kind == VOID
    table.clock.advance(120_000)
    await settle()
    assert verify(BytesIO(await proof(table, match))).status is Status.OK


async def test_organiser_who_no_longer_waits_breaks_nothing(table: Table) -> None:
    match, a, b = await table.started(FRESH)
    table.store.freeze()
    asked(a, b).act(KEEP_OFFERED)
    await settle()
    table.store.give_up()
    await settle()
    broken: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: broken.append(context))
    table.store.freeze()
    voiding = asyncio.create_task(table.registry.void(match.row, "wrong pairing"))
    await settle()
    voiding.cancel()
    await settle()
    table.store.thaw()
    await settle()
    assert broken == []
    assert (await last_entry(table, match)).input.kind == VOID


async def test_given_up_match_whose_log_has_an_end_is_sealed_and_not_void(table: Table) -> None:
    match, a, _ = await table.started(ORDER)
    a.resign()
    table.store.freeze()
    await settle()
    table.store.give_up()
    await settle()
    assert table.registry.actor(match.row.number) is None
    with pytest.raises(Fault) as refused:
        await table.registry.void(match.row, "late")
    assert refused.value.reason is ProblemReason.MATCH_ENDED
    (summary,) = await table.registry.list_matches(0, 10)
    assert summary.outcome.termination == Termination.RESIGNATION.value


async def test_index_is_read_in_pages(table: Table) -> None:
    assert (await table.registry.index_page(0, 10)).head == bytes(32)
    for _ in range(3):
        match = await table.create()
        await table.registry.void(match.row, "")
    records = await table.store.index_records(0, 10)
    for after, limit in [(0, 10), (0, 2), (2, 3), (5, 1)]:
        page = await table.registry.index_page(after, limit)
        wanted = records[after : after + limit]
        assert page.records == tuple(record.data for record in wanted)
        assert (page.head, page.total) == (wanted[-1].head, 6)
    for after in (6, 100):
        page = await table.registry.index_page(after, 10)
        assert (page.records, page.head, page.total) == ((), records[-1].head, 6)
