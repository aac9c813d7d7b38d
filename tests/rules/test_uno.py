import pytest

from referee.rules.actions import CATCH, DRAW, LET_PASS
from referee.rules.cards import Color
from referee.rules.errors import Reason
from referee.rules.events import CardsDrawn, CardsPlayed, DrawReason, TurnStarted, UnoWindowClosed
from referee.rules.state import Phase
from tests.rules.given import given, private
from tests.rules.positions import A, B, cards, play, table


def test_call_with_the_play_opens_no_window_r9_1() -> None:
    given(table("R1 B1", "Y1 Y2", "R5")).when(A, play("R1", uno=True)).then(
        CardsPlayed(A, cards("R1"), Color.RED, 1, True), TurnStarted(B, Color.RED, None)
    )


def test_missed_call_asks_the_opponent_before_anything_else_r9_2() -> None:
    step = given(table("RS R1", "Y1 Y2", "R5")).when(A, play("RS")).then(
        CardsPlayed(A, cards("RS"), Color.RED, 1, False)
    )  # fmt: skip
    step.asks(Phase.UNO, B).when(A, play("R1")).rejected(Reason.NOT_YOUR_DECISION)


def test_catch_costs_two_and_changes_no_turn_r9_3() -> None:
    step = given(table("RS R1", "Y1 Y2", "R5")).when(A, play("RS")).accepted()
    step.when(B, CATCH).then(
        UnoWindowClosed(B, True),
        private(CardsDrawn(A, 2, 2, DrawReason.UNO), A, "G1 G2"),
        TurnStarted(A, Color.RED, None),
    ).holds(A, "R1 G1 G2")


def test_window_let_pass_is_closed_for_good_r9_4() -> None:
    step = given(table("R1 B1", "R2 Y2", "R5")).when(A, play("R1")).accepted()
    step = step.when(B, LET_PASS).then(UnoWindowClosed(B, False), TurnStarted(B, Color.RED, None))
    step.when(B, CATCH).rejected(Reason.WRONG_PHASE)


@pytest.mark.parametrize("answer", [CATCH, LET_PASS])
def test_window_leaves_a_pending_draw_to_be_answered_r9_2(answer: object) -> None:
    step = given(table("RD B1", "GD Y1 Y2", "R5")).when(A, play("RD")).accepted().asks(Phase.UNO, B)
    step = step.when(B, CATCH if answer is CATCH else LET_PASS).accepted().asks(Phase.RESPOND, B).due(2)
    assert not any(isinstance(event.fact, TurnStarted) for event in step.events)


def test_needless_call_has_no_effect_r9_5() -> None:
    step = given(table("R1 B1 B2", "Y1 Y2", "R5")).when(A, play("R1", uno=True)).then(
        CardsPlayed(A, cards("R1"), Color.RED, 2, False), TurnStarted(B, Color.RED, None)
    )  # fmt: skip
    step.when(B, CATCH).rejected(Reason.WRONG_PHASE)


def test_call_with_the_last_card_is_not_reported_r9_5() -> None:
    step = given(table("R1", "Y1 Y2", "R5")).when(A, play("R1", uno=True)).accepted()
    assert step.events[0].fact == CardsPlayed(A, cards("R1"), Color.RED, 0, False)


def test_call_is_due_again_after_drawing_r9_8() -> None:
    step = given(table("B1", "Y1 Y2", "R5", "R7 G2 G3")).when(A, DRAW).accepted()
    step = step.when(A, play("R7")).accepted().asks(Phase.UNO, B)
    step.when(B, CATCH).accepted().asks(Phase.TURN, B).holds(A, "B1 G2 G3")


def test_call_is_due_with_an_answer_too_r9_1() -> None:
    step = given(table("RD B1 B2", "YD Y1", "R5")).when(A, play("RD")).accepted()
    step.when(B, play("YD")).accepted().asks(Phase.UNO, A).when(A, LET_PASS).accepted().asks(Phase.RESPOND, A).due(4)


def test_dump_that_empties_the_hand_needs_no_call_r9_7() -> None:
    given(table("RR R1", "Y1 Y2", "R5")).when(A, play("RR R1")).accepted().asks(Phase.DRAFT, A)
