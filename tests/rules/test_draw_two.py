import pytest

from referee.rules.actions import CATCH, CHALLENGE, DRAW, KEEP_DRAWN
from referee.rules.cards import Color
from referee.rules.errors import Reason
from referee.rules.events import CardsDrawn, CardsPlayed, DrawReason, TurnStarted
from referee.rules.state import Phase
from tests.rules.given import given, private
from tests.rules.positions import A, B, cards, play, table


def test_draw_two_asks_the_other_seat_even_without_one_r6_6() -> None:
    given(table("RD B1 B2", "Y1 Y2", "R5")).when(A, play("RD")).then(
        CardsPlayed(A, cards("RD"), Color.RED, 2, False)
    ).asks(Phase.RESPOND, B).due(2)


def test_volley_grows_by_two_and_the_last_seat_draws_all_r6_3() -> None:
    step = given(table("RD GD B1 B2", "BD Y1 Y2", "R5")).when(A, play("RD")).accepted()
    step = step.when(B, play("BD")).accepted().asks(Phase.RESPOND, A).due(4).in_force("B")
    step = step.when(A, play("GD")).accepted().asks(Phase.RESPOND, B).due(6).in_force("G")
    step.when(B, DRAW).then(
        private(CardsDrawn(B, 6, 6, DrawReason.DRAW_TWO), B, "G1 G2 G3 G4 G5 G6"), TurnStarted(A, Color.GREEN, None)
    ).asks(Phase.TURN, A)


def test_answer_may_be_declined_r6_4() -> None:
    step = given(table("RD B1 B2", "BD Y1", "R5")).when(A, play("RD")).accepted()
    step = step.when(B, DRAW).accepted().asks(Phase.TURN, A).holds(B, "BD Y1 G1 G2")
    assert step.state.pending is None


@pytest.mark.parametrize(
    ("answer", "named", "reason"),
    [
        ("RS", None, Reason.ONLY_DRAW_TWO_ANSWERS),
        ("RR", None, Reason.ONLY_DRAW_TWO_ANSWERS),
        ("WW", "R", Reason.ONLY_DRAW_TWO_ANSWERS),
        ("WF", "R", Reason.ONLY_DRAW_TWO_ANSWERS),
        ("BD YD", None, Reason.ONE_CARD_ONLY),
        ("RR RS", None, Reason.ONE_CARD_ONLY),
    ],
)
def test_nothing_but_one_draw_two_answers_r6_2(answer: str, named: str | None, reason: Reason) -> None:
    step = given(table("RD B1 B2", "BD YD RR RS WW WF", "R5")).when(A, play("RD")).accepted()
    step.when(B, play(answer, named)).rejected(reason)


def test_draw_two_cannot_be_challenged_or_kept_r8_16() -> None:
    step = given(table("RD B1 B2", "BD Y1", "R5")).when(A, play("RD")).accepted()
    step.when(B, CHALLENGE).rejected(Reason.NOT_A_WILD_DRAW_FOUR)
    step.when(B, KEEP_DRAWN).rejected(Reason.WRONG_PHASE)


def test_draw_two_once_drawn_for_is_spent_r6_7() -> None:
    step = given(table("RD GD B1", "BD Y1", "R5")).when(A, play("RD")).accepted().when(B, DRAW).accepted()
    step.when(A, play("GD", uno=True)).accepted().asks(Phase.RESPOND, B).due(2)


def test_card_drawn_as_a_penalty_may_answer_r6_9() -> None:
    step = given(table("RD B1", "GD Y1", "R5", "YD G2 G3 G4")).when(A, play("RD")).accepted()
    step = step.when(B, CATCH).accepted().asks(Phase.RESPOND, B).holds(A, "B1 YD G2").due(2)
    step = step.when(B, play("GD", uno=True)).accepted().due(4)
    step.when(A, play("YD")).accepted().asks(Phase.RESPOND, B).due(6)


def test_volley_has_no_limit_r6_8() -> None:
    # The volley's own Draw Twos come back through the recycled pile and catches.
    step = given(table("RD RD", "YD YD", "R5", "GD GD")).when(A, play("RD")).accepted()
    step = step.when(B, CATCH).accepted().holds(A, "RD GD GD").due(2)
    step = step.when(B, play("YD")).accepted().asks(Phase.UNO, A)
    step.when(A, CATCH).accepted().asks(Phase.RESPOND, A).holds(B, "R5 RD YD").due(4).piles("YD", "")
