"""Matches that an earlier process has left: they go on from their log, and nobody is told anything twice."""

from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from unoduo.v1 import match_pb2
from unoduo.v1 import session_pb2 as pb

from referee.adjudication.inputs import NoShow, Resume, Start
from referee.adjudication.rulings import ResumeReason
from referee.adjudication.state import Lifecycle
from referee.adjudication.terms import FaultPolicy, TimeControl
from referee.audit.report import Status
from referee.audit.verify import verify
from referee.codec.actions import decode_action
from referee.codec.entries import decode_entry
from referee.match.registry import MatchOrder
from referee.match.seats import Delivery
from referee.rules.actions import DRAW, KEEP_OFFERED
from referee.rules.outcome import Termination
from referee.rules.seats import SEATS, Seat
from referee.store.base import StoredEntry
from referee.store.errors import StoreGivenUp
from tests.match.restarted import FRESH, GRACE_MS, back, last_entry, log, proof
from tests.match.table import ORDER, Table, asked, other, play_out, settle


async def test_match_stands_still_until_both_seats_are_there(table: Table) -> None:
    match, a, b = await table.started()
    asked(a, b).act()
    await settle()
    before = asked(a, b)
    decision = before.decision
    assert decision is not None
    stored = await log(table, match)
    table.clock.advance(900)
    await table.restart()
    (summary,) = await table.registry.list_matches(0, 10)
    assert (summary.lifecycle, summary.sequence) == (match_pb2.LIFECYCLE_FROZEN, before.observations[-1].sequence)

    one = await table.join(match, before.seat)
    await settle()
    assert one.port.of("joined")[0].lifecycle == match_pb2.LIFECYCLE_FROZEN
    (shown,) = one.observations
    assert shown.view == before.observations[-1].view
    assert (shown.caught_up, shown.HasField("decision"), shown.head) == (True, False, stored[-1].head)
    assert not shown.clock.running
    assert not shown.opponent_clock.running
    assert not shown.opponent_presence.present
    assert table.actor(match).lifecycle is Lifecycle.FROZEN
    table.clock.advance(GRACE_MS - 1)
    await settle()
    assert await log(table, match) == stored

    rival = await table.join(match, before.seat.other)
    await settle()
    assert one.decision == decision
    assert rival.decision is None
    for sitter in (one, rival):
        (event,) = [event for observation in sitter.observations for event in observation.events]
        assert event.sequence == shown.sequence + 1
        assert event.event.HasField("resumed")
    ruling = await last_entry(table, match)
    assert ruling.input.kind == Resume(ResumeReason.RESTART)
    assert ruling.input.decision_id == decision.decision_id
    assert ruling.input.elapsed_ms == GRACE_MS - 1
    assert table.actor(match).lifecycle is Lifecycle.PLAYING
    assert (await log(table, match))[:-1] == stored


async def test_open_decision_has_its_limit_in_full_and_the_bank_of_the_last_entry(table: Table) -> None:
    order = replace(ORDER, time_control=TimeControl(limit_ms=1_000, bank_ms=5_000))
    match, a, b = await table.started(order)
    one = asked(a, b)
    table.clock.advance(3_000)
    one.act()
    await settle()
    rival = other(one, a, b)
    rival.act()
    await settle()
    table.clock.advance(2_900)
    await table.restart()
    a, b = await back(table, match)
    again = asked(a, b)
    assert again.seat is one.seat
    assert again.observations[-1].clock.bank_ms == 3_000
    assert again.observations[-1].opponent_clock.bank_ms == 5_000
    assert again.decision is not None
    assert again.decision.time_left_ms == 4_000
    table.clock.advance(4_000)
    again.act()
    await settle()
    assert again.results[-1].HasField("accepted")


async def test_match_goes_on_without_a_seat_when_the_grace_is_over(table: Table) -> None:
    match, a, b = await table.started()
    one = asked(a, b)
    await table.restart()
    table.clock.advance(GRACE_MS)
    await settle()
    assert len(await log(table, match)) == 1
    table.clock.advance(1)
    await settle()
    assert (await last_entry(table, match)).input.kind == Resume(ResumeReason.RESTART)
    table.clock.advance(1_001)
    await settle()
    heir = await table.join(match, one.seat, delivery=Delivery.ON_DECISION)
    await settle()
    assert heir.port.of("joined")[0].lifecycle == match_pb2.LIFECYCLE_PLAYING
    assert (await last_entry(table, match)).events[0].strikes == 1  # type: ignore[union-attr]


