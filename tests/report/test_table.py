"""The table of an observer, against what the engine says that he knows."""

from collections.abc import Iterator

import pytest

from referee.report.table import Table
from referee.rules.cards import Card, Color, deck_cards
from referee.rules.decide import begin, decide
from referee.rules.events import CardsDrawn, CardsPlayed, Challenged, DraftOffered, DrawReason, Event
from referee.rules.evolve import evolve
from referee.rules.legality import legal_actions
from referee.rules.observe import View, observe, observe_public, view
from referee.rules.ruleset import DUO
from referee.rules.seats import SEATS, Seat
from referee.rules.state import Phase, State
from tests.properties.worlds import random_match

MATCHES = range(12)


def _entries(seed: int) -> Iterator[tuple[State, list[Event]]]:
    """Yields the events of each action of a random match, with the state after them."""
    match = random_match(seed)
    state, dice = match.state, match.random
    events = begin(state)
    while True:
        for event in events:
            evolve(state, event)
        yield state, events
        if state.phase is Phase.MATCH_OVER:
            return
        events = decide(state, state.actor, match.bots[state.actor](dice, state, legal_actions(state)))


def _same(table: Table, known: View, *, whole_deck: bool) -> None:
    mine = table.hands[known.seat]
    assert tuple(mine) == known.hand
    assert len(table.hands[known.seat.other]) == known.opponent_count
    if whole_deck or known.phase is not Phase.DRAFT:
        assert table.draw_count == known.draw_count
    assert table.color is known.color
    assert table.due == known.pending_total
    assert table.pile == known.discard[len(known.discard) - len(table.pile) :]
    assert (table.round, table.totals) == (known.round, known.totals)


@pytest.mark.parametrize("seed", MATCHES)
def test_table_of_a_seat_is_what_its_view_says(seed: int) -> None:
    match = random_match(seed)
    tables = [Table(match.state.ruleset) for _ in SEATS]
    # Cards that were taken out of the game beforehand are missed when the starter is turned up, as at a real table.
    whole_deck = match.shuffler.size is None
    compared = 0
    for state, events in _entries(seed):
        for seat in SEATS:
            for event in events:
                seen = observe(event, seat)
                tables[seat].apply(seen.fact, seen.private_cards)
            if state.phase is not Phase.MATCH_OVER:
                _same(tables[seat], view(state, seat), whole_deck=whole_deck)
                compared += 1
    assert compared > 10


@pytest.mark.parametrize("seed", MATCHES)
def test_table_of_the_auditor_has_both_hands_and_that_of_a_spectator_none(seed: int) -> None:
    ruleset = random_match(seed).state.ruleset
    full, public = Table(ruleset), Table(ruleset)
    for state, events in _entries(seed):
        for event in events:
            full.apply(event.fact, event.private_cards)
            public.apply(event.fact, observe_public(event).private_cards)
        if state.phase is not Phase.MATCH_OVER:
            assert full.hands == state.hands
            assert public.hands[0].count(None) == len(state.hands[0])
            assert public.hands[1].count(None) == len(state.hands[1])


def _offered_and_shown(table: Table) -> tuple[tuple[Card | None, ...], tuple[Card, ...]]:
    return table.offered, table.shown


def test_offered_and_shown_cards_lie_open_for_their_event_only() -> None:
    table = Table(DUO)
    table.apply(DraftOffered(Seat.A), (Card.RED_5,))
    assert _offered_and_shown(table) == ((Card.RED_5,), ())
    table.apply(DraftOffered(Seat.B), ())
    assert _offered_and_shown(table) == ((None,), ())
    table.apply(Challenged(Seat.A, True), (Card.BLUE_1,))
    assert table.shown == (Card.BLUE_1,)
    table.apply(DraftOffered(Seat.A), ())
    assert _offered_and_shown(table) == ((None,), ())


def test_play_of_a_card_that_was_never_there_is_shown_all_the_same() -> None:
    table = Table(DUO)
    table.apply(CardsPlayed(Seat.A, (Card.RED_5,), Color.RED, 3, False), ())
    assert (table.pile, table.laid, table.hands) == ((Card.RED_5,), 1, ([], []))


def test_numbers_that_no_deck_allows_are_shown_as_far_as_cards_go() -> None:
    table = Table(DUO)
    table.apply(CardsDrawn(Seat.A, 2**32 - 1, 2, DrawReason.DRAW_TWO), ())
    table.apply(CardsPlayed(Seat.A, (), Color.RED, 0, False), ())
    assert len(table.hands[Seat.A]) == len(deck_cards(DUO.deck))
    assert (table.pile, table.color) == ((), Color.RED)
