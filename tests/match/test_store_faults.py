"""What a store that fails does to a match: nothing is acknowledged that is not stored."""

import asyncio
from dataclasses import replace

import pytest
from unoduo.v1 import outcome_pb2
from unoduo.v1 import session_pb2 as pb

from referee.adjudication.inputs import Expired, Resume
from referee.adjudication.state import Lifecycle
from referee.adjudication.terms import FaultPolicy
from referee.match.credentials import Role
from referee.match.faults import Fault, ProblemReason
from referee.match.seats import Hold
from referee.rules.actions import KEEP_OFFERED
from referee.rules.seats import Seat
from tests.match.restarted import GRACE_MS, last_entry, log
from tests.match.table import ORDER, Table, asked, other, settle


async def test_frozen_match_turns_actions_away_and_goes_on_when_thawed(table: Table) -> None:
    match, a, b = await table.started()
    one = asked(a, b)
    table.store.freeze()
    one.act(KEEP_OFFERED)
    await settle()
    assert table.actor(match).lifecycle is Lifecycle.FROZEN
    for say in (one.resign, one.ready, lambda: one.act(KEEP_OFFERED, decision_id=4)):
        say()
    await settle()
    assert one.problems == ["MATCH_FROZEN"] * 3
    assert one.port.of("problem")[0].code == 14
    assert one.port.of("problem")[0].retry_after_ms > 0
    assert one.results == []

    table.store.thaw()
    await settle()
    assert table.actor(match).lifecycle is Lifecycle.PLAYING
    assert one.results[0].HasField("accepted")
    other(one, a, b).act()
    await settle()
    assert one.decision is not None


async def test_match_whose_entry_is_not_stored_is_given_up(table: Table) -> None:
    match, a, b = await table.started()
    one = asked(a, b)
    table.store.freeze()
    one.act(KEEP_OFFERED)
    await settle()
    heir = await table.join(match, other(one, a, b).seat)
    table.store.give_up()
    await settle()

    for sitter in (a, b):
        assert sitter.port.kinds()[-1] == "detached"
        assert sitter.port.of("detached")[0].reason == pb.DETACH_REASON_MATCH_FROZEN
        assert sitter.results == []
    assert heir.port.kinds() == ["problem"]
    assert table.actor(match).lifecycle is Lifecycle.FROZEN
    one.act(KEEP_OFFERED, decision_id=4)
    late = await table.join(match, one.seat)
    assert one.problems == late.problems == ["MATCH_FROZEN"]
    assert heir.attachment.hold is late.attachment.hold is Hold.DETACHED
    assert len(await table.store.read_entries(1, 0, 10**6)) == 1


async def test_ready_that_is_not_stored_is_not_accepted(table: Table) -> None:
    match = await table.create(replace(ORDER, seed=None))
    sitter = await table.join(match, Seat.A)
    table.store.freeze()
    sitter.ready(b"x")
    await settle()
    table.store.give_up()
    await settle()
    assert sitter.problems == ["STORE_UNAVAILABLE"]
    sitter.ready(b"y")
    await settle()
    assert sitter.port.kinds() == ["joined", "problem", "ready_accepted"]
    assert (await table.store.readies(match.row.number))[Seat.A] == b"y"


async def test_grace_begins_anew_when_a_frozen_match_thaws(table: Table) -> None:
    match = await table.create()
    a, b = await table.join(match, Seat.A), await table.join(match, Seat.B)
    table.store.freeze()
    a.ready()
    await settle()
    table.clock.advance(60_000)
    await settle()
    table.store.thaw()
    await settle()
    assert b.observations == []
    b.ready()
    await settle()
    assert b.observations != []
    assert table.actor(match).lifecycle is Lifecycle.PLAYING


async def test_absence_is_not_counted_while_the_store_stands_still(table: Table) -> None:
    order = replace(ORDER, fault_policy=FaultPolicy(forfeit_after_absence_ms=5_000))
    match, a, b = await table.started(order)
    one = asked(a, b)
    other(one, a, b).vanish()
    table.store.freeze()
    one.act(KEEP_OFFERED)
    await settle()
    table.clock.advance(60_000)
    await settle()
    table.store.thaw()
    await settle()
    assert table.actor(match).outcome is None
    assert one.observations[-1].opponent_presence.forfeit_in_ms == 5_000


