"""Matches that are over: they leave the memory, and the store answers for them as they did."""

import asyncio
import gc
import weakref
from dataclasses import replace
from random import Random

import pytest
from unoduo.v1 import match_pb2
from unoduo.v1 import session_pb2 as pb

from referee.adjudication.inputs import ActionTaken, Resume
from referee.adjudication.rulings import ResumeReason
from referee.codec.entries import decode_entry
from referee.match.inbox import JoinPost
from referee.match.registry import CreatedMatch, MatchOrder
from referee.match.seats import FROM_START, Delivery, Hold
from referee.rules.actions import DRAW, KEEP_OFFERED
from referee.rules.seats import Seat
from tests.match.table import NOBODY, ORDER, Port, Sitter, Table, asked, other, play_out, settle


async def _played(table: Table, order: MatchOrder = ORDER) -> tuple[CreatedMatch, Sitter, Sitter]:
    match, a, b = await table.started(order)
    await play_out(a, b, random=Random(3))
    assert table.registry.actor(match.row.number) is None
    return match, a, b


async def _resigned(table: Table) -> tuple[CreatedMatch, Sitter, Sitter]:
    """Returns a match that ended because one seat gave up while the other was asked: it, the latter and the former."""
    match, a, b = await table.started()
    one = asked(a, b)
    rival = other(one, a, b)
    rival.resign()
    await settle()
    assert table.registry.actor(match.row.number) is None
    return match, one, rival


@pytest.mark.sources
async def test_match_that_is_over_leaves_the_memory_while_its_sessions_go_on() -> None:
    table = Table()
    await table.open()
    ports = [Port(), Port()]
    actors = []
    for handle in range(1, 4):
        match = await table.create(replace(ORDER, seed=None))
        a = await table.join(match, Seat.A, port=ports[0], handle=handle)
        b = await table.join(match, Seat.B, port=ports[1], handle=handle)
        actors.append(weakref.ref(table.actor(match)))
        table.forget(match)
        a.ready()
        b.ready()
        await settle()
        await play_out(a, b)
    assert ports[0].ends == ports[1].ends == [1, 2, 3]
    gc.collect()
    assert [actor() for actor in actors] == [None] * 3
    assert table.registry.open_matches == 0
    await table.close()


async def test_match_that_was_given_up_leaves_the_memory_and_is_shown_as_frozen(table: Table) -> None:
    match, a, b = await table.started()
    table.store.freeze()
    asked(a, b).act(KEEP_OFFERED)
    await settle()
    table.store.give_up()
    await settle()
    assert table.registry.actor(match.row.number) is None
    assert table.registry.open_matches == 0
    (summary,) = await table.registry.list_matches(0, 10)
    assert (summary.lifecycle, summary.sequence) == (match_pb2.LIFECYCLE_FROZEN, 4)
    late = await table.join(match, Seat.A)
    assert late.problems == ["MATCH_FROZEN"]
    assert late.attachment.hold is Hold.DETACHED
    assert late.port.ends == [1]


@pytest.mark.parametrize("from_start", [False, True])
async def test_join_is_told_the_end_and_history_if_it_wants_it(table: Table, from_start: bool) -> None:
    match, a, _ = await _played(table)
    heir = await table.join(match, Seat.A, resume=FROM_START if from_start else None)
    await settle()
    kinds = heir.port.kinds()
    assert (kinds[0], kinds[-1]) == ("joined", "ended")
    joined = heir.port.of("joined")[0]
    assert (joined.header, joined.lifecycle) == (match.row.header, match_pb2.LIFECYCLE_ENDED)
    assert heir.ended == a.ended
    told = [event.SerializeToString() for observation in heir.observations for event in observation.events]
    first = [event.SerializeToString() for observation in a.observations for event in observation.events]
    assert told == (first if from_start else [])
    assert heir.port.ends == [1]


@pytest.mark.parametrize("fresh_join", [False, True])
async def test_actions_are_answered_from_the_log(table: Table, fresh_join: bool) -> None:
    match, a, b = await _played(table)
    seats = {one.seat: one for one in (a, b)}
    if fresh_join:
        seats = {seat: await table.join(match, seat) for seat in Seat}
        await settle()
    entries = [decode_entry(row.data) for row in await table.store.read_entries(1, 0, 10**6)]
    for entry in entries:
        if not isinstance(entry.input.kind, ActionTaken) or entry.input.seat is None:
            continue
        kind, identity = entry.input.kind, entry.input.decision_id
        one, rival = seats[entry.input.seat], seats[entry.input.seat.other]
        one.act(kind.action, decision_id=identity, action_id=kind.action_id)
        await settle_reads()
        accepted = one.results[-1].accepted
        assert (accepted.first_sequence, accepted.sequence) == (entry.first_sequence, entry.last_sequence)
        one.act(kind.action, decision_id=identity, action_id="other")
        one.act(DRAW if kind.action != DRAW else KEEP_OFFERED, decision_id=identity, action_id=kind.action_id)
        rival.act(kind.action, decision_id=identity, action_id=kind.action_id)
        one.act(kind.action, decision_id=identity + 100_000)
        await settle_reads()
        reasons = [result.stale.reason for result in (*one.results[-3:], rival.results[-1])]
        assert reasons == [
            pb.STALE_REASON_ANSWERED,
            pb.STALE_REASON_CONFLICT,
            pb.STALE_REASON_NOT_OPEN,
            pb.STALE_REASON_NOT_OPEN,
        ]
        assert {result.stale.current_decision_id for result in one.results[-3:]} == {0}


