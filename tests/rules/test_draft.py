from dataclasses import replace

import pytest

from referee.rules.actions import KEEP_OFFERED, REFUSE_OFFERED
from referee.rules.cards import Color, Deck, deck_cards
from referee.rules.decide import begin
from referee.rules.errors import Reason
from referee.rules.events import Cut, DraftDone, DraftOffered, Event, RoundStarted, StarterTurned, TurnStarted
from referee.rules.evolve import evolve, initial_state
from referee.rules.ruleset import DUO
from referee.rules.shuffling import FixedShuffler
from referee.rules.state import Phase, State, dealt
from tests.rules.given import Given, given, private
from tests.rules.positions import A, B, begun, card, cards

ONE = replace(DUO, hand_size=1)


def cut(order: str) -> list[Event]:
    return begin(initial_state(DUO, FixedShuffler(cards(order), deck_cards(DUO.deck))))


def full_deal() -> State:
    state = dealt(deck_cards(Deck.EXTRA_WILDS_112), DUO, cut_winner=B)
    for event in begin(state):
        evolve(state, event)
    return state


def test_cut_goes_to_the_card_with_more_points_r2_4() -> None:
    assert [event.fact for event in cut("R9 YS")][:2] == [Cut(card("R9"), card("YS")), RoundStarted(1, B)]
    assert [event.fact for event in cut("WF WW")][:2] == [Cut(card("WF"), card("WW")), RoundStarted(1, A)]


def test_cut_is_repeated_on_a_tie_and_shows_the_deciding_pair_r2_4() -> None:
    assert [event.fact for event in cut("R5 Y5 RS GD B3 B4 WF R0")][:2] == [
        Cut(card("B3"), card("B4")),
        RoundStarted(1, B),
    ]


def test_cut_of_an_odd_number_of_cards_is_no_cut_r2_4() -> None:
    with pytest.raises(ValueError, match="shorter"):
        cut("R9 YS R0")


def test_cut_without_a_differing_pair_goes_to_seat_a_r2_5() -> None:
    assert [event.fact for event in cut("R5 Y5 RS GD")][:2] == [Cut(card("RS"), card("GD")), RoundStarted(1, A)]


def test_match_begins_with_an_offer_that_the_drafter_alone_sees_r3_2() -> None:
    assert begin(dealt(cards("R1 R2 R3 R4 R5"), ONE)) == [
        Event(Cut(card("WF"), card("R0"))),
        Event(RoundStarted(1, A)),
        private(DraftOffered(A), A, "R1"),
    ]


def test_kept_card_stays_secret_and_the_next_is_turned_up_r3_3() -> None:
    given(begun("R1 R2 R3 R4 R5 R6", ONE)).when(A, KEEP_OFFERED).then(
        private(DraftDone(A, True, card("R2")), A, "R1"), private(DraftOffered(B), B, "R3")
    ).asks(Phase.DRAFT, B).holds(A, "R1").piles("R2", "R4 R5 R6")


def test_refused_card_is_turned_up_and_the_next_kept_secret_r3_4() -> None:
    given(begun("R1 R2 R3 R4 R5 R6", ONE)).when(A, REFUSE_OFFERED).then(
        private(DraftDone(A, False, card("R1")), A, "R2"), private(DraftOffered(B), B, "R3")
    ).asks(Phase.DRAFT, B).holds(A, "R2").piles("R1", "R4 R5 R6")


def test_draft_asks_the_drafter_alone_r13_1() -> None:
    given(full_deal()).when(A, KEEP_OFFERED).rejected(Reason.NOT_YOUR_DECISION).asks(Phase.DRAFT, B)


def test_draft_alternates_single_picks_until_the_hands_are_full_r3_1() -> None:
    step = given(full_deal())
    for pick in range(14):
        seat = (B, A)[pick % 2]
        step.asks(Phase.DRAFT, seat)
        step = step.when(seat, KEEP_OFFERED if pick % 3 else REFUSE_OFFERED).accepted()
    assert [len(hand) for hand in step.state.hands] == [7, 7]
    assert (len(step.state.discard), len(step.state.draw)) == (1, 97)


def test_last_pick_turns_the_starter_and_begins_the_first_turn_r4_1() -> None:
    step = given(begun("R1 R2 R3 R4 G5 R6", ONE)).when(A, KEEP_OFFERED).accepted()
    step.when(B, KEEP_OFFERED).then(
        private(DraftDone(B, True, card("R4")), B, "R3"),
        Event(StarterTurned(card("G5"), 3)),
        Event(TurnStarted(B, Color.GREEN, None)),
    ).asks(Phase.TURN, B).in_force("G")


def drafted(ruleset_deck: str) -> Given:
    step = given(begun(ruleset_deck, ONE)).when(A, KEEP_OFFERED).accepted()
    return step.when(B, REFUSE_OFFERED).accepted()


def test_draft_discards_come_out_last_and_oldest_first_r3_7() -> None:
    step = drafted("R1 R2 R3 R4 G5 R6 R7").piles("G5", "R6 R7 R2 R3")
    assert step.state.known_tail == 2
