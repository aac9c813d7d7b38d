"""Time: of the loop, of a decision, of an absence."""

import asyncio
from dataclasses import replace

import pytest
from unoduo.v1 import session_pb2 as pb

from referee.adjudication.inputs import Expired
from referee.adjudication.terms import ExpiryPolicy, FaultPolicy, TimeControl
from referee.codec.entries import Entry, decode_entry
from referee.match.registry import CreatedMatch
from referee.rules.actions import DRAW, KEEP_OFFERED
from referee.store.base import StoredEntry
from tests.match.table import ORDER, Sitter, Table, asked, other, settle


async def _last_entry(table: Table) -> Entry:
    return decode_entry((await table.store.read_entries(1, 0, 10**6))[-1].data)


async def test_silent_seat_has_the_default_action_taken(table: Table) -> None:
    _, a, b = await table.started()
    one = asked(a, b)
    table.clock.advance(1_000)
    await settle()
    assert one.decision is not None
    assert one.decision.decision_id == 4
    table.clock.advance(1)
    await settle()

    events = other(one, a, b).observations[-1].events
    assert events[0].event.timed_out.seat == one.seat + 1
    assert events[0].event.timed_out.default_taken
    assert events[1].event.draft_done.kept_first
    entry = await _last_entry(table)
    assert entry.input.kind == Expired()
    assert (entry.input.elapsed_ms, entry.input.lag_credit_ms) == (1_001, 0)