async def test_absence_is_counted_from_the_moment_the_match_goes_on(table: Table) -> None:
    order = replace(ORDER, fault_policy=FaultPolicy(forfeit_after_absence_ms=2_000))
    match, a, b = await table.started(order)
    one = asked(a, b)
    await table.restart()
    heir = await table.join(match, one.seat)
    table.clock.advance(GRACE_MS + 1)
    await settle()
    assert heir.observations[-1].opponent_presence.forfeit_in_ms == 2_000
    table.clock.advance(900)
    heir.act()
    table.clock.advance(1_101)
    await settle()
    assert heir.ended is not None
    assert heir.ended.outcome.faulted == [one.seat.other + 1]


async def test_items_are_turned_away_while_the_match_stands_still(table: Table) -> None:
    match, a, b = await table.started()
    before = asked(a, b)
    await table.restart()
    one = await table.join(match, before.seat)
    one.act(KEEP_OFFERED, decision_id=4)
    one.ready()
    one.resign()
    await settle()
    assert one.problems == ["MATCH_FROZEN"] * 3
    assert {problem.retry_after_ms > 0 for problem in one.port.of("problem")} == {True}
    assert one.results == []
    assert len(await log(table, match)) == 1
    one.leave()
    await settle()
    assert one.port.kinds()[-1] == "detached"


async def test_closed_decisions_are_answered_as_before(table: Table) -> None:
    match, a, b = await table.started()
    seats = {one.seat: one for one in (a, b)}
    sent = []
    for _ in range(6):
        one = asked(a, b)
        assert one.decision is not None
        action = decode_action(one.decision.legal[0])
        sent.append((one.seat, one.decision.decision_id, one.act(), action))
        await settle()
    await table.restart()
    one = await table.join(match, Seat.A)
    heirs = {Seat.A: one, Seat.B: await table.join(match, Seat.B)}
    for seat, decision_id, action_id, action in sent:
        heirs[seat].act(action, decision_id=decision_id, action_id=action_id)
        await settle()
        heirs[seat].act(action, decision_id=decision_id, action_id="other")
        heirs[seat.other].act(action, decision_id=decision_id, action_id=action_id)
        await settle()
    for seat in SEATS:
        accepted = [result for result in heirs[seat].results if result.HasField("accepted")]
        assert accepted == [result for result in seats[seat].results if result.HasField("accepted")]
        stale = {result.stale.reason for result in heirs[seat].results if result.HasField("stale")}
        assert stale == {pb.STALE_REASON_ANSWERED, pb.STALE_REASON_NOT_OPEN}


async def test_rejected_tries_count_as_far_as_the_log_has_them(table: Table) -> None:
    match, a, b = await table.started()
    one = asked(a, b)
    one.act(DRAW, action_id="first")
    await settle()
    table.actor(match)._live().rule(None, Resume(ResumeReason.THAWED))
    await settle()
    one.act(DRAW, action_id="lost")
    await settle()
    told = one.results[0]
    await table.restart()
    one = asked(*await back(table, match))
    assert one.decision is not None
    assert one.decision.tries_left == 9
    one.act(DRAW, action_id="first")
    one.act(DRAW, action_id="second")
    await settle()
    assert one.results[0] == told
    assert one.results[1].rejected.tries_left == 8


