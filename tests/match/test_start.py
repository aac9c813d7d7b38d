"""From the making of a match to its first decision."""

from dataclasses import replace

import pytest

from referee.adjudication.state import Lifecycle
from referee.adjudication.terms import DealMode
from referee.codec.headers import decode_header
from referee.log.heads import INDEX_ORIGIN, header_head, index_head
from referee.match.faults import Fault, ProblemReason
from referee.match.inbox import JoinPost
from referee.match.seats import Delivery
from referee.rules.seats import Seat
from tests.match.table import NOBODY, ORDER, Port, Table, asked, other, settle


async def test_new_match_has_its_header_and_secrets_stored_before_it_is_told(table: Table) -> None:
    match = await table.create()

    header = decode_header(match.row.header)
    assert match.row.number == header.match_number == 1
    assert match.row.h0 == header_head(match.row.header)
    assert header.index_head == INDEX_ORIGIN
    assert header.deal_mode is DealMode.GIVEN
    assert header.created == "2026-01-02T03:04:05Z"
    assert await table.store.find_match(match.row.match_id) == match.row
    secrets = await table.store.read_secrets(1)
    assert secrets is not None
    assert secrets.seed == bytes(32)


async def test_second_match_follows_the_index_head_of_the_first(table: Table) -> None:
    first, second = await table.create(), await table.create()

    (record, _) = await table.store.index_records(0, 10)
    assert decode_header(second.row.header).index_head == record.head == index_head(INDEX_ORIGIN, record.data)
    assert first.row.match_id != second.row.match_id


async def test_tokens_are_long_and_all_different(table: Table) -> None:
    matches = [await table.create() for _ in range(3)]

    tokens = [token for match in matches for token in (*match.tokens.seats, match.tokens.spectator)]
    assert len(set(tokens)) == 9
    assert all(len(token) >= 22 for token in tokens)


async def test_too_many_open_matches_are_refused() -> None:
    table = Table(max_open_matches=1)
    await table.open()
    match = await table.create()
    with pytest.raises(Fault) as refusal:
        await table.create()
    assert refusal.value.reason is ProblemReason.TOO_MANY_MATCHES

    (await table.join(match, Seat.A)).resign()
    await settle()
    assert (await table.create()).row.number == 2
    await table.close()


@pytest.mark.parametrize("number", [1, 2])
async def test_match_that_is_not_void_cannot_be_replaced(table: Table, number: int) -> None:
    match = await table.create()
    (await table.join(match, Seat.A)).resign()
    await settle()
    with pytest.raises(Fault) as refusal:
        await table.create(replace(ORDER, replaces_number=number))
    assert refusal.value.field == "replaces_number"


async def test_join_brings_the_stored_header_and_nothing_else(table: Table) -> None:
    match = await table.create()
    sitter = await table.join(match, Seat.B)

    assert sitter.port.kinds() == ["joined"]
    (joined,) = sitter.port.of("joined")
    assert joined.header == match.row.header
    assert joined.match_id == match.row.match_id
    assert (joined.seat, joined.lifecycle, joined.join_number) == (2, 1, 1)


async def test_ready_is_stored_before_it_is_accepted(table: Table) -> None:
    match = await table.create(replace(ORDER, seed=None))
    sitter = await table.join(match, Seat.A)
    table.store.freeze()
    sitter.ready(b"entropy")
    await settle()
    assert sitter.port.kinds() == ["joined"]

    table.store.thaw()
    await settle()
    assert sitter.port.kinds() == ["joined", "ready_accepted"]
    assert await table.store.readies(1) == (b"entropy", None)


async def test_first_entropy_counts_however_often_it_is_sent(table: Table) -> None:
    match = await table.create(replace(ORDER, seed=None))
    a, b = await table.join(match, Seat.A), await table.join(match, Seat.B)
    a.ready(b"first")
    a.ready(b"second")
    await settle()
    b.ready(b"other")
    await settle()
    a.ready(b"third")
    await settle()

    accepted = [(item.h0, item.entropy) for item in a.port.of("ready_accepted")]
    assert accepted == [(match.row.h0, b"first")] * 3
    sealed = a.observations[0].events[0].event.deal_sealed
    assert (sealed.entropy_1, sealed.entropy_2) == (b"first", b"other")


