"""What becomes of an action."""

import asyncio
from dataclasses import replace

import pytest
from unoduo.v1 import session_pb2 as pb

from referee.adjudication.inputs import ActionTaken, Resume
from referee.adjudication.rulings import ResumeReason
from referee.adjudication.terms import FaultPolicy
from referee.codec.actions import decode_action
from referee.codec.entries import decode_entry
from referee.match.seats import FROM_START
from referee.rules.actions import DRAW, KEEP_OFFERED, REFUSE_OFFERED, Play
from referee.rules.cards import Card
from referee.rules.seats import Seat
from tests.match.table import ORDER, Sitter, Table, asked, other, settle


async def test_accepted_action_is_answered_before_the_observation_that_it_caused(table: Table) -> None:
    _, a, b = await table.started()
    one = asked(a, b)
    action_id = one.act()
    await settle()

    assert one.port.kinds()[-2:] == ["action_result", "observation"]
    (result,) = one.results
    assert (result.action_id, result.decision_id) == (action_id, 4)
    news = one.observations[-1].events
    assert (result.accepted.first_sequence, result.accepted.sequence) == (news[0].sequence, news[-1].sequence)
    assert [event.sequence for event in other(one, a, b).observations[-1].events] == [e.sequence for e in news]


async def test_nobody_is_told_before_the_store_has_it(table: Table) -> None:
    _, a, b = await table.started()
    before = len(a.port.items), len(b.port.items)
    table.store.freeze()
    asked(a, b).act()
    await settle()
    assert (len(a.port.items), len(b.port.items)) == before

    table.store.thaw()
    await settle()
    assert len(a.port.items) > before[0]
    assert len(b.port.items) > before[1]


async def test_slow_session_is_not_told_what_is_not_stored_yet(table: Table) -> None:
    _, a, b = await table.started()
    one = asked(a, b)
    slow = other(one, a, b)
    slow.port.reading = False
    one.act()
    await settle()
    told = len(slow.port.items)
    table.store.freeze()
    current = one.observations[-1].sequence
    slow.act(KEEP_OFFERED, decision_id=current)
    slow.port.read()
    assert len(slow.port.items) == told

    table.store.thaw()
    await settle()
    slow.port.read()
    assert slow.results[-1].accepted.first_sequence == current + 1
    sequences = [event.sequence for observation in slow.observations for event in observation.events]
    assert sequences == list(range(1, slow.results[-1].accepted.sequence + 1))


async def test_history_ends_where_the_stored_log_was_told_to_end(table: Table) -> None:
    match, a, b = await table.started(replace(ORDER, ruleset=replace(ORDER.ruleset, target=200)))
    for _ in range(180):
        asked(a, b).act()
        await settle()
    one = asked(a, b)
    heir = await table.join(match, one.seat.other, resume=FROM_START, settled=False)
    heir.port.read()
    # The page is about to be read when an entry is written of which nobody has been told.
    one.act()
    await asyncio.sleep(0)
    assert heir.attachment.page is not None
    assert heir.attachment.entry == 181
    await settle()
    sequences = [event.sequence for observation in heir.observations for event in observation.events]
    assert sequences == list(range(1, heir.observations[-1].sequence + 1))


async def test_seat_that_is_not_asked_is_woken_first(table: Table) -> None:
    _, a, b = await table.started()
    order: list[int] = []
    for sitter in (a, b):
        sitter.port.wake = lambda handle, sitter=sitter: order.append(sitter.seat)  # type: ignore[method-assign, misc]
    one = asked(a, b)
    one.act()
    await settle()
    assert order == [one.seat, one.seat.other]


async def test_head_of_an_observation_is_that_of_the_stored_entry(table: Table) -> None:
    _, a, b = await table.started()
    asked(a, b).act()
    await settle()

    stored = await table.store.read_entries(1, 0, 10**6)
    assert [entry.index for entry in stored] == [1, 2]
    assert [observation.head for observation in a.observations] == [entry.head for entry in stored]