@pytest.mark.parametrize(
    ("restarted", "allowed_ms", "kind"), [(False, ORDER.time_control.limit_ms, Expired), (True, GRACE_MS, Resume)]
)
async def test_no_time_passes_while_the_store_keeps_a_token_of_the_match_waiting(
    table: Table, restarted: bool, allowed_ms: int, kind: type
) -> None:
    match, _, _ = await table.started()
    if restarted:
        await table.restart()
        await table.join(match, Seat.A)
    table.store.freeze()
    renewal = asyncio.create_task(table.registry.renew_token(match.row, Role.SPECTATOR))
    await settle()
    entries = len(await log(table, match))
    table.clock.advance(60_000)
    await settle()
    table.store.thaw()
    await renewal
    table.clock.advance(allowed_ms)
    await settle()
    assert len(await log(table, match)) == entries
    table.clock.advance(1)
    await settle()
    assert isinstance((await last_entry(table, match)).input.kind, kind)


async def test_broken_store_takes_nothing_and_is_told_of(table: Table) -> None:
    _, a, b = await table.started()
    one = asked(a, b)
    table.store.fail()
    one.act(KEEP_OFFERED)
    await settle()
    assert one.results == []
    assert one.port.kinds()[-1] == "detached"
    assert len(table.fatal) == 1
    with pytest.raises(Fault) as refusal:
        await table.create()
    assert refusal.value.reason is ProblemReason.DRAINING


async def test_match_that_cannot_be_stored_is_not_made(table: Table) -> None:
    table.store.freeze()
    making = asyncio.ensure_future(table.create())
    await settle()
    table.store.give_up()
    await settle()
    fault = making.exception()
    assert isinstance(fault, Fault)
    assert fault.reason is ProblemReason.STORE_UNAVAILABLE
    assert table.registry.open_matches == 0


@pytest.mark.parametrize("why", ["the store stands still", "the organiser goes away"])
async def test_match_of_which_nobody_was_told_ends_void(table: Table, why: str) -> None:
    making = asyncio.ensure_future(table.create())
    if why == "the store stands still":
        table.store.freeze()
        await settle()
        table.store.thaw()
        assert isinstance(making.exception(), Fault)
    else:
        for _ in range(2):
            await asyncio.sleep(0)
        making.cancel()
    await settle()
    assert table.registry.open_matches == 0
    table.clock.advance(1_000)
    await settle()
    (summary,) = await table.registry.list_matches(0, 10)
    assert summary.outcome.termination == outcome_pb2.TERMINATION_VOID_REFEREE
    assert (await table.create()).row.number == 2


async def test_creation_is_refused_at_once_while_the_store_stands_still(table: Table) -> None:
    table.store.freeze()
    makings = [asyncio.ensure_future(table.create()) for _ in range(3)]
    await settle()
    faults = [making.exception() for making in makings]
    with pytest.raises(Fault) as refusal:
        await table.create()
    assert {fault.reason for fault in (*faults, refusal.value) if isinstance(fault, Fault)} == {
        ProblemReason.STORE_UNAVAILABLE
    }
    table.store.thaw()
    await settle()
    made = await table.create()
    # Of the three only the first had reached the store.
    assert made.row.number == 2


async def test_closed_registry_tells_nobody_anything_more(table: Table) -> None:
    _, a, b = await table.started()
    one = asked(a, b)
    table.store.freeze()
    one.act(KEEP_OFFERED)
    told = len(a.port.items), len(b.port.items)
    await table.registry.close()
    table.store.thaw()
    await settle()
    table.clock.advance(60_000)
    await settle()
    assert (len(a.port.items), len(b.port.items)) == told


@pytest.mark.sources
async def test_match_whose_entry_cannot_be_told_is_given_up(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(events: bytes) -> tuple[bytes, bytes, bytes]:
        raise ArithmeticError(events)

    _, a, b = await table.started()
    monkeypatch.setattr("referee.match.event_log.observed_events", fail)
    asked(a, b).act(KEEP_OFFERED)
    await settle()
    for sitter in (a, b):
        assert sitter.port.kinds()[-1] == "detached"
        assert sitter.port.of("detached")[0].reason == pb.DETACH_REASON_MATCH_FROZEN


@pytest.mark.sources
async def test_bug_in_one_match_costs_no_other(table: Table) -> None:
    match, a, b = await table.started()
    _, c, d = await table.started()
    broken, sound = asked(a, b), asked(c, d)
    table.actor(match)._live()._log.append = None  # type: ignore[assignment, method-assign]
    broken.act(KEEP_OFFERED)
    sound.act(KEEP_OFFERED)
    await settle()
    assert broken.port.kinds()[-1] == "detached"
    assert sound.results[0].HasField("accepted")
