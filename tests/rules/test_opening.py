from dataclasses import replace

from referee.rules.actions import KEEP_OFFERED, ChooseColor
from referee.rules.cards import Color
from referee.rules.errors import Reason
from referee.rules.events import CardsDrawn, ColorChosen, DrawReason, Fact, StarterTurned, TurnStarted
from referee.rules.ruleset import DUO
from referee.rules.seats import Seat
from referee.rules.state import Phase
from tests.rules.given import Given, given
from tests.rules.positions import A, B, begun, card, cards, play

DRAW_PILE = "B1 B2 B3 B4 B5 B6"
BELOW_STARTER = len(DRAW_PILE.split()) + 4


def opened(starter: str, kept: tuple[str, str, str, str] = ("R1", "Y1", "R2", "Y2")) -> Given:
    """Returns the opening of a deal with two cards a hand: A keeps the first and third card, B the others."""
    deck = " ".join(f"{keep} G0" for keep in kept) + f" {starter} {DRAW_PILE}"
    step = given(begun(deck, replace(DUO, hand_size=2)))
    for seat in (A, B, A, B):
        step = step.when(seat, KEEP_OFFERED).accepted()
    return step


def facts(step: Given) -> list[Fact]:
    return [event.fact for event in step.events[1:]]


def turn(seat: Seat, named: Color, free: Color | None = None) -> TurnStarted:
    return TurnStarted(seat, named, free)


def test_number_starter_gives_the_first_player_the_turn_r4_2() -> None:
    step = opened("G7").asks(Phase.TURN, B)
    assert facts(step) == [StarterTurned(card("G7"), BELOW_STARTER), turn(B, Color.GREEN)]


def test_skip_starter_gives_the_first_drafter_the_turn_r4_3() -> None:
    step = opened("GS").asks(Phase.TURN, A)
    assert facts(step) == [StarterTurned(card("GS"), BELOW_STARTER), turn(A, Color.GREEN)]


def test_draw_two_starter_is_drawn_for_unasked_r4_4() -> None:
    step = opened("GD", ("R1", "BD", "R2", "Y2")).asks(Phase.TURN, A).took(B, "B1 B2").holds(B, "BD Y2 B1 B2")
    assert facts(step) == [
        StarterTurned(card("GD"), BELOW_STARTER),
        CardsDrawn(B, 2, 2, DrawReason.OPENING),
        turn(A, Color.GREEN),
    ]


def test_draw_two_starter_is_spent_r4_5() -> None:
    step = opened("GD", ("RD", "Y1", "R2", "Y2"))
    step.when(A, play("RD", uno=True)).accepted().asks(Phase.RESPOND, B).due(2)


def test_reverse_starter_opens_a_free_dump_r4_6() -> None:
    step = opened("YR", ("R1", "Y1", "R2", "Y2")).asks(Phase.TURN, B).in_force("Y", free="Y")
    assert facts(step) == [StarterTurned(card("YR"), BELOW_STARTER), turn(B, Color.YELLOW, Color.YELLOW)]


def test_wild_starter_lets_the_first_drafter_name_the_color_r4_7() -> None:
    step = opened("WW").asks(Phase.COLOR, A)
    assert facts(step) == [StarterTurned(card("WW"), BELOW_STARTER)]
    step.when(B, ChooseColor(Color.BLUE)).rejected(Reason.NOT_YOUR_DECISION)
    step.when(A, ChooseColor(Color.YELLOW)).then(ColorChosen(A, Color.YELLOW), turn(B, Color.YELLOW)).in_force("Y")


def test_wild_draw_four_starter_is_drawn_for_before_the_color_is_named_r4_8() -> None:
    step = opened("WF").asks(Phase.COLOR, A).took(B, "B1 B2 B3 B4")
    assert facts(step) == [StarterTurned(card("WF"), BELOW_STARTER), CardsDrawn(B, 4, 4, DrawReason.OPENING)]
    step.when(A, ChooseColor(Color.BLUE)).then(ColorChosen(A, Color.BLUE), turn(A, Color.BLUE)).asks(Phase.TURN, A)


def test_starter_lies_alone_on_the_discard_pile_r4_1() -> None:
    assert opened("G7").state.discard == list(cards("G7"))