async def test_logged_action_is_the_one_that_was_sent(table: Table) -> None:
    _, a, b = await table.started()
    table.clock.advance(321)
    one = asked(a, b)
    action_id = one.act(REFUSE_OFFERED)
    await settle()

    entry = decode_entry((await table.store.read_entries(1, 1, 10**6))[0].data)
    assert entry.input.kind == ActionTaken(action_id, REFUSE_OFFERED)
    assert (entry.input.seat, entry.input.decision_id, entry.input.elapsed_ms) == (one.seat, 4, 321)


async def test_rejected_action_names_clause_and_field_and_changes_nothing(table: Table) -> None:
    _, a, b = await table.started()
    one = asked(a, b)
    one.act(Play((Card.RED_0,)))
    await settle()

    (result,) = one.results
    assert result.rejected.reason == pb.REJECTION_REASON_WRONG_PHASE
    assert result.rejected.clause.startswith("R13")
    assert result.rejected.field == "play"
    assert result.rejected.tries_left == 9
    assert one.port.kinds()[-1] == "action_result"
    assert len(await table.store.read_entries(1, 0, 10**6)) == 1
    one.act(KEEP_OFFERED)
    await settle()
    assert one.results[-1].HasField("accepted")
    entry = decode_entry((await table.store.read_entries(1, 1, 10**6))[0].data)
    assert [attempt.action for attempt in entry.tries] == [Play((Card.RED_0,))]


async def test_repeated_rejected_try_is_answered_the_same_and_counted_once(table: Table) -> None:
    _, a, b = await table.started()
    one = asked(a, b)
    for _ in range(20):
        one.act(DRAW, action_id="same")
    await settle()
    assert len({result.SerializeToString() for result in one.results}) == 1
    assert len(one.results) == 20

    one.act(DRAW, action_id="another")
    await settle()
    assert one.results[-1].rejected.tries_left == 8


async def test_rejected_try_stays_known_when_its_decision_goes_on_after_an_interruption(table: Table) -> None:
    match, a, b = await table.started()
    one = asked(a, b)
    one.act(DRAW, action_id="same")
    await settle()
    table.actor(match)._live().rule(None, Resume(ResumeReason.THAWED))
    await settle()
    assert one.observations[-1].decision.decision_id == 4
    one.act(DRAW, action_id="same")
    await settle()
    assert [result.rejected.tries_left for result in one.results] == [9, 9]
    one.act(DRAW, action_id="another")
    one.act(KEEP_OFFERED, action_id="good")
    await settle()
    assert one.results[-2].rejected.tries_left == 8
    assert one.results[-1].HasField("accepted")
    one.act(KEEP_OFFERED, action_id="good", decision_id=4)
    one.act(KEEP_OFFERED, action_id="bad", decision_id=4)
    await settle()
    assert one.results[-2] == one.results[-3]
    assert one.results[-1].stale.reason == pb.STALE_REASON_ANSWERED


async def test_try_beyond_the_limit_loses_the_match(table: Table) -> None:
    order = replace(ORDER, fault_policy=FaultPolicy(rejection_limit=2))
    _, a, b = await table.started(order)
    one = asked(a, b)
    for _ in range(3):
        one.act(DRAW, decision_id=4)
        await settle()

    assert [result.rejected.tries_left for result in one.results] == [1, 0, 0]
    for sitter in (a, b):
        assert sitter.ended is not None
        assert sitter.ended.outcome.termination == 4
        assert sitter.ended.outcome.winner == other(one, a, b).seat + 1
        assert list(sitter.ended.outcome.faulted) == [one.seat + 1]
    entry = decode_entry((await table.store.read_entries(1, 1, 10**6))[0].data)
    assert len(entry.tries) == 3


async def _closed(table: Table) -> tuple[Sitter, Sitter, str]:
    """Returns who has acted, who must act now, and the id of the action that closed decision 4."""
    _, a, b = await table.started()
    one = asked(a, b)
    action_id = one.act(KEEP_OFFERED)
    await settle()
    return one, other(one, a, b), action_id


