from dataclasses import replace

import pytest

from referee.rules.actions import CATCH, CHALLENGE, DRAW
from referee.rules.cards import Color
from referee.rules.errors import Reason
from referee.rules.events import CardsDrawn, CardsPlayed, Challenged, DrawReason, TurnStarted
from referee.rules.ruleset import DUO, Wd4Alternative, Wd4GuiltyNext
from referee.rules.state import Phase, State
from tests.rules.given import given, private
from tests.rules.positions import A, B, cards, play, table

ANY, MATCH, COLOR = (replace(DUO, wd4_alternative=setting) for setting in Wd4Alternative)


def test_wild_passes_the_turn_in_the_named_color_r8_1() -> None:
    given(table("WW R1 R2", "Y1 Y2", "R5")).when(A, play("WW", "G")).then(
        CardsPlayed(A, cards("WW"), Color.GREEN, 2, False), TurnStarted(B, Color.GREEN, None)
    )


def test_wild_draw_four_accepted_gives_another_turn_r8_4() -> None:
    step = given(table("WF B1 B2", "Y1 Y2", "R5")).when(A, play("WF", "B")).accepted()
    step = step.asks(Phase.RESPOND, B).in_force("B").due(4)
    step.when(B, DRAW).then(
        private(CardsDrawn(B, 4, 4, DrawReason.WILD_DRAW_FOUR), B, "G1 G2 G3 G4"), TurnStarted(A, Color.BLUE, None)
    ).asks(Phase.TURN, A)


@pytest.mark.parametrize(("answer", "named"), [("WF", "R"), ("YD", None), ("Y1", None)])
def test_nothing_answers_a_wild_draw_four_r8_5(answer: str, named: str | None) -> None:
    step = given(table("WF B1 B2", "WF YD Y1", "R5")).when(A, play("WF", "Y")).accepted()
    step.when(B, play(answer, named)).rejected(Reason.WILD_DRAW_FOUR_UNANSWERABLE)


def test_challenge_won_makes_the_player_draw_and_the_challenger_move_r8_11() -> None:
    step = given(table("WF R1 B2", "Y1 Y2", "R5")).when(A, play("WF", "B")).accepted()
    step.when(B, CHALLENGE).then(
        private(Challenged(B, True), B, "R1 B2"),
        private(CardsDrawn(A, 4, 4, DrawReason.CHALLENGE_WON), A, "G1 G2 G3 G4"),
        TurnStarted(B, Color.BLUE, None),
    ).asks(Phase.TURN, B).in_force("B").holds(B, "Y1 Y2")


def test_challenge_won_may_leave_the_player_the_turn_r8_11() -> None:
    ruleset = replace(DUO, wd4_guilty_next=Wd4GuiltyNext.PLAYER)
    step = given(table("WF R1 B2", "Y1 Y2", "R5", ruleset=ruleset)).when(A, play("WF", "B")).accepted()
    step.when(B, CHALLENGE).accepted().asks(Phase.TURN, A).took(A, "G1 G2 G3 G4").took(B, "")


def test_challenge_lost_costs_six_and_the_player_goes_on_r8_12() -> None:
    step = given(table("WF G1 B2", "Y1 Y2", "R5")).when(A, play("WF", "B")).accepted()
    step.when(B, CHALLENGE).then(
        private(Challenged(B, False), B, "G1 B2"),
        private(CardsDrawn(B, 6, 6, DrawReason.CHALLENGE_LOST), B, "G1 G2 G3 G4 G5 G6"),
        TurnStarted(A, Color.BLUE, None),
    ).asks(Phase.TURN, A)


def verdict(state: State) -> bool:
    step = given(state).when(A, play("WF", "B")).accepted().when(B, CHALLENGE).accepted()
    fact = step.events[0].fact
    assert isinstance(fact, Challenged)
    return fact.guilty


@pytest.mark.parametrize(
    ("held", "any_", "match", "color"),
    [
        ("R1 B2", True, True, True),
        ("G5 B2", True, True, False),
        ("WW B2", True, False, False),
        ("WF B2", False, False, False),
        ("G1 B2", False, False, False),
    ],
)
def test_alternatives_are_those_of_the_option_r8_8(held: str, any_: bool, match: bool, color: bool) -> None:
    verdicts = [verdict(table(f"WF {held}", "Y1 Y2", "R5", ruleset=ruleset)) for ruleset in (ANY, MATCH, COLOR)]
    assert verdicts == [any_, match, color]


@pytest.mark.parametrize(("held", "guilty"), [("R2 B3", True), ("R2 G3", False), ("R5 G3", False)])
def test_guilt_is_judged_by_the_color_named_before_r8_7(held: str, guilty: bool) -> None:
    assert verdict(table(f"WF {held}", "Y1 Y2", "R5 WW", col="B")) is guilty


def test_drawn_wild_draw_four_is_judged_by_the_whole_hand_r8_10() -> None:
    step = given(table("R1 B2", "Y1 Y2", "R5", "WF G1 G2 G3 G4")).when(A, DRAW).accepted()
    step = step.when(A, play("WF", "B")).accepted()
    step.when(B, CHALLENGE).then(
        private(Challenged(B, True), B, "R1 B2"), CardsDrawn(A, 4, 4, DrawReason.CHALLENGE_WON),
        TurnStarted(B, Color.BLUE, None),
    )  # fmt: skip


def test_challenge_shows_the_hand_as_it_was_at_the_play_r8_6() -> None:
    step = given(table("WF B2", "Y1 Y2", "R5", "R1 R2 G1 G2 G3 G4 G5 G6")).when(A, play("WF", "B")).accepted()
    step = step.asks(Phase.UNO, B).when(B, CATCH).accepted().asks(Phase.RESPOND, B).holds(A, "B2 R1 R2")
    step.when(B, CHALLENGE).then(
        private(Challenged(B, False), B, "B2"),
        CardsDrawn(B, 6, 6, DrawReason.CHALLENGE_LOST),
        TurnStarted(A, Color.BLUE, None),
    )


def test_wild_draw_four_may_follow_itself_and_is_judged_by_the_color_before_r8_15() -> None:
    step = given(table("WF WF B1 B2", "Y1 Y2", "R5", "G1 G2 G3 G4 G5 G6 G7 G8 G9 G9"))
    step = step.when(A, play("WF", "Y")).accepted().when(B, DRAW).accepted().asks(Phase.TURN, A)
    step = step.when(A, play("WF", "B")).accepted().asks(Phase.RESPOND, B)
    step.when(B, CHALLENGE).accepted().asks(Phase.TURN, A).took(B, "G5 G6 G7 G8 G9 G9")


def test_only_a_pending_wild_draw_four_can_be_challenged_r8_16() -> None:
    step = given(table("WF B1 B2", "Y1 Y2", "R5")).when(A, CHALLENGE).rejected(Reason.WRONG_PHASE)
    step = step.when(A, play("WF", "B")).accepted()
    step.when(A, CHALLENGE).rejected(Reason.NOT_YOUR_DECISION)
