from dataclasses import replace

import pytest

from referee.rules.actions import CATCH, DRAW, KEEP_DRAWN, KEEP_OFFERED
from referee.rules.cards import Card, Color
from referee.rules.decide import begin
from referee.rules.events import (
    CardsDrawn,
    DrawReason,
    Event,
    Recycled,
    RoundEnded,
    RoundEndReason,
    RoundStarted,
    TurnStarted,
)
from referee.rules.evolve import evolve, initial_state
from referee.rules.ruleset import DUO, Piles, Ruleset
from referee.rules.shuffling import FixedShuffler
from referee.rules.state import Phase, fixed_shuffler, position
from tests.rules.given import Given, given, private
from tests.rules.positions import A, B, cards, play, table


def test_recycling_waits_until_a_card_is_needed_r10_2() -> None:
    step = given(table("B1 B2", "Y1 Y2", "R1 R2 R5", "G1")).when(A, DRAW).accepted().piles("R1 R2 R5", "")
    step.state.phase, step.state.actor, step.state.seen = Phase.TURN, B, None
    step.when(B, DRAW).then(Recycled(2), private(CardsDrawn(B, 1, 1, DrawReason.TURN), B, "R1")).piles("R5", "R2")


def test_recycling_goes_on_within_a_draw_oldest_discard_first_r10_4() -> None:
    step = given(table("RD R1 R2", "Y1 Y2", "B1 B2 B3 R5", "G1")).when(A, play("RD")).accepted()
    step = step.when(B, DRAW).then(
        Recycled(4), private(CardsDrawn(B, 2, 2, DrawReason.DRAW_TWO), B, "G1 B1"), TurnStarted(A, Color.RED, None)
    ).piles("RD", "B2 B3 R5")  # fmt: skip
    assert step.state.known_tail == 3


