"""Who holds a seat, and what it is told when it comes and goes."""

from dataclasses import replace

import pytest
from unoduo.v1 import session_pb2 as pb

from referee.adjudication.terms import TimeControl
from referee.codec.actions import decode_action
from referee.match.seats import FROM_START, Delivery
from referee.rules.actions import KEEP_OFFERED
from referee.rules.seats import Seat
from tests.match.table import ORDER, Port, Sitter, Table, asked, other, play_out, settle


async def test_newest_join_wins_and_the_old_one_is_told(table: Table) -> None:
    match, a, b = await table.started()
    one = asked(a, b)
    heir = await table.join(match, one.seat)

    assert one.port.kinds()[-1] == "detached"
    (detached,) = one.port.of("detached")
    assert (detached.reason, detached.join_number) == (pb.DETACH_REASON_REPLACED, 1)
    assert heir.attachment.join_number == 2
    assert heir.port.kinds() == ["joined", "observation"]
    assert heir.decision is not None
    assert heir.decision.decision_id == 4
    assert heir.observations[0].HasField("view")
    one.act(decision_id=4)
    await settle()
    assert one.problems == ["HANDLE_ENDED"]
    heir.act()
    await settle()
    assert heir.results[-1].HasField("accepted")
    assert len(one.results) == 0


async def test_take_over_has_its_place_in_the_order(table: Table) -> None:
    match, a, b = await table.started()
    one = asked(a, b)
    table.store.freeze()
    one.act(KEEP_OFFERED, action_id="x")
    one.act(KEEP_OFFERED, action_id="x", decision_id=4)
    heir = await table.join(match, one.seat, settled=False)
    one.act(KEEP_OFFERED, action_id="x", decision_id=4)
    await settle()
    assert heir.port.kinds() == []
    table.store.thaw()
    await settle()
    answers = [kind for kind in one.port.kinds() if kind != "observation"]
    assert answers[-4:] == ["action_result", "action_result", "detached", "problem"]
    assert heir.port.kinds() == ["joined", "observation"]


async def test_both_seats_can_be_held_by_one_session(table: Table) -> None:
    match = await table.create()
    port = Port()
    a = await table.join(match, Seat.A, port=port, handle=1)
    b = await table.join(match, Seat.B, port=port, handle=2)
    a.ready()
    b.ready()
    await settle()
    await play_out(a, b)
    assert a.ended == b.ended
    assert a.ended is not None


async def test_leaving_stops_delivery_and_is_not_giving_up(table: Table) -> None:
    match, a, b = await table.started()
    one = asked(a, b)
    one.leave()
    await settle()
    assert one.port.kinds()[-1] == "detached"
    assert one.port.of("detached")[0].reason == pb.DETACH_REASON_LEFT
    told = len(one.port.items)
    table.clock.advance(1_001)
    await settle()
    assert len(one.port.items) == told
    assert table.actor(match).outcome is None
    one.leave()
    await settle()
    assert one.problems == ["HANDLE_ENDED"]


async def test_what_a_lost_session_had_said_still_counts(table: Table) -> None:
    _, a, b = await table.started()
    one, rival = asked(a, b), other(asked(a, b), a, b)
    one.act(KEEP_OFFERED)
    await settle()
    table.store.freeze()
    rival.act(KEEP_OFFERED)
    rival.act(KEEP_OFFERED, decision_id=one.observations[-1].sequence, action_id="again")
    rival.vanish()
    table.store.thaw()
    await settle()
    assert one.decision is not None
    assert [result.WhichOneof("verdict") for result in rival.results] == ["accepted", "stale"]
    assert not one.observations[-1].opponent_presence.present


async def test_join_of_a_session_that_was_lost_meanwhile_takes_nothing(table: Table) -> None:
    match, a, b = await table.started()
    one = asked(a, b)
    table.store.freeze()
    one.act(KEEP_OFFERED)
    ghost = await table.join(match, one.seat)
    ghost.vanish()
    table.store.thaw()
    await settle()
    assert ghost.port.kinds() == []
    assert one.port.kinds().count("detached") == 0


async def test_join_without_history_begins_at_the_end_of_the_log(table: Table) -> None:
    match, a, b = await table.started()
    asked(a, b).act()
    await settle()
    heir = await table.join(match, Seat.A)
    (first,) = heir.observations
    assert list(first.events) == []
    assert first.sequence == a.observations[-1].sequence
    assert first.head == a.observations[-1].head
    assert first.view.hand == a.observations[-1].view.hand or not a.observations[-1].HasField("view")


