from dataclasses import replace

import pytest

from referee.rules.actions import CATCH, DRAW, LET_PASS
from referee.rules.cards import Color, deck_cards
from referee.rules.events import (
    CardsDrawn,
    CardsPlayed,
    DraftOffered,
    DrawReason,
    MatchEnded,
    RoundEnded,
    RoundEndReason,
    RoundStarted,
)
from referee.rules.outcome import Outcome, Termination
from referee.rules.ruleset import DUO, FinalPenalty
from referee.rules.seats import Seat
from referee.rules.state import Phase
from tests.rules.given import Given, given, private
from tests.rules.positions import A, B, cards, play, table


def ended(step: Given) -> RoundEnded:
    (fact,) = [event.fact for event in step.events if isinstance(event.fact, RoundEnded)]
    return fact


def test_round_ends_when_a_hand_is_empty_r11_1() -> None:
    given(table("RS", "Y1", "R5")).when(A, play("RS")).then(
        CardsPlayed(A, cards("RS"), Color.RED, 0, False),
        RoundEnded(A, RoundEndReason.OUT, ((), cards("Y1")), (0, 1), (0, 1)),
        RoundStarted(2, A),
        private(DraftOffered(A), A, "R0"),
    ).asks(Phase.DRAFT, A)


@pytest.mark.parametrize(("last", "named"), [("RS", None), ("RR", None), ("R1", None), ("WW", "G")])
def test_no_effect_of_the_last_card_follows_r11_3(last: str, named: str | None) -> None:
    step = given(table(last, "Y1 R3 R4", "R5")).when(A, play(last, named)).accepted().took(B, "")
    assert ended(step).points == (0, 8)


def test_last_draw_two_is_drawn_for_before_scoring_r11_2() -> None:
    step = given(table("RR R1 RD", "YD Y2", "R5", "G7 WF G3")).when(A, play("RR R1 RD")).accepted().took(B, "G7 WF")
    assert ended(step) == RoundEnded(A, RoundEndReason.OUT, ((), tuple(sorted(cards("YD Y2 G7 WF")))), (0, 39), (0, 39))


def test_last_draw_two_of_a_volley_costs_the_whole_total_r11_2() -> None:
    step = given(table("RD B1 B2", "GD", "R5", "G1 G2 G3 G4 G5")).when(A, play("RD")).accepted()
    step = step.when(B, play("GD")).accepted().took(A, "G1 G2 G3 G4")
    assert (ended(step).winner, ended(step).points) == (B, (13, 0))
    assert step.events[1].fact == CardsDrawn(A, 4, 4, DrawReason.FINAL)


def test_last_wild_draw_four_costs_four_and_cannot_be_challenged_r11_2() -> None:
    step = given(table("WF", "Y1 Y2", "R5", "G1 G2 WW RS G5")).when(A, play("WF", "B")).accepted()
    step.took(B, "G1 G2 WW RS").asks(Phase.DRAFT, A)
    assert ended(step).points == (0, 31)


def test_final_draw_may_recycle_the_played_cards_r10_4() -> None:
    step = given(table("RR R1 RD", "YD Y2", "R5", "")).when(A, play("RR R1 RD")).accepted().took(B, "R5 RR")
    assert ended(step).points == (0, 27)


def test_final_penalty_may_be_left_out_r11_2() -> None:
    ruleset = replace(DUO, final_penalty=FinalPenalty.NONE)
    for last, named in (("RD", None), ("WF", "B")):
        step = given(table(last, "Y1 Y2", "R5", ruleset=ruleset)).when(A, play(last, named)).accepted().took(B, "")
        assert ended(step).points == (0, 3)


def test_volley_left_unsettled_does_not_outlive_the_round_r11_2() -> None:
    ruleset = replace(DUO, final_penalty=FinalPenalty.NONE)
    step = given(table("RD B1 B2", "GD", "R5", ruleset=ruleset)).when(A, play("RD")).accepted()
    step = step.when(B, play("GD")).accepted().took(A, "").asks(Phase.DRAFT, A)
    assert step.state.pending is None