class Reversing:
    """Hands back the discards in reverse and notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, int, tuple[Card, ...]]] = []

    def cut(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return cards

    def deck(self, round: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return cards

    def opening_block(self, round: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return cards[::-1]

    def recycled(self, round: int, number: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        self.asked.append((round, number, cards))
        return cards[::-1]


class ReversingBlock(FixedShuffler):
    """Deals a fixed order and hands back the draft discards in reverse."""

    def opening_block(self, round: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return cards[::-1]


@pytest.mark.parametrize(
    ("piles", "draw", "known"), [(Piles.TURN_OVER, "G6 B1 B2 B3 B4", 4), (Piles.SHUFFLE, "G6 B4 B3 B2 B1", 0)]
)
def test_draft_discards_are_shuffled_by_option_alone_r3_7(piles: Piles, draw: str, known: int) -> None:
    shuffler = ReversingBlock(cards("WF R0"), cards("R1 B1 R2 B2 R3 B3 R4 B4 G5 G6"))
    step = given(initial_state(Ruleset(hand_size=2, piles=piles), shuffler))
    for event in begin(step.state):
        evolve(step.state, event)
    for seat in (A, B, A, B):
        step = step.when(seat, KEEP_OFFERED).accepted()
    assert step.piles("G5", draw).state.known_tail == known


def shuffling(shuffler: Reversing, pile: str, piles: Piles = Piles.SHUFFLE) -> Given:
    ruleset = replace(DUO, piles=piles)
    hands = (cards("B1 B2"), cards("Y1 Y2"))
    return given(position(hands=hands, discard=cards(pile), ruleset=ruleset, shuffler=shuffler))


def test_recycled_cards_are_shuffled_by_option_r10_3() -> None:
    shuffler = Reversing()
    step = shuffling(shuffler, "R1 R2 R3 R5").when(A, DRAW).accepted().took(A, "R3").piles("R5", "R2 R1")
    assert step.state.known_tail == 0
    assert set(shuffler.asked) == {(1, 1, cards("R1 R2 R3"))}


def test_recycled_cards_are_not_shuffled_without_the_option_r10_3() -> None:
    shuffler = Reversing()
    shuffling(shuffler, "R1 R2 R3 R5", Piles.TURN_OVER).when(A, DRAW).accepted().took(A, "R1").piles("R5", "R2 R3")
    assert shuffler.asked == []


def test_recycles_are_counted_within_a_round_and_anew_in_the_next_r10_3() -> None:
    shuffler = Reversing()
    step = shuffling(shuffler, "Y3 Y4 B5").when(A, DRAW).accepted().when(A, KEEP_DRAWN).accepted()
    step = step.when(B, DRAW).accepted().when(B, KEEP_DRAWN).accepted()
    for number, laid, under in ((2, "B1", "B5"), (3, "B2", "B1")):
        step = step.when(A, play(laid, uno=True)).accepted()
        step = step.when(B, DRAW).accepted().when(B, KEEP_DRAWN).accepted()
        assert step.state.recycles == number
        assert shuffler.asked[-1] == (1, number, cards(under))
    evolve(step.state, Event(RoundStarted(2, A)))
    assert step.state.recycles == 0


def test_draw_of_more_cards_than_exist_waives_the_rest_r10_5() -> None:
    step = given(table("RD B1 B2", "Y1 Y2", "R5", "")).when(A, play("RD")).accepted()
    step.when(B, DRAW).then(
        Recycled(1), private(CardsDrawn(B, 1, 2, DrawReason.DRAW_TWO), B, "R5"), TurnStarted(A, Color.RED, None)
    ).piles("RD", "")


def test_penalty_with_nothing_to_draw_is_told_with_count_zero_r10_5() -> None:
    state = table("R1 B1", "Y1 Y2", "R5", "")
    state.discard = list(cards("R5"))
    step = given(state).when(A, play("R1")).accepted()
    step = step.when(B, CATCH).accepted().took(A, "R5")
    step.state.phase, step.state.actor = Phase.UNO, B
    step.when(B, CATCH).accepted().took(A, "")


def test_draw_that_yields_nothing_passes_the_turn_r10_6() -> None:
    step = given(table("B1 B2", "R1 Y2", "R5", "")).when(A, DRAW).then(
        private(CardsDrawn(A, 0, 1, DrawReason.TURN), A, ""), TurnStarted(B, Color.RED, None)
    ).asks(Phase.TURN, B)  # fmt: skip
    assert step.state.stall == 1


def test_play_in_between_starts_the_count_of_empty_draws_again_r10_7() -> None:
    step = given(table("B1 B2", "R1 Y2", "R5", "")).when(A, DRAW).accepted()
    step = step.when(B, play("R1", uno=True)).accepted()
    assert step.state.stall == 0
    step.when(A, DRAW).accepted().asks(Phase.DRAWN, A).holds(A, "B1 B2 R5")


def test_two_empty_draws_in_a_row_block_the_round_r10_7() -> None:
    step = given(table("B1 B2", "R9 Y2", "R5", "", totals=(10, 20))).when(A, DRAW).accepted()
    step = step.when(B, DRAW).accepted().asks(Phase.DRAFT, A)
    assert step.events[1].fact == RoundEnded(
        None, RoundEndReason.BLOCKED, (cards("B1 B2"), cards("Y2 R9")[::-1]), (3, 11), (13, 31)
    )


def test_known_tail_shrinks_with_the_draw_pile_r14_4() -> None:
    state = table("B1 B2", "R1 Y2", "R5", "G1 G2")
    state.known_tail = 2
    assert given(state).when(A, DRAW).accepted().state.known_tail == 1


def test_fixed_shuffler_leaves_discards_as_they_lie() -> None:
    shuffler = fixed_shuffler(cards("R1"))
    assert shuffler.recycled(1, 1, cards("R2 R3")) == cards("R2 R3") == shuffler.opening_block(1, cards("R2 R3"))
