"""Visits, by which `Act` calls: they hold nothing, and yet the seat is there."""

from dataclasses import replace

import pytest
from unoduo.v1 import session_pb2 as pb

from referee.adjudication.terms import FaultPolicy
from referee.match.registry import CreatedMatch
from referee.match.seats import Delivery, Hold, Resume
from referee.rules.actions import KEEP_OFFERED
from referee.rules.outcome import Termination
from referee.rules.seats import Seat
from tests.match.table import ORDER, Sitter, Table, asked, other, settle

_IMPATIENT = replace(ORDER, fault_policy=FaultPolicy(forfeit_after_absence_ms=500))


async def _visit(table: Table, match: CreatedMatch, seat: Seat) -> Sitter:
    return await table.join(match, seat, visiting=True, delivery=Delivery.ON_DECISION)


async def test_visit_takes_nothing_over(table: Table) -> None:
    match, a, b = await table.started()
    one = asked(a, b)
    visitor = await _visit(table, match, one.seat)
    assert visitor.port.kinds() == ["joined", "observation"]
    assert visitor.attachment.join_number == 1
    assert one.attachment.hold is Hold.HELD
    assert "detached" not in one.port.kinds()
    heir = await table.join(match, one.seat)
    assert heir.attachment.join_number == 2
    assert visitor.attachment.hold is Hold.HELD


async def test_action_of_a_visitor_is_told_to_whoever_holds_the_seat(table: Table) -> None:
    match, a, b = await table.started()
    one = asked(a, b)
    rival = other(one, a, b)
    visitor = await _visit(table, match, one.seat)
    visitor.act()
    await settle()
    assert visitor.results[-1].HasField("accepted")
    assert one.results == []
    assert one.observations[-1].sequence == rival.observations[-1].sequence > 4
    one.act(KEEP_OFFERED, decision_id=4, action_id="another")
    await settle()
    assert one.results[-1].stale.reason == pb.STALE_REASON_ANSWERED


async def test_visitor_waits_for_a_decision_without_being_told_what_else_happens(table: Table) -> None:
    match, a, b = await table.started()
    one = asked(a, b)
    rival = other(one, a, b)
    visitor = await _visit(table, match, rival.seat)
    assert visitor.port.kinds() == ["joined"]
    one.act()
    await settle()
    while rival.decision is None:
        assert visitor.port.kinds() == ["joined"]
        one.act()
        await settle()
    assert visitor.port.kinds() == ["joined", "observation"]
    assert visitor.observations[0].decision == rival.observations[-1].decision
    assert visitor.observations[0].HasField("view")


async def test_seat_that_is_visited_is_there(table: Table) -> None:
    match, a, b = await table.started(_IMPATIENT)
    first = await _visit(table, match, a.seat)
    a.leave()
    await settle()
    table.clock.advance(400)
    await settle()
    second = await _visit(table, match, a.seat)
    first.vanish()
    table.clock.advance(400)
    await settle()
    assert table.actor(match).outcome is None
    heir = await table.join(match, b.seat)
    assert heir.observations[-1].opponent_presence.present
    second.vanish()
    await settle()
    again = await table.join(match, b.seat)
    presence = again.observations[-1].opponent_presence
    assert (presence.present, presence.forfeit_in_ms) == (False, 500)
    table.clock.advance(501)
    await settle()
    outcome = table.actor(match).outcome
    assert outcome is not None
    assert (outcome.termination, outcome.faulted) == (Termination.DISCONNECT, (a.seat,))


@pytest.mark.parametrize("seat", list(Seat))
async def test_seat_that_was_ever_visited_is_no_no_show(table: Table, seat: Seat) -> None:
    match = await table.create()
    visitor = await _visit(table, match, seat)
    visitor.vanish()
    table.clock.advance(30_001)
    await settle()
    outcome = table.actor(match).outcome
    assert outcome is not None
    assert (outcome.termination, outcome.faulted) == (Termination.NO_SHOW, (seat.other,))


async def test_visit_beyond_the_limit_is_refused_until_one_is_over(table: Table) -> None:
    match, _, _ = await table.started()
    visitors = [await _visit(table, match, Seat.A) for _ in range(8)]
    refused = await _visit(table, match, Seat.A)
    assert refused.problems == ["TOO_MANY_CALLS"]
    assert refused.attachment.hold is Hold.DETACHED
    assert (await _visit(table, match, Seat.B)).problems == []
    visitors[3].vanish()
    assert (await _visit(table, match, Seat.A)).problems == []
    assert (await _visit(table, match, Seat.A)).problems == ["TOO_MANY_CALLS"]


async def test_visit_behind_a_known_event_counts_against_the_limit_too(table: Table) -> None:
    match, a, _ = await table.started()
    for _ in range(8):
        await _visit(table, match, Seat.A)
    known = Resume(a.observations[-1].sequence, a.observations[-1].head)
    refused = await table.join(match, Seat.A, visiting=True, resume=known)
    assert refused.problems == ["TOO_MANY_CALLS"]
    assert table.registry.actor(match.row.number) is not None


async def test_visitors_of_a_match_that_is_given_up_are_told(table: Table) -> None:
    match, a, b = await table.started()
    visitor = await _visit(table, match, Seat.A)
    table.store.freeze()
    asked(a, b).act(KEEP_OFFERED)
    await settle()
    table.store.give_up()
    await settle()
    assert visitor.port.kinds()[-1] == "detached"


async def test_visitor_that_was_revoked_is_told(table: Table) -> None:
    match, a, _ = await table.started()
    visitor = await _visit(table, match, Seat.A)
    visitor.attachment.match.revoke(visitor.attachment)
    await settle()
    assert visitor.port.of("detached")[0].reason == pb.DETACH_REASON_TOKEN_REVOKED
    assert a.attachment.hold is Hold.HELD
