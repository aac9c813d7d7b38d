from dataclasses import fields

from referee.rules.actions import CHALLENGE, DRAW, KEEP_OFFERED
from referee.rules.cards import Color, Symbol
from referee.rules.events import CardsDrawn, DrawReason, Event, TurnStarted
from referee.rules.observe import ObservedEvent, View, observe, observe_public, view
from referee.rules.ruleset import Ruleset
from referee.rules.state import Phase
from tests.rules.given import given, private
from tests.rules.positions import A, B, begun, card, cards, play, table


def test_private_part_is_shown_to_its_seat_alone_r14_1() -> None:
    fact = CardsDrawn(A, 2, 2, DrawReason.UNO)
    event = private(fact, A, "R1 R2")
    assert observe(event, A) == ObservedEvent(fact, cards("R1 R2"))
    assert observe(event, B) == ObservedEvent(fact, ())
    assert observe_public(event) == ObservedEvent(fact, ())


def test_event_without_private_part_is_the_same_for_all_r14_1() -> None:
    fact = TurnStarted(A, Color.RED, None)
    assert observe(Event(fact), A) == observe(Event(fact), B) == observe_public(Event(fact)) == ObservedEvent(fact, ())


def test_view_holds_what_the_seat_knows_r14_3() -> None:
    state = table("R1 B2", "Y1 Y2 Y3", "G5 R5", "G1 G2 G3", totals=(5, 6), turn=B, free="R")
    state.known_tail = 2
    assert view(state, A) == View(
        seat=A,
        phase=Phase.TURN,
        actor=B,
        round=1,
        first_drafter=B,
        turns=1,
        stall=0,
        totals=(5, 6),
        hand=cards("R1 B2"),
        seen=None,
        opponent_count=3,
        discard=cards("G5 R5"),
        draw_count=3,
        known_tail=cards("G2 G3"),
        color=Color.RED,
        free_color=Color.RED,
        pending_symbol=None,
        pending_by=None,
        pending_total=0,
    )


def test_view_shows_the_offered_card_to_the_drafter_alone_r14_3() -> None:
    state = begun("R1 R2 R3 R4 R5", Ruleset(hand_size=1))
    assert (view(state, A).seen, view(state, B).seen) == (card("R1"), None)
    given(state).when(A, KEEP_OFFERED).accepted()
    assert (view(state, A).seen, view(state, B).seen) == (None, card("R3"))


def test_view_shows_the_drawn_card_to_the_drawer_alone_r14_3() -> None:
    state = given(table("R1 B2", "Y1 Y2", "R5", "G1")).when(A, DRAW).accepted().state
    assert (view(state, A).seen, view(state, B).seen) == (card("G1"), None)


def test_view_tells_kind_player_and_total_of_a_pending_draw_r14_3() -> None:
    state = given(table("WF R1 B2", "Y1 Y2", "R5")).when(A, play("WF", "B")).accepted().state
    for seat in (A, B):
        seen = view(state, seat)
        assert (seen.pending_symbol, seen.pending_by, seen.pending_total) == (Symbol.WILD_DRAW_FOUR, A, 4)


def test_view_does_not_depend_on_guilt_r14_5() -> None:
    guilty = given(table("WF R1 B2", "Y1 Y2", "R5")).when(A, play("WF", "B")).accepted().state
    innocent = given(table("WF G1 B2", "Y1 Y2", "R5")).when(A, play("WF", "B")).accepted().state
    assert view(guilty, B) == view(innocent, B)


def test_view_of_the_match_over_asks_nobody() -> None:
    state = given(table("R1", "Y9", "R5", totals=(0, 195))).when(A, play("R1")).accepted().state
    assert (view(state, A).phase, view(state, A).actor) == (Phase.MATCH_OVER, None)


def test_view_has_no_field_for_a_secret() -> None:
    names = {field.name for field in fields(View)}
    assert not names & {"draw", "hands", "evidence", "shown", "guilty", "opponent_hand", "shuffler"}


def test_shown_hand_is_private_to_the_challenger_r14_2() -> None:
    step = given(table("WF R1 B2", "Y1 Y2", "R5")).when(A, play("WF", "B")).accepted()
    event = step.when(B, CHALLENGE).accepted().events[0]
    assert observe(event, B).private_cards == cards("R1 B2")
    assert observe(event, A).private_cards == ()
