from collections.abc import Callable

import pytest

from referee.rules.actions import (
    CATCH,
    CHALLENGE,
    CHOOSE_COLOR,
    DRAW,
    KEEP_DRAWN,
    KEEP_OFFERED,
    LET_PASS,
    REFUSE_OFFERED,
    Action,
    Play,
)
from referee.rules.cards import CARDS, Card, Color, deck_cards
from referee.rules.errors import IllegalAction, Reason
from referee.rules.legality import can, default_action, legal_actions
from referee.rules.outcome import Termination
from referee.rules.ruleset import DUO, Ruleset
from referee.rules.seats import SEATS
from referee.rules.state import Phase, State, dealt, position
from tests.rules.given import given, snapshot
from tests.rules.positions import A, B, begun, card, cards, play, table

SMALL = Ruleset(hand_size=1)
ZERO = play("R0")


def drafting() -> State:
    return begun("R0 R2 R3 R4 R5", SMALL)


def coloring() -> State:
    step = given(begun("R0 R2 R3 R4 WW R6", SMALL)).when(A, KEEP_OFFERED).accepted()
    return step.when(B, KEEP_OFFERED).accepted().state


def in_turn() -> State:
    return table("R0 B1 B2", "Y1 Y2", "R5")


def drawn() -> State:
    return given(table("B1 B2", "Y1 Y2", "R5", "R0")).when(A, DRAW).accepted().state


def volley() -> State:
    return given(table("Y1 Y2", "RD B1 B2", "R5", turn=B)).when(B, play("RD")).accepted().state


def wild_draw_four() -> State:
    return given(table("R0 Y2", "WF B1 B2", "R5", turn=B)).when(B, play("WF", "R")).accepted().state


def window() -> State:
    return given(table("R0 Y2", "R1 B1", "R5", turn=B)).when(B, play("R1")).accepted().state


def over() -> State:
    return given(table("R0 Y2", "R1", "R5", totals=(199, 0), turn=B)).when(B, play("R1")).accepted().state


Make = Callable[[], State]

SITUATIONS: dict[Make, tuple[Phase, list[Action]]] = {
    drafting: (Phase.DRAFT, [KEEP_OFFERED, REFUSE_OFFERED]),
    coloring: (Phase.COLOR, list(CHOOSE_COLOR)),
    in_turn: (Phase.TURN, [ZERO, DRAW]),
    drawn: (Phase.DRAWN, [ZERO, KEEP_DRAWN]),
    volley: (Phase.RESPOND, [DRAW]),
    wild_draw_four: (Phase.RESPOND, [DRAW, CHALLENGE]),
    window: (Phase.UNO, [CATCH, LET_PASS]),
    over: (Phase.MATCH_OVER, []),
}
KINDS: list[Action] = [
    KEEP_OFFERED,
    REFUSE_OFFERED,
    CHOOSE_COLOR[0],
    ZERO,
    DRAW,
    KEEP_DRAWN,
    CHALLENGE,
    CATCH,
    LET_PASS,
]


@pytest.mark.parametrize("make", SITUATIONS)
def test_phase_accepts_exactly_its_own_kinds_from_its_actor_r13_2(make: Make) -> None:
    phase, legal = SITUATIONS[make]
    state = make()
    assert (state.phase, legal_actions(state)) == (phase, legal)
    before = snapshot(state)
    for action in KINDS:
        for seat in SEATS:
            accepted = seat is state.actor and action in legal
            assert can(state, seat, action) is accepted
    assert snapshot(state) == before


@pytest.mark.parametrize("make", SITUATIONS)
def test_refusal_names_the_first_reason_that_applies_r13_3(make: Make) -> None:
    phase, legal = SITUATIONS[make]
    for action in KINDS:
        if phase is Phase.MATCH_OVER:
            given(make()).when(A, action).rejected(Reason.MATCH_NOT_RUNNING)
            continue
        state = make()
        given(state).when(state.actor.other, action).rejected(Reason.NOT_YOUR_DECISION)
        if action not in legal:
            special = {(volley, "Challenge"): Reason.NOT_A_WILD_DRAW_FOUR, (volley, "Play"): Reason.CARD_NOT_HELD,
                       (wild_draw_four, "Play"): Reason.WILD_DRAW_FOUR_UNANSWERABLE}  # fmt: skip
            reason = special.get((make, type(action).__name__), Reason.WRONG_PHASE)
            given(state).when(state.actor, action).rejected(reason)


@pytest.mark.parametrize(
    ("make", "default"),
    [
        (drafting, KEEP_OFFERED),
        (coloring, CHOOSE_COLOR[0]),
        (in_turn, DRAW),
        (drawn, KEEP_DRAWN),
        (volley, DRAW),
        (wild_draw_four, DRAW),
        (window, LET_PASS),
    ],
)
def test_default_action_is_that_of_the_phase_r13_4(make: Make, default: Action) -> None:
    assert default_action(make()) == default