async def test_lag_found_while_the_store_is_busy_puts_a_time_out_off_but_not_away(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, a, b = await table.started()
    one = asked(a, b)
    one.act()
    await settle()
    seen = len(one.observations)
    gate = asyncio.Event()
    read_entries = table.store.read_entries

    async def read_when_let(number: int, after_index: int, max_bytes: int) -> list[StoredEntry]:
        await gate.wait()
        return await read_entries(number, after_index, max_bytes)

    monkeypatch.setattr(table.store, "read_entries", read_when_let)
    one.act(DRAW, decision_id=4, action_id="late")  # a closed decision: the match reads the log
    await settle()
    table.clock.advance(1_001)
    await settle()
    monkeypatch.setattr(table.clock, "_lag_ms", 50)  # the heartbeat finds only now that the loop stood still
    gate.set()
    await settle()
    assert len(one.observations) == seen
    table.clock.advance(1_000)
    await settle()
    assert len(one.observations) == seen + 1
    assert one.observations[-1].events[0].event.HasField("timed_out")


async def test_match_of_two_silent_seats_ends(table: Table) -> None:
    match, a, b = await table.started(replace(ORDER, ruleset=replace(ORDER.ruleset, turn_cap=3)))
    for _ in range(100):
        table.clock.advance(1_001)
        await settle()
    for sitter in (a, b):
        assert sitter.ended is not None
        assert sitter.ended.outcome.faulted == []
    assert table.actor(match).is_sealed


@pytest.mark.parametrize(
    "policy", [FaultPolicy(on_expiry=ExpiryPolicy.FORFEIT), FaultPolicy(max_strikes=1)], ids=["forfeit", "strikes"]
)
async def test_time_out_loses_the_match_where_the_policy_says_so(table: Table, policy: FaultPolicy) -> None:
    _, a, b = await table.started(replace(ORDER, fault_policy=policy))
    one = asked(a, b)
    table.clock.advance(1_001)
    await settle()
    assert one.ended is not None
    assert one.ended.outcome.winner == other(one, a, b).seat + 1
    assert one.ended.outcome.termination == 3


async def test_action_in_the_last_millisecond_is_in_time(table: Table) -> None:
    _, a, b = await table.started()
    one = asked(a, b)
    table.clock.advance(1_000)
    await settle()
    one.act(KEEP_OFFERED)
    await settle()
    assert one.results[-1].HasField("accepted")
    entry = await _last_entry(table)
    assert (entry.input.elapsed_ms, entry.input.lag_credit_ms) == (1_000, 0)


async def test_action_that_had_arrived_when_the_timer_fired_wins(table: Table) -> None:
    _, a, b = await table.started()
    one = asked(a, b)
    table.clock.advance(1_001)
    # The timer has fired, and the loop is about to hand over what lies in the socket.
    one.act(KEEP_OFFERED)
    await settle()
    assert one.results[-1].HasField("accepted")
    entry = await _last_entry(table)
    assert (entry.input.elapsed_ms, entry.input.lag_credit_ms) == (1_001, 1)


async def test_late_action_is_stale_and_not_booked_as_illegal(table: Table) -> None:
    _, a, b = await table.started()
    one = asked(a, b)
    table.clock.advance(1_001)
    await settle()
    one.act(DRAW, decision_id=4)
    await settle()
    assert one.results[-1].stale.reason == pb.STALE_REASON_EXPIRED
    assert one.results[-1].stale.current_decision_id == 0


async def test_lag_of_the_loop_is_added_to_the_limit_and_recorded(table: Table) -> None:
    _, a, b = await table.started()
    one = asked(a, b)
    table.clock.advance(600)
    table.clock.stall(5_000)
    await settle()
    assert one.decision is not None
    table.clock.advance(400)
    await settle()
    one.act(KEEP_OFFERED)
    await settle()
    entry = await _last_entry(table)
    assert (entry.input.elapsed_ms, entry.input.lag_credit_ms) == (6_000, 5_000)


async def test_limit_with_lag_added_still_expires(table: Table) -> None:
    _, a, b = await table.started()
    one = asked(a, b)
    table.clock.stall(5_000)
    await settle()
    table.clock.advance(1_001)
    await settle()
    entry = await _last_entry(table)
    assert entry.input.kind == Expired()
    assert entry.input.seat is one.seat
    assert (entry.input.elapsed_ms, entry.input.lag_credit_ms) == (6_001, 5_000)


async def test_clock_starts_when_the_entry_is_stored(table: Table) -> None:
    _, a, b = await table.started()
    table.store.freeze()
    one = asked(a, b)
    one.act(KEEP_OFFERED)
    await settle()
    table.clock.advance(60_000)
    await settle()
    table.store.thaw()
    await settle()
    rival = other(one, a, b)
    assert rival.decision is not None
    assert rival.decision.time_left_ms == 1_000


async def test_bank_pays_for_what_is_over_the_limit_and_grows_by_the_increment(table: Table) -> None:
    control = TimeControl(limit_ms=1_000, bank_ms=2_000, increment_ms=100, margin_ms=50)
    _, a, b = await table.started(replace(ORDER, time_control=control))
    one = asked(a, b)
    assert one.decision is not None
    assert one.decision.time_left_ms == 3_050
    table.clock.advance(1_500)
    one.act()
    await settle()
    assert one.observations[-1].clock.bank_ms == 1_600
    assert other(one, a, b).observations[-1].opponent_clock.bank_ms == 1_600


async def _absent(table: Table) -> tuple[CreatedMatch, Sitter, Sitter]:
    """Returns a match whose one seat, which is not asked, stays away: the match, that seat and its rival."""
    policy = FaultPolicy(forfeit_after_absence_ms=5_000)
    order = replace(ORDER, fault_policy=policy, time_control=TimeControl(limit_ms=60_000))
    match, a, b = await table.started(order)
    one = asked(a, b)
    rival = other(one, a, b)
    rival.vanish()
    return match, rival, one


async def test_absence_loses_the_match_where_the_policy_says_so(table: Table) -> None:
    _, gone, present = await _absent(table)
    table.clock.advance(5_000)
    await settle()
    assert present.ended is None
    table.clock.advance(1)
    await settle()
    assert present.ended is not None
    assert present.ended.outcome.termination == 5
    assert list(present.ended.outcome.faulted) == [gone.seat + 1]
    forfeited = present.observations[-1].events[0].event.forfeited
    assert forfeited.absence_ms == 5_001


async def test_rival_is_told_of_an_absence_and_when_it_will_end_the_match(table: Table) -> None:
    _, _, present = await _absent(table)
    table.clock.advance(1_000)
    present.act(KEEP_OFFERED)
    await settle()
    presence = present.observations[-1].opponent_presence
    assert not presence.present
    assert presence.forfeit_in_ms == 4_000


async def test_seat_that_comes_back_in_time_has_its_absence_forgotten(table: Table) -> None:
    match, gone, present = await _absent(table)
    table.clock.advance(4_000)
    again = await table.join(match, gone.seat)
    table.clock.advance(50_000)
    await settle()
    assert again.attachment.join_number == 2
    assert present.ended is None
    again.vanish()
    table.clock.advance(5_001)
    await settle()
    assert present.ended is not None


async def test_absence_alone_loses_nothing_by_default(table: Table) -> None:
    _, a, b = await table.started()
    one = asked(a, b)
    other(one, a, b).vanish()
    table.clock.advance(999)
    await settle()
    one.act()
    await settle()
    presence = one.observations[-1].opponent_presence
    assert not presence.present
    assert not presence.HasField("forfeit_in_ms")