async def test_join_from_the_start_is_told_everything_again(table: Table) -> None:
    match, a, b = await table.started()
    for _ in range(400):
        asked(a, b).act()
        await settle()
        if a.ended:
            break
    told = [event for observation in a.observations for event in observation.events]
    heir = await table.join(match, Seat.A, resume=FROM_START)
    for _ in range(20):
        await settle()

    pages = heir.observations
    assert [event for page in pages for event in page.events] == told
    assert len(pages) > 1
    assert [page.caught_up for page in pages] == [False] * (len(pages) - 1) + [True]
    assert all(page.ByteSize() < 20_000 for page in pages)
    assert all(not page.HasField("view") and not page.HasField("decision") for page in pages[:-1])
    heads = {entry.head for entry in await table.store.read_entries(1, 0, 10**7)}
    assert {page.head for page in pages} <= heads


async def test_slow_session_misses_nothing(table: Table) -> None:
    control = TimeControl(limit_ms=1, startup_grace_ms=30_000)
    _, a, b = await table.started(replace(ORDER, time_control=control))
    told = [event for observation in a.observations for event in observation.events]
    before = len(a.observations)
    a.port.reading = False
    for _ in range(500):
        table.clock.advance(2)
        await settle()
    a.port.reading = True
    a.port.read()
    for _ in range(50):
        await settle()
        a.port.read()

    seen = told + [event for observation in a.observations[before:] for event in observation.events]
    expected = [event.sequence for observation in b.observations for event in observation.events]
    assert [event.sequence for event in seen] == expected
    assert not a.observations[before].caught_up
    assert a.observations[-1].caught_up


async def test_delivery_on_decision_waits_for_a_decision_of_the_seat(table: Table) -> None:
    match = await table.create()
    a = await table.join(match, Seat.A, delivery=Delivery.ON_DECISION)
    b = await table.join(match, Seat.B, delivery=Delivery.ON_DECISION)
    a.ready()
    b.ready()
    await settle()
    await play_out(a, b)
    for sitter in (a, b):
        asked_ones = [observation for observation in sitter.observations if observation.HasField("decision")]
        # Beside the decisions there are the first one, which shows the view, and the last one.
        assert len(sitter.observations) - len(asked_ones) <= 2
        sequences = [event.sequence for observation in sitter.observations for event in observation.events]
        assert sequences == list(range(1, sitter.observations[-1].sequence + 1))


@pytest.mark.parametrize("from_start", [False, True])
async def test_join_of_an_ended_match_is_told_the_end(table: Table, from_start: bool) -> None:
    match, a, b = await table.started()
    a.resign()
    await settle()
    heir = await table.join(match, Seat.B, resume=FROM_START if from_start else None)
    await settle()
    history = ["observation", "observation"] if from_start else []
    assert heir.port.kinds() == ["joined", *history, "ended"]
    assert heir.port.of("joined")[0].lifecycle == 4
    assert heir.ended == a.ended == b.ended
    assert b.port.kinds()[-1] == "ended"


async def test_private_cards_reach_their_seat_alone(table: Table) -> None:
    _, a, b = await table.started()
    await play_out(a, b)
    for sitter, rival in ((a, b), (b, a)):
        for observation in sitter.observations:
            for told in observation.events:
                kind = told.event.WhichOneof("kind")
                if told.private_cards:
                    assert kind in ("draft_offered", "draft_done", "cards_drawn", "challenged")
                    assert getattr(told.event, str(kind)).seat == sitter.seat + 1
        assert rival.ended is not None


async def test_actions_of_an_ended_handle_are_stale(table: Table) -> None:
    _, a, b = await table.started()
    one = asked(a, b)
    rival: Sitter = other(one, a, b)
    rival.resign()
    await settle()
    one.act(KEEP_OFFERED, decision_id=4)
    rival.act(KEEP_OFFERED, decision_id=4)
    await settle()
    assert one.results[-1].stale.reason == pb.STALE_REASON_EXPIRED
    assert rival.results[-1].stale.reason == pb.STALE_REASON_NOT_OPEN
    assert decode_action(one.observations[0].decision.legal[0]) == KEEP_OFFERED