async def test_start_asks_one_seat_and_shows_both_their_view(table: Table) -> None:
    match, a, b = await table.started()

    one = asked(a, b)
    decision = one.decision
    assert decision is not None
    assert decision.decision_id == one.observations[0].sequence == 4
    assert decision.time_left_ms == 1_000
    assert len(decision.legal) == 2
    assert other(one, a, b).decision is None
    for sitter in (a, b):
        (first,) = sitter.observations
        assert first.view.seat == sitter.seat + 1
        assert first.caught_up
        assert first.opponent_presence.present
        assert (first.clock.running, first.opponent_clock.running) == (sitter is one, sitter is not one)
    assert table.actor(match).lifecycle is Lifecycle.PLAYING


async def test_seats_that_joined_start_without_ready_when_the_grace_is_over(table: Table) -> None:
    match = await table.create(replace(ORDER, seed=None))
    a, b = await table.join(match, Seat.A), await table.join(match, Seat.B)
    a.ready(b"mine")
    await settle()
    table.clock.advance(30_000)
    await settle()
    assert not a.observations
    table.clock.advance(1)
    await settle()

    sealed = b.observations[0].events[0].event.deal_sealed
    assert (sealed.entropy_1, sealed.entropy_2) == (b"mine", b"")
    b.ready(b"late")
    await settle()
    assert b.port.kinds()[-1] == "ready_accepted"
    assert await table.store.readies(1) == (b"mine", None)


@pytest.mark.parametrize("present", [None, Seat.A, Seat.B])
async def test_seat_that_never_joined_loses_when_the_grace_is_over(table: Table, present: Seat | None) -> None:
    match = await table.create()
    sitter = await table.join(match, present) if present is not None else None
    table.clock.advance(30_001)
    await settle()

    outcome = table.actor(match).outcome
    assert outcome is not None
    assert outcome.termination.name == "NO_SHOW"
    assert outcome.winner is present
    assert outcome.faulted == tuple(seat for seat in Seat if seat is not present)
    if sitter is not None:
        assert sitter.port.kinds() == ["joined", "observation", "ended"]
        assert sitter.ended is not None
        assert sitter.ended.replay_available


async def test_seat_that_joined_and_left_is_no_no_show(table: Table) -> None:
    match = await table.create()
    a, b = await table.join(match, Seat.A), await table.join(match, Seat.B)
    b.vanish()
    table.clock.advance(30_001)
    await settle()
    assert a.observations[0].events[0].event.HasField("deal_sealed")
    assert not a.observations[0].opponent_presence.present


async def test_join_needs_the_token_of_the_very_seat(table: Table) -> None:
    match, rival = await table.create(), await table.create()
    spectator = match.tokens.spectator
    for match_id, seat, token in (
        (match.row.match_id, Seat.A, match.tokens.seats[Seat.B]),
        (match.row.match_id, Seat.A, rival.tokens.seats[Seat.A]),
        (match.row.match_id, Seat.A, spectator),
        (match.row.match_id, Seat.A, "guess"),
        (bytes(16), Seat.A, match.tokens.seats[Seat.A]),
    ):
        port = Port()
        attachment = table.registry.attach(NOBODY, match_id, seat, token, port, 1, Delivery.EVERY_ENTRY, None)
        attachment.match.post(JoinPost(attachment))
        await settle()
        (problem,) = port.of("problem")
        assert (problem.reason, problem.field) == ("NOT_YOURS", "")
        assert problem.message == ProblemReason.NOT_YOURS.sentence
        assert (port.kinds(), port.ends) == (["problem"], [1])
    with pytest.raises(Fault) as refusal:
        table.registry.attach(NOBODY, match.row.match_id, Seat.A, "", Port(), 1, Delivery.EVERY_ENTRY, None)
    assert refusal.value.reason is ProblemReason.TOKEN_MISSING