async def test_same_action_sent_again_is_accepted_again_the_same(table: Table) -> None:
    one, rival, action_id = await _closed(table)
    rival.act()
    await settle()
    one.act(KEEP_OFFERED, decision_id=4, action_id=action_id)
    await settle()
    assert one.results[0] == one.results[1]
    assert len(await table.store.read_entries(1, 0, 10**6)) == 3


async def test_same_action_sent_twice_at_once_is_taken_once(table: Table) -> None:
    _, a, b = await table.started()
    one = asked(a, b)
    one.act(KEEP_OFFERED, action_id="x")
    one.act(KEEP_OFFERED, action_id="x", decision_id=4)
    await settle()
    assert len(one.results) == 2
    assert one.results[0] == one.results[1]
    assert one.results[0].HasField("accepted")


@pytest.mark.parametrize(("action_id", "reason"), [("", pb.STALE_REASON_CONFLICT), ("new", pb.STALE_REASON_ANSWERED)])
async def test_other_action_for_a_closed_decision_is_stale(
    table: Table, action_id: str, reason: pb.StaleReason.ValueType
) -> None:
    one, _, first_id = await _closed(table)
    one.act(REFUSE_OFFERED, decision_id=4, action_id=action_id or first_id)
    await settle()
    assert one.results[-1].stale.reason == reason
    assert one.results[-1].stale.current_decision_id == 0


@pytest.mark.parametrize("decision_id", [0, 1, 3, 5, 999, 2**32 - 1])
async def test_decision_that_never_was_is_not_open(table: Table, decision_id: int) -> None:
    _, a, b = await table.started()
    one = asked(a, b)
    one.act(KEEP_OFFERED, decision_id=decision_id)
    await settle()
    assert one.results[-1].stale.reason == pb.STALE_REASON_NOT_OPEN
    assert one.results[-1].stale.current_decision_id == 4


async def test_decision_of_the_other_seat_is_not_open_now_nor_later(table: Table) -> None:
    one, rival, action_id = await _closed(table)
    rival.act(KEEP_OFFERED, decision_id=4, action_id=action_id)
    current = rival.decision
    assert current is not None
    one.act(KEEP_OFFERED, decision_id=current.decision_id)
    await settle()
    assert rival.results[-1].stale.reason == pb.STALE_REASON_NOT_OPEN
    assert rival.results[-1].stale.current_decision_id == current.decision_id
    assert one.results[-1].stale.reason == pb.STALE_REASON_NOT_OPEN
    assert one.results[-1].stale.current_decision_id == 0


async def test_action_before_the_start_is_not_open(table: Table) -> None:
    match = await table.create()
    sitter = await table.join(match, Seat.A)
    sitter.act(KEEP_OFFERED, decision_id=4)
    await settle()
    assert sitter.results[-1].stale.reason == pb.STALE_REASON_NOT_OPEN


async def test_inbox_of_a_seat_takes_four_and_turns_the_next_away(table: Table) -> None:
    _, a, b = await table.started()
    one = asked(a, b)
    table.store.freeze()
    one.act(KEEP_OFFERED, action_id="x")
    for _ in range(5):
        one.act(KEEP_OFFERED, action_id="x", decision_id=4)
    assert one.problems == ["INBOX_FULL"]
    other(one, a, b).act(KEEP_OFFERED, decision_id=4)
    assert other(one, a, b).problems == []
    table.store.thaw()
    await settle()
    await settle()
    assert len(one.results) == 5


async def test_every_legal_action_shown_is_taken_as_it_is(table: Table) -> None:
    _, a, b = await table.started()
    for _ in range(60):
        one = asked(a, b)
        assert one.decision is not None
        one.act(decode_action(one.decision.legal[-1]))
        await settle()
        assert one.results[-1].HasField("accepted")
