from dataclasses import replace

import pytest

from referee.rules.actions import CATCH, DRAW, LET_PASS
from referee.rules.cards import Color
from referee.rules.errors import Reason
from referee.rules.events import CardsPlayed, TurnStarted
from referee.rules.ruleset import DUO, DumpFinalReverse
from referee.rules.state import Phase
from tests.rules.given import given
from tests.rules.positions import A, B, cards, play, table

INERT = replace(DUO, dump_final_reverse=DumpFinalReverse.INERT)


def test_skip_gives_another_turn_r7_1() -> None:
    given(table("RS R1 R2", "Y1 Y2", "R5")).when(A, play("RS")).then(
        CardsPlayed(A, cards("RS"), Color.RED, 2, False), TurnStarted(A, Color.RED, None)
    ).asks(Phase.TURN, A)


def test_reverse_alone_passes_the_turn_and_nothing_else_r7_2() -> None:
    step = given(table("RR R1 R2 B1", "R3 R4", "R5")).when(A, play("RR")).accepted()
    step.asks(Phase.TURN, B).in_force("R").holds(A, "R1 R2 B1")
    step.when(B, play("R3 R4")).rejected(Reason.DUMP_WITHOUT_REVERSE)


def test_dump_lays_all_cards_of_the_color_in_order_r7_3() -> None:
    given(table("RR R1 R2 R3 B1 WW", "Y1 Y2", "R5")).when(A, play("RR R3 R1 R2")).then(
        CardsPlayed(A, cards("RR R3 R1 R2"), Color.RED, 2, False), TurnStarted(B, Color.RED, None)
    ).holds(A, "B1 WW").piles("R5 RR R3 R1 R2", "G1 G2 G3 G4 G5 G6 G7 G8")


@pytest.mark.parametrize(
    ("dump", "named", "reason"),
    [
        ("RR R1 R2", None, Reason.DUMP_INCOMPLETE),
        ("RR R1 R2 R3 B1", None, Reason.DUMP_OF_ANOTHER_COLOR),
        ("RR R1 R2 R3 WW", "B", Reason.DUMP_OF_ANOTHER_COLOR),
        ("RR R1 B1 R3", None, Reason.DUMP_OF_ANOTHER_COLOR),
        ("R1 RR R2 R3", None, Reason.DUMP_WITHOUT_REVERSE),
        ("WW B1", None, Reason.DUMP_WITHOUT_REVERSE),
        ("RR R1 R2 R3", "B", Reason.COLOR_NOT_ALLOWED),
    ],
)
def test_dump_takes_all_or_nothing_r7_4(dump: str, named: str | None, reason: Reason) -> None:
    given(table("RR R1 R2 R3 B1 WW", "Y1 Y2", "R5")).when(A, play(dump, named)).rejected(reason)


def test_dump_begins_with_a_reverse_that_matches_r7_6() -> None:
    given(table("GR G1 B1", "Y1 Y2", "R5")).when(A, play("GR G1")).rejected(Reason.CARD_DOES_NOT_MATCH)
    given(table("GR G1 B1 B2", "Y1 Y2", "YR")).when(A, play("GR G1")).accepted().in_force("G")


def test_dump_acts_by_its_last_card_only_r7_8() -> None:
    hands = ("RR RD RD R1 B1", "Y1 Y2", "R5")
    step = given(table(*hands)).when(A, play("RR R1 RD RD", uno=True)).accepted()
    step.asks(Phase.RESPOND, B).due(2).when(B, DRAW).accepted().asks(Phase.TURN, A).took(B, "G1 G2")
    given(table(*hands)).when(A, play("RR RD RD R1", uno=True)).accepted().asks(Phase.TURN, B).in_force("R")


def test_dump_that_ends_on_a_skip_gives_another_turn_r7_10() -> None:
    given(table("RR R1 RS B1 B2", "Y1 Y2", "R5")).when(A, play("RR R1 RS")).accepted().asks(Phase.TURN, A)


def test_dump_that_ends_on_a_reverse_passes_the_dump_on_r7_11() -> None:
    step = given(table("RR RR R1 B1 B2", "R3 R4 Y1", "R5")).when(A, play("RR R1 RR")).accepted()
    step.asks(Phase.TURN, B).in_force("R", free="R")
    step.when(B, play("R4 R3", uno=True)).accepted().asks(Phase.TURN, A).in_force("R", free=None).holds(B, "Y1")


def test_dump_that_ends_on_a_reverse_may_be_inert_r7_11() -> None:
    step = given(table("RR RR R1 B1 B2", "R3 R4 Y1", "R5", ruleset=INERT)).when(A, play("RR R1 RR")).accepted()
    step.asks(Phase.TURN, B).in_force("R", free=None)
    step.when(B, play("R4 R3")).rejected(Reason.DUMP_WITHOUT_REVERSE)


def test_free_dump_passes_on_again_r7_12() -> None:
    step = given(table("B1 B2 R9", "RR R1 Y9 Y8", "RR", turn=B, free="R"))
    step.when(B, play("R1 RR")).accepted().asks(Phase.TURN, A).in_force("R", free="R")


def test_free_dump_may_end_on_an_action_r7_12() -> None:
    step = given(table("B1 B2", "R1 RD Y9", "RR", turn=B, free="R"))
    step.when(B, play("R1 RD", uno=True)).accepted().asks(Phase.RESPOND, A).due(2)


@pytest.mark.parametrize(
    ("dump", "reason"),
    [
        ("R1 R2", Reason.DUMP_INCOMPLETE),
        ("R1 R2 R3 G9", Reason.DUMP_OF_ANOTHER_COLOR),
        ("G9 G8", Reason.DUMP_WITHOUT_REVERSE),
        ("WW R1 R2 R3", Reason.DUMP_WITHOUT_REVERSE),
    ],
)
def test_free_dump_takes_all_or_nothing_of_the_free_color_r7_12(dump: str, reason: Reason) -> None:
    state = table("B1 B2", "R1 R2 R3 G9 G8 WW", "RR", turn=B, free="R")
    given(state).when(B, play(dump)).rejected(reason)


def test_free_color_leaves_a_reverse_dump_of_another_color_open_r7_12() -> None:
    state = table("B1 B2", "GR G1 R3 R4 Y1", "RR", turn=B, free="R")
    given(state).when(B, play("GR G1")).accepted().in_force("G", free=None)


def test_free_color_lapses_with_a_single_card_r7_13() -> None:
    step = given(table("B1 B2", "R1 R2 RR", "RR", turn=B, free="R"))
    step.when(B, play("RR")).accepted().asks(Phase.TURN, A).in_force("R", free=None)


def test_free_color_survives_the_uno_window_r9_3() -> None:
    step = given(table("RR RR B1", "R3 R4 Y1", "R5")).when(A, play("RR RR")).accepted()
    step.asks(Phase.UNO, B).in_force("R", free="R").when(B, CATCH).accepted().asks(Phase.TURN, B).in_force("R", "R")
    step.when(B, play("R3 R4", uno=True)).accepted().asks(Phase.TURN, A).holds(B, "Y1")


def test_dump_that_leaves_one_card_opens_the_uno_window_r9_2() -> None:
    step = given(table("RR RS B1", "Y1 Y2", "R5")).when(A, play("RR RS")).accepted().asks(Phase.UNO, B)
    step.when(B, LET_PASS).accepted().asks(Phase.TURN, A)
