"""Resuming: at every place that a client can know, each event comes once, and the view is the one at the end."""

import asyncio
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from unoduo.v1 import observation_pb2

from referee.codec.actions import decode_action
from referee.codec.entries import decode_entry
from referee.codec.observations import encode_view
from referee.match.registry import CreatedMatch
from referee.match.seats import FROM_START, Delivery, Hold, Resume
from referee.rules.observe import view
from referee.rules.seats import SEATS, Seat
from referee.store.base import StoredEntry
from referee.store.errors import StoreGivenUp
from tests.match.table import ORDER, Sitter, Table, asked, play_out, settle

_ORDER = replace(ORDER, ruleset=replace(ORDER.ruleset, hand_size=2, turn_cap=60))


async def _borders(table: Table, match: CreatedMatch) -> list[Resume]:
    """Returns every place behind which a client can resume, that of nothing first."""
    rows = await table.store.read_entries(match.row.number, 0, 10**8)
    return [FROM_START] + [Resume(decode_entry(row.data).last_sequence, row.head) for row in rows]


def _events(told: list[observation_pb2.Observation]) -> list[observation_pb2.ObservedEvent]:
    return [event for observation in told for event in observation.events]


def _view(table: Table, match: CreatedMatch, seat: Seat) -> observation_pb2.View:
    """Returns the view of a seat as the state of the rules has it."""
    state = table.actor(match)._live().state
    assert state.rules is not None
    return observation_pb2.View.FromString(encode_view(view(state.rules, seat)))


async def _resumed(table: Table, match: CreatedMatch, seat: Seat, resume: Resume, **fields: Any) -> Sitter:
    heir = await table.join(match, seat, resume=resume, **fields)
    for _ in range(8):
        await settle()
    return heir


def _check_history(heir: Sitter, behind: int, everything: list[observation_pb2.ObservedEvent]) -> None:
    """Checks that all events behind a sequence came once, in whole pages, and that only the last one is caught up."""
    pages = heir.observations
    assert _events(pages) == everything[behind:]
    assert [page.caught_up for page in pages] == [False] * (len(pages) - 1) + [True]
    assert all(not page.HasField("view") and not page.HasField("decision") for page in pages[:-1])
    assert all(page.ByteSize() < 17_000 for page in pages)
    sequence = behind
    for page in pages:
        assert page.sequence == (page.events[-1].sequence if page.events else sequence)
        sequence = page.sequence


@pytest.mark.parametrize("delivery", list(Delivery))
async def test_resume_at_every_border_of_a_live_match_tells_the_rest_and_the_view(
    table: Table, delivery: Delivery
) -> None:
    match, a, b = await table.started(_ORDER)
    random = Random(4)
    while a.ended is None:
        sitter = asked(a, b)
        decision = sitter.decision
        assert decision is not None
        sitter.act(decode_action(random.choice(decision.legal)))
        await settle()
        if a.ended is not None or random.random() < 0.7:
            continue
        told = (_events(a.observations), _events(b.observations))
        for seat in SEATS:
            for resume in await _borders(table, match):
                heir = await _resumed(table, match, seat, resume, delivery=delivery)
                _check_history(heir, resume.sequence, told[seat])
                last = heir.observations[-1]
                assert last.view == _view(table, match, seat)
                assert last.HasField("decision") == (last.view.actor == last.view.seat)
        # The last two take the match on, and know what the first two did.
        a, b = [await _resumed(table, match, seat, FROM_START) for seat in SEATS]
    assert len(a.observations[-1].events) > 0


async def test_resume_at_every_border_of_an_ended_match_tells_the_rest_and_the_end(table: Table) -> None:
    match, a, b = await table.started(_ORDER)
    await play_out(a, b, random=Random(4))
    for sitter in (a, b):
        told = _events(sitter.observations)
        for resume in await _borders(table, match):
            heir = await _resumed(table, match, sitter.seat, resume)
            assert _events(heir.observations) == told[resume.sequence :]
            assert heir.port.kinds()[0] == "joined"
            assert heir.port.kinds()[-1] == "ended"
            assert heir.ended == sitter.ended