@pytest.mark.parametrize("interruptions", [1, 2, 5])
async def test_decision_that_went_on_after_interruptions_was_closed_by_its_answer(
    table: Table, interruptions: int
) -> None:
    match, a, b = await table.started()
    one = asked(a, b)
    for _ in range(interruptions):
        table.actor(match)._live().rule(None, Resume(ResumeReason.THAWED))
        await settle()
    one.act(KEEP_OFFERED, action_id="good")
    await settle()
    b.resign()
    await settle()
    heir = await table.join(match, one.seat)
    heir.act(KEEP_OFFERED, decision_id=4, action_id="good")
    await settle_reads()
    assert heir.results == one.results


@pytest.mark.parametrize("decision_id", [0, 1, 3, 5])
async def test_decision_that_never_was_is_not_open(table: Table, decision_id: int) -> None:
    match, _, _ = await _resigned(table)
    heir = await table.join(match, Seat.A)
    heir.act(KEEP_OFFERED, decision_id=decision_id)
    await settle_reads()
    assert heir.results[-1].stale.reason == pb.STALE_REASON_NOT_OPEN


async def test_decision_that_the_end_closed_is_expired(table: Table) -> None:
    match, one, _ = await _resigned(table)
    heir = await table.join(match, one.seat)
    heir.act(KEEP_OFFERED, decision_id=4)
    await settle_reads()
    assert heir.results[-1].stale.reason == pb.STALE_REASON_EXPIRED


async def test_other_items_are_answered_as_after_an_end(table: Table) -> None:
    match, a, _ = await _resigned(table)
    for one in (a, await table.join(match, Seat.A)):
        await settle()
        one.ready()
        one.h0 = bytes(32)
        one.ready()
        one.resign()
        one.leave()
        await settle()
        assert one.port.of("ready_accepted")[-1].h0 == match.row.h0
        assert one.problems == ["H0_MISMATCH", "MATCH_ENDED", "HANDLE_ENDED"]


async def test_inbox_takes_four_here_too(table: Table) -> None:
    match, _, _ = await _resigned(table)
    heir = await table.join(match, Seat.A)
    for _ in range(5):
        heir.act(KEEP_OFFERED, decision_id=4)
    await settle_reads()
    assert heir.problems == ["INBOX_FULL"]
    assert len(heir.results) == 4


async def test_token_of_another_match_or_seat_is_not_for_it(table: Table) -> None:
    match, _, _ = await _resigned(table)
    over, _, _ = await _resigned(table)
    live = await table.create()
    others = (live.tokens.seats[Seat.A], match.tokens.seats[Seat.B], match.tokens.spectator, over.tokens.seats[Seat.A])
    for token in others:
        for match_id in (match.row.match_id, bytes(16)):
            port = Port()
            attachment = table.registry.attach(NOBODY, match_id, Seat.A, token, port, 1, Delivery.EVERY_ENTRY, None)
            attachment.match.post(JoinPost(attachment))
            await settle()
            assert [problem.reason for problem in port.of("problem")] == ["NOT_YOURS"]
            assert (port.kinds(), port.ends) == (["problem"], [1])


async def test_token_of_the_caller_counts_beside_that_of_the_join(table: Table) -> None:
    match, _, _ = await _resigned(table)
    live = await table.create()
    caller = await table.registry.identities.caller(match.tokens.seats[Seat.A])
    assert caller is not None
    for wanted in (match, live):
        port, match_id = Port(), wanted.row.match_id
        token = live.tokens.seats[Seat.A]
        attachment = table.registry.attach(caller, match_id, Seat.A, token, port, 1, Delivery.EVERY_ENTRY, None)
        port.attachments[1] = attachment
        attachment.match.post(JoinPost(attachment))
        await settle()
        assert port.of("joined")[0].match_id == wanted.row.match_id


async def test_bug_while_reading_is_a_problem_that_tells_nothing(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    match, a, _ = await _resigned(table)

    async def broken(match_id: bytes) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(table.store, "find_match", broken)
    a.resign()
    heir = await table.join(match, Seat.A)
    assert a.problems == heir.problems == ["INTERNAL"]
    assert "secret" not in str(a.port.items)


async def test_session_that_goes_while_its_join_waits_is_told_nothing(table: Table) -> None:
    match, _, _ = await _resigned(table)
    heir = await table.join(match, Seat.A, settled=False)
    heir.vanish()
    await settle()
    assert heir.port.kinds() == []


async def test_item_that_comes_while_another_is_looked_up_is_answered(table: Table) -> None:
    match, _, _ = await _resigned(table)
    heir = await table.join(match, Seat.A)
    heir.act(KEEP_OFFERED, decision_id=3)
    await asyncio.sleep(0)
    heir.act(KEEP_OFFERED, decision_id=4)
    await settle()
    assert [result.decision_id for result in heir.results] == [3, 4]


async def test_join_whose_token_is_revoked_meanwhile_is_refused_once(table: Table) -> None:
    match, _, _ = await _resigned(table)
    heir = await table.join(match, Seat.A, settled=False)
    heir.attachment.match.revoke(heir.attachment)
    await settle()
    assert heir.port.kinds() == ["problem"]
    assert heir.problems == ["NOT_YOURS"]


async def test_list_lets_others_go_on(table: Table) -> None:
    for _ in range(40):
        await table.create()
    course: list[str] = []

    async def others() -> None:
        while True:
            course.append("|")
            await asyncio.sleep(0)

    ticking = asyncio.create_task(others())
    await asyncio.sleep(0)
    before = len(course)
    assert len(await table.registry.list_matches(0, 100)) == 40
    assert len(course) - before >= 2
    ticking.cancel()


async def settle_reads() -> None:
    """Lets the reads of a search in the log be done."""
    for _ in range(8):
        await settle()