def test_cards_count_their_points_r11_6() -> None:
    step = given(table("R1", "Y7 Y0 YS YR YD WW WW WF", "R5")).when(A, play("R1")).accepted()
    assert ended(step).points == (0, 87)


def test_turn_cap_ends_the_round_where_a_turn_would_begin_r11_5() -> None:
    step = given(table("R1 B2", "R9 Y2", "R5", ruleset=replace(DUO, turn_cap=2)))
    step = step.when(A, play("R1", uno=True)).accepted().when(B, play("R9", uno=True)).accepted()
    assert ended(step) == RoundEnded(None, RoundEndReason.TURN_CAP, (cards("B2"), cards("Y2")), (2, 2), (2, 2))


def test_turn_cap_counts_extra_turns_r11_5() -> None:
    step = given(table("RS RS B2", "R9 Y2", "R5", ruleset=replace(DUO, turn_cap=2))).when(A, play("RS")).accepted()
    step = step.when(A, play("RS", uno=True)).accepted()
    assert ended(step).reason is RoundEndReason.TURN_CAP


def test_turn_cap_lets_a_penalty_be_settled_first_r11_5() -> None:
    step = given(table("RD B2", "R9 Y2", "R5", ruleset=replace(DUO, turn_cap=1))).when(A, play("RD")).accepted()
    step = step.when(B, CATCH).accepted().asks(Phase.RESPOND, B).when(B, DRAW).accepted()
    assert ended(step).points == (2 + 1 + 2, 11 + 3 + 4)


def test_turn_cap_takes_the_free_color_with_it_r7_11() -> None:
    ruleset = replace(DUO, turn_cap=1, round_cap=1)
    step = given(table("RR RR B1 B2", "R9 Y2", "R5", ruleset=ruleset)).when(A, play("RR RR")).accepted()
    assert (step.state.phase, step.state.free_color) == (Phase.MATCH_OVER, None)


def test_window_can_end_the_round_by_the_turn_cap_r11_5() -> None:
    step = given(table("R1 B2", "R9 Y2", "R5", ruleset=replace(DUO, turn_cap=1))).when(A, play("R1")).accepted()
    assert ended(step.when(B, LET_PASS).accepted()).reason is RoundEndReason.TURN_CAP


@pytest.mark.parametrize(
    ("totals", "outcome"),
    [
        ((0, 195), None),
        ((0, 196), Outcome(A, Termination.TARGET, (0, 200), 1)),
        ((201, 196), Outcome(B, Termination.TARGET, (201, 200), 1)),
        ((200, 196), None),
    ],
)
def test_match_ends_at_the_target_unless_level_r12_1(totals: tuple[int, int], outcome: Outcome | None) -> None:
    step = given(table("R1", "Y4", "R5", totals=totals)).when(A, play("R1")).accepted()
    assert step.state.outcome == outcome
    if outcome:
        assert step.events[-1].fact == MatchEnded(outcome)
        assert step.state.phase is Phase.MATCH_OVER
    else:
        step.asks(Phase.DRAFT, A)


@pytest.mark.parametrize(
    ("hand_b", "winner", "termination"),
    [
        ("Y4", A, Termination.ROUND_CAP),
        ("Y0", None, Termination.ROUND_CAP),
        ("WF WF WF WF WF WF WF WF WF WF", A, Termination.TARGET),
    ],
)
def test_round_cap_ends_the_match_r12_4(hand_b: str, winner: Seat | None, termination: Termination) -> None:
    step = given(table("R1", hand_b, "R5", ruleset=replace(DUO, round_cap=1))).when(A, play("R1")).accepted()
    outcome = step.state.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.termination, outcome.rounds, outcome.faulted) == (winner, termination, 1, ())


def test_next_round_swaps_the_roles_and_deals_afresh_r12_5() -> None:
    step = given(table("R1", "Y4", "R5")).when(A, play("R1")).accepted()
    state = step.state
    assert (state.round, state.first_drafter, state.turns, state.stall) == (2, A, 0, 0)
    assert (state.discard, state.hands, state.color, state.free_color) == ([], ([], []), None, None)
    assert [state.seen, *state.draw[::-1]] == list(deck_cards(DUO.deck))
    assert (state.recycles, state.known_tail) == (0, 0)