async def test_client_that_is_cut_at_every_observation_gets_each_event_once(table: Table) -> None:
    match, a, b = await table.started(_ORDER)
    sitters, events, random = [a, b], [_events(a.observations), _events(b.observations)], Random(9)
    while sitters[0].ended is None:
        sitter = asked(sitters[0], sitters[1])
        decision = sitter.decision
        assert decision is not None
        sitter.act(decode_action(random.choice(decision.legal)))
        await settle()
        for seat in SEATS:
            known = sitters[seat].observations[-1]
            if sitters[seat].observations[0] is not known:
                events[seat] += known.events
            sitters[seat].vanish()
            sitters[seat] = await _resumed(table, match, seat, Resume(known.sequence, known.head))
            events[seat] += _events(sitters[seat].observations)
    for seat in SEATS:
        assert [event.sequence for event in events[seat]] == list(range(1, len(events[seat]) + 1))


@pytest.mark.parametrize("ended", [False, True])
async def test_other_heads_and_sequences_are_a_fork_and_change_nothing(table: Table, ended: bool) -> None:
    match, a, b = await table.started(_ORDER)
    for _ in range(20):
        asked(a, b).act()
        await settle()
    if ended:
        a.resign()
        await settle()
    borders = await _borders(table, match)
    ends, heads = {border.sequence for border in borders}, [border.head for border in borders]
    wrong = [Resume(border.sequence, bytes(32)) for border in borders[1:]]
    wrong += [Resume(border.sequence, borders[1].head) for border in borders[2:]]
    wrong += [Resume(border.sequence, border.head[:31]) for border in borders[1:]]
    wrong += [Resume(n, head) for n in range(1, max(ends) + 3) if n not in ends for head in heads[-2:]]
    before = [len(sitter.port.items) for sitter in (a, b)]
    for resume in wrong:
        heir = await _resumed(table, match, Seat.A, resume)
        assert heir.port.kinds() == ["problem"]
        (problem,) = heir.port.of("problem")
        assert (problem.code, problem.reason, problem.field) == (15, "FORKED", "join.after_sequence")
        assert heir.attachment.hold is Hold.DETACHED
        assert heir.port.ends == [1]
    assert [len(sitter.port.items) for sitter in (a, b)] == before


@pytest.mark.parametrize("head", [b"", bytes(32)])
async def test_sequence_zero_asks_for_everything_with_any_head(table: Table, head: bytes) -> None:
    match, a, _ = await table.started()
    heir = await _resumed(table, match, Seat.A, Resume(0, head))
    assert _events(heir.observations) == _events(a.observations)
    assert heir.observations[-1].HasField("view")


async def test_resume_behind_the_end_of_a_match_that_has_not_begun_is_a_fork(table: Table) -> None:
    match = await table.create()
    heir = await _resumed(table, match, Seat.A, Resume(1, match.row.h0))
    assert heir.problems == ["FORKED"]
    assert (await _resumed(table, match, Seat.A, FROM_START)).port.kinds() == ["joined"]


async def test_session_that_goes_while_its_place_is_looked_up_takes_nothing(table: Table) -> None:
    match, a, b = await table.started()
    asked(a, b).act()
    await settle()
    known = (await _borders(table, match))[1]
    ghost = await table.join(match, Seat.A, resume=known, settled=False)
    ghost.vanish()
    await settle()
    assert ghost.port.kinds() == []
    assert a.port.kinds().count("detached") == 0


async def test_join_whose_token_is_revoked_while_its_place_is_looked_up_is_refused_once(table: Table) -> None:
    match, _, _ = await table.started()
    heir = await table.join(match, Seat.A, resume=Resume(1, match.row.h0), settled=False)
    table.actor(match).revoke(heir.attachment)
    await settle()
    assert heir.port.kinds() == ["problem"]
    assert heir.problems == ["NOT_YOURS"]


async def test_history_that_could_not_be_read_is_read_again(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    match, a, b = await table.started(_ORDER)
    await play_out(a, b)
    monkeypatch.setattr("referee.match.feed._RETRY_S", 0.0)
    heir = await table.join(match, Seat.A, resume=FROM_START, settled=False)
    read_entries = table.store.read_entries

    async def fails_once(number: int, after_index: int, max_bytes: int) -> list[StoredEntry]:
        monkeypatch.setattr(table.store, "read_entries", read_entries)
        raise StoreGivenUp("a disk is slow")

    monkeypatch.setattr(table.store, "read_entries", fails_once)
    async with asyncio.timeout(10):
        while heir.ended is None:
            await settle()
    _check_history(heir, 0, _events(a.observations))
