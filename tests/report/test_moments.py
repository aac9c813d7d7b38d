"""Moments of a match: which events are one, whose, and where."""

from referee.report.moments import Moment, MomentKind, moments
from referee.rules.cards import Card, Color
from referee.rules.events import (
    CardsDrawn,
    CardsPlayed,
    Challenged,
    DrawReason,
    RoundStarted,
    TurnStarted,
    UnoWindowClosed,
)
from referee.rules.seats import Seat

A, B = Seat.A, Seat.B
PLAY_A = CardsPlayed(A, (Card.RED_DRAW_TWO,), Color.RED, 5, False)
PLAY_B = CardsPlayed(B, (Card.BLUE_DRAW_TWO,), Color.BLUE, 5, False)
DRAWN = CardsDrawn(A, 4, 4, DrawReason.DRAW_TWO)


def test_each_kind_is_told_with_its_seat_and_place() -> None:
    dump = CardsPlayed(B, (Card.RED_REVERSE, Card.RED_1), Color.RED, 3, False)
    facts = [None, Challenged(A, True), Challenged(B, False), UnoWindowClosed(A, True), UnoWindowClosed(A, False), dump]
    assert moments(facts) == [
        Moment(MomentKind.CHALLENGE, 1, A, "A challenges: a bluff", won=True),
        Moment(MomentKind.CHALLENGE, 2, B, "B challenges: no bluff", won=False),
        Moment(MomentKind.CATCH, 3, A, "A catches B without UNO"),
        Moment(MomentKind.DUMP, 5, B, "B dumps 2 cards", 2),
    ]


def test_volley_stands_at_its_first_draw_two_and_counts_them() -> None:
    turn = TurnStarted(A, Color.RED, None)
    uno = CardsDrawn(B, 2, 2, DrawReason.UNO)
    volley = [Moment(MomentKind.VOLLEY, 1, A, "A opens a volley of 3", 3)]
    assert moments([turn, PLAY_A, PLAY_B, uno, PLAY_A, DRAWN, turn]) == volley
    assert moments([turn, PLAY_A, PLAY_B, PLAY_A]) == volley


def test_draw_twos_that_answer_none_are_no_volley() -> None:
    assert moments([PLAY_A, DRAWN, PLAY_B, DRAWN]) == []
    assert moments([PLAY_A, RoundStarted(2, A), PLAY_B]) == []
    assert moments([PLAY_A, CardsDrawn(A, 2, 2, DrawReason.FINAL), PLAY_B]) == []


def test_moments_are_in_order_when_a_dump_opens_a_volley_that_goes_on() -> None:
    dump = CardsPlayed(A, (Card.RED_REVERSE, Card.RED_DRAW_TWO), Color.RED, 3, False)
    answer = CardsPlayed(B, (Card.BLUE_REVERSE, Card.BLUE_DRAW_TWO), Color.BLUE, 3, False)
    assert [(moment.kind, moment.place) for moment in moments([dump, answer, DRAWN])] == [
        (MomentKind.DUMP, 0),
        (MomentKind.VOLLEY, 0),
        (MomentKind.DUMP, 1),
    ]


def test_play_of_no_card_is_no_moment() -> None:
    assert moments([CardsPlayed(A, (), Color.RED, 3, False)]) == []
