import pytest

from referee.rules.actions import DRAW, KEEP_DRAWN, Play
from referee.rules.cards import Color
from referee.rules.errors import Reason
from referee.rules.events import CardsDrawn, CardsPlayed, DrawnKept, DrawReason, TurnStarted
from referee.rules.state import Phase
from tests.rules.given import given, private
from tests.rules.positions import A, B, cards, play, table


@pytest.mark.parametrize("played", ["R1", "B5", "WW", "WF"])
def test_play_matches_color_symbol_or_is_wild_r5_2(played: str) -> None:
    named = "G" if played.startswith("W") else None
    given(table(f"{played} G1 G2", "Y1 Y2", "R5")).when(A, play(played, named)).accepted()


def test_play_of_a_number_passes_the_turn_r5_11() -> None:
    given(table("B5 G1 G2", "Y1 Y2", "R5")).when(A, play("B5")).then(
        CardsPlayed(A, cards("B5"), Color.BLUE, 2, False), TurnStarted(B, Color.BLUE, None)
    ).asks(Phase.TURN, B).in_force("B")


@pytest.mark.parametrize(("top", "played"), [("R5", "G1"), ("RS", "GR"), ("RD", "GS"), ("R0", "G8")])
def test_play_that_matches_nothing_is_refused_r5_2(top: str, played: str) -> None:
    given(table(f"{played} G2", "Y1 Y2", top)).when(A, play(played)).rejected(Reason.CARD_DOES_NOT_MATCH)


@pytest.mark.parametrize(("top", "played"), [("RS", "GS"), ("RR", "GR"), ("RD", "GD"), ("R0", "G0")])
def test_action_matches_the_same_action_r5_2(top: str, played: str) -> None:
    given(table(f"{played} B1 B2", "Y1 Y2", top)).when(A, play(played)).accepted()


def test_wild_is_matched_by_the_named_color_alone_r5_3() -> None:
    step = given(table("R5 R6 B7", "Y1 Y2", "R5 WW", col="B"))
    step.when(A, play("R5")).rejected(Reason.CARD_DOES_NOT_MATCH)
    step.when(A, play("B7")).accepted().asks(Phase.TURN, B)


def test_color_is_named_with_a_wild_and_with_nothing_else_r5_4() -> None:
    step = given(table("WW Y1 Y2", "Y3 Y4", "WW", col="Y"))
    step.when(A, play("WW")).rejected(Reason.COLOR_REQUIRED)
    step.when(A, play("Y1", "Y")).rejected(Reason.COLOR_NOT_ALLOWED)
    step.when(A, play("WW", "Y")).accepted().in_force("Y")


def test_play_without_a_card_is_refused_r5_5() -> None:
    given(table("R1 R2", "Y1 Y2", "R5")).when(A, Play(())).rejected(Reason.EMPTY_PLAY)


def test_play_of_several_cards_needs_a_reverse_r5_5() -> None:
    given(table("R1 R2", "Y1 Y2", "R5")).when(A, play("R1 R2")).rejected(Reason.DUMP_WITHOUT_REVERSE)


def test_card_must_be_held_as_often_as_played_r5_6() -> None:
    step = given(table("R1 RR R2", "Y1 R7", "R5"))
    step.when(A, play("R7")).rejected(Reason.CARD_NOT_HELD)
    step.when(A, play("RR R1 R1")).rejected(Reason.CARD_NOT_HELD)
    step.when(A, play("RR RR")).rejected(Reason.CARD_NOT_HELD)


def test_draw_shows_the_card_to_the_drawer_alone_and_asks_again_r5_8() -> None:
    given(table("R1 R2", "Y1 Y2", "R5", "R3 G2")).when(A, DRAW).then(
        private(CardsDrawn(A, 1, 1, DrawReason.TURN), A, "R3")
    ).asks(Phase.DRAWN, A).holds(A, "R1 R2 R3")


def test_draw_gives_up_the_free_color_r5_8() -> None:
    given(table("B1 B2", "R1 R2", "RR", "R3", turn=B, free="R")).when(B, DRAW).accepted().in_force("R", free=None)


def test_drawn_card_may_be_kept_though_it_matches_r5_10() -> None:
    step = given(table("R1 R2", "Y1 Y2", "R5", "R3 G2")).when(A, DRAW).accepted()
    step.when(A, KEEP_DRAWN).then(DrawnKept(A), TurnStarted(B, Color.RED, None)).asks(Phase.TURN, B)


def test_drawn_card_that_does_not_match_can_only_be_kept_r5_10() -> None:
    step = given(table("R1 R2", "Y1 Y2", "R5", "G3")).when(A, DRAW).accepted().asks(Phase.DRAWN, A)
    step.when(A, play("G3")).rejected(Reason.CARD_DOES_NOT_MATCH)
    step.when(A, DRAW).rejected(Reason.WRONG_PHASE)
    step.when(A, KEEP_DRAWN).accepted()


def test_play_after_a_draw_begins_with_the_drawn_card_r5_9() -> None:
    step = given(table("R1 R2", "Y1 Y2", "R5", "R3")).when(A, DRAW).accepted()
    step.when(A, play("R1")).rejected(Reason.NOT_THE_DRAWN_CARD)
    step.when(A, play("R3")).accepted().asks(Phase.TURN, B)


def test_drawn_face_may_be_the_copy_held_before_r1_6() -> None:
    step = given(table("R1 B2", "Y1 Y2", "R5", "R1")).when(A, DRAW).accepted()
    step.when(A, play("R1")).accepted().holds(A, "R1 B2")


def test_drawn_skip_and_draw_two_act_r5_9() -> None:
    drawn = given(table("R1 R2", "Y1 Y2", "B5", "BD")).when(A, DRAW).accepted()
    drawn.when(A, play("BD")).accepted().asks(Phase.RESPOND, B).due(2)
    drawn = given(table("R1 R2", "Y1 Y2", "B5", "BS")).when(A, DRAW).accepted()
    drawn.when(A, play("BS")).accepted().asks(Phase.TURN, A)


def test_drawn_reverse_may_begin_a_dump_r5_9() -> None:
    step = given(table("R1 R2 B9", "Y1 Y2", "GR", "RR")).when(A, DRAW).accepted()
    step.when(A, play("RR R1")).rejected(Reason.DUMP_INCOMPLETE)
    step.when(A, play("RR R2 R1", uno=True)).accepted().asks(Phase.TURN, B).holds(A, "B9")


def test_drawn_wild_may_be_played_at_once_r5_9() -> None:
    step = given(table("R1 R2", "Y1 Y2", "B5", "WW")).when(A, DRAW).accepted()
    step.when(A, play("WW", "R")).accepted().asks(Phase.TURN, B).in_force("R")