def test_match_that_has_not_begun_accepts_nothing_r13_3() -> None:
    state = dealt(deck_cards(DUO.deck))
    assert legal_actions(state) == []
    given(state).when(A, KEEP_OFFERED).rejected(Reason.MATCH_NOT_RUNNING)
    with pytest.raises(IllegalAction, match="MATCH_NOT_RUNNING"):
        default_action(state)


def test_match_that_is_over_has_no_default_r13_8() -> None:
    state = over()
    assert state.outcome is not None
    assert state.outcome.termination is Termination.TARGET
    with pytest.raises(IllegalAction, match="MATCH_NOT_RUNNING"):
        default_action(state)


def listed(state: State) -> list[Action]:
    return legal_actions(state)


def test_list_names_a_wild_once_a_color_r13_5() -> None:
    assert listed(table("WW WW B1", "Y1", "R5")) == [*(play("WW", c) for c in "RYGB"), DRAW]


def test_list_names_a_play_that_leaves_one_card_without_and_with_the_call_r13_5() -> None:
    assert listed(table("R1 WW", "Y1", "R5")) == [
        play("R1"),
        play("R1", uno=True),
        *(play("WW", c, uno) for c in "RYGB" for uno in (False, True)),
        DRAW,
    ]
    assert listed(table("R1", "Y1", "R5")) == [play("R1"), DRAW]


def test_list_names_a_face_once_r13_5() -> None:
    assert listed(table("R1 R1 R1", "Y1", "R5")) == [play("R1"), DRAW]


def test_list_names_a_dump_once_a_last_card_r13_5() -> None:
    assert listed(table("RR R2 R1 R2 B1", "Y1", "R5")) == [
        play("R1"), play("R2"), play("RR"),
        play("RR R2 R2 R1"), play("RR R2 R2 R1", uno=True), play("RR R1 R2 R2"), play("RR R1 R2 R2", uno=True),
        DRAW,
    ]  # fmt: skip


def test_list_names_a_dump_that_ends_on_its_second_reverse_r13_5() -> None:
    assert listed(table("RR RR B1 B2", "Y1", "R5")) == [play("RR"), play("RR RR"), DRAW]


def test_list_names_the_free_form_alone_for_the_free_color_r13_5() -> None:
    assert listed(table("Y1 Y2", "R1 RR B1 B2", "RR", turn=B, free="R")) == [
        play("R1"), play("RR"), play("RR R1"), play("R1 RR"), DRAW,
    ]  # fmt: skip


def test_list_has_no_free_dump_of_one_card_r7_12() -> None:
    assert listed(table("Y1 Y2", "R1 B1 B2", "RR", turn=B, free="R")) == [play("R1"), DRAW]


def test_list_after_a_draw_begins_with_the_drawn_card_r13_5() -> None:
    state = given(table("R1 R2 B9", "Y1 Y2", "GR", "RR")).when(A, DRAW).accepted().state
    assert listed(state) == [
        play("RR"), play("RR R2 R1"), play("RR R2 R1", uno=True), play("RR R1 R2"), play("RR R1 R2", uno=True),
        KEEP_DRAWN,
    ]  # fmt: skip


def test_list_of_answers_names_each_draw_two_r13_5() -> None:
    state = given(table("RD B1 B2", "YD BD", "R5")).when(A, play("RD")).accepted().state
    assert listed(state) == [play("YD"), play("YD", uno=True), play("BD"), play("BD", uno=True), DRAW]


def test_unlisted_order_of_a_dump_and_needless_call_are_legal_r13_5() -> None:
    given(table("RR R2 R1 R3 B1 B2", "Y1", "R5")).when(A, play("RR R2 R1 R3", uno=True)).accepted().holds(A, "B1 B2")


@pytest.mark.parametrize("played", CARDS)
def test_every_card_can_be_played_on_itself(played: Card) -> None:
    in_force = Color.GREEN if played.color is None else played.color
    hands = ((played, card("B1"), card("B2")), cards("Y1"))
    state = position(hands=hands, discard=[played], color=in_force)
    assert can(state, A, Play((played,), None if played.color else in_force))


@pytest.mark.parametrize(
    ("hands", "discard", "named", "message"),
    [
        ("|Y1", "R5", None, "a hand is empty"),
        ("R1|", "R5", None, "a hand is empty"),
        ("R1|Y1", "", None, "the discard pile is empty"),
        ("R1|Y1", "WW", None, "the color in force must be that of the top card, or named for a wild one"),
        ("R1|Y1", "R5", "B", "the color in force must be that of the top card, or named for a wild one"),
    ],
)
def test_position_refuses_what_no_turn_can_look_like(hands: str, discard: str, named: str | None, message: str) -> None:
    hand_a, hand_b = hands.split("|")
    with pytest.raises(ValueError, match=f"^{message}$"):
        table(hand_a, hand_b, discard, col=named)


def test_dealt_refuses_a_deck_without_a_starter() -> None:
    with pytest.raises(ValueError, match=r"^the deck does not hold the draft and a starter$"):
        dealt(cards("R1 R2 R3 R4"), SMALL)