@pytest.mark.parametrize("order", [ORDER, FRESH])
async def test_match_that_had_not_started_keeps_what_made_its_seats_ready(table: Table, order: MatchOrder) -> None:
    match = await table.create(order)
    entropy = b"first" if order is FRESH else b""
    b = await table.join(match, Seat.B)
    b.ready(entropy)
    await settle()
    table.clock.advance(29_000)
    await table.restart()
    (summary,) = await table.registry.list_matches(0, 10)
    assert (summary.lifecycle, summary.sequence) == (match_pb2.LIFECYCLE_CREATED, 0)
    a = await table.join(match, Seat.A)
    assert a.port.of("joined")[0].lifecycle == match_pb2.LIFECYCLE_CREATED
    a.ready()
    table.clock.advance(29_000)
    await settle()
    assert await log(table, match) == []
    b = await table.join(match, Seat.B)
    b.ready(b"second" if order is FRESH else b"")
    await settle()
    assert b.port.of("ready_accepted")[0].h0 == match.row.h0
    assert (await last_entry(table, match)).input.kind == Start(b"", entropy)
    assert asked(a, b).decision is not None


async def test_start_up_grace_begins_anew(table: Table) -> None:
    match = await table.create(FRESH)
    b = await table.join(match, Seat.B)
    b.ready(b"b")
    await settle()
    table.clock.advance(29_000)
    await table.restart()
    table.clock.advance(30_000)
    await settle()
    assert await log(table, match) == []
    table.clock.advance(1)
    await settle()
    # Seat B was there before; of seat A nothing is known.
    assert (await last_entry(table, match)).input.kind == NoShow((Seat.A,))


async def test_match_with_two_ready_seats_starts_when_the_grace_is_over(table: Table) -> None:
    match, _, _ = await table.started(FRESH)
    table.store._entries[match.row.number].clear()
    await table.restart()
    await table.join(match, Seat.A)
    assert await log(table, match) == []
    table.clock.advance(30_001)
    await settle()
    assert (await last_entry(table, match)).input.kind == Start(b"", b"")


async def test_match_that_was_not_sealed_yet_is_sealed(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    match, a, _ = await table.started(FRESH)
    stored = table.store.seal_match
    table.store.seal_match = _fails  # type: ignore[method-assign, assignment]
    a.resign()
    await settle()
    assert (await table.store.read_match(match.row.number)).ended is False  # type: ignore[union-attr]
    table.store.seal_match = stored  # type: ignore[method-assign]
    await table.restart()
    caplog.clear()
    heirs = [await table.join(match, seat, settled=False) for seat in SEATS]
    await settle()
    for heir in heirs:
        assert heir.ended is not None
        assert heir.ended.replay_available
    assert caplog.records == []
    assert verify(BytesIO(await proof(table, match))).status is Status.OK
    assert table.registry.open_matches == 0


async def test_store_that_cannot_be_read_lets_the_match_sleep_on(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    match, a, b = await table.started()
    await table.restart()
    with monkeypatch.context() as patch:
        patch.setattr(table.store, "read_entries", _fails)
        early = await table.join(match, Seat.A)
        assert early.problems == ["MATCH_FROZEN"]
        assert early.port.ends == [1]
        table.clock.advance(GRACE_MS)
        await settle()
    a, b = await back(table, match)
    assert asked(a, b).decision is not None
    assert [decode_entry(row.data).input.kind for row in await log(table, match)][1:] == [Resume(ResumeReason.RESTART)]


async def test_nothing_is_read_of_a_match_before_it_is_touched(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    await table.started()
    touched, _, _ = await table.started()
    read: list[int] = []
    read_entries = table.store.read_entries

    async def counting(number: int, after_index: int, max_bytes: int) -> list[StoredEntry]:
        read.append(number)
        return await read_entries(number, after_index, max_bytes)

    monkeypatch.setattr(table.store, "read_entries", counting)
    await table.restart()
    await settle()
    assert read == []
    assert table.registry.open_matches == 2
    await table.join(touched, Seat.A)
    assert set(read) == {touched.row.number}


async def test_ended_match_stays_as_it_is(table: Table) -> None:
    match, a, b = await table.started(FRESH)
    await play_out(a, b)
    file = await proof(table, match)
    await table.restart()
    assert table.registry.open_matches == 0
    heir = await table.join(match, Seat.A)
    await settle()
    assert heir.ended == a.ended
    assert heir.ended is not None
    assert heir.ended.outcome.termination == Termination.TARGET.value
    assert await proof(table, match) == file


async def _fails(*_: object) -> Any:
    raise StoreGivenUp("the store gave up")
