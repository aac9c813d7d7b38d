"""The one judge of what a seat may do, and the lists made from the same rules (RULES.md R13)."""

from collections import Counter
from typing import Final, assert_never

from referee.rules.actions import (
    CATCH,
    CHALLENGE,
    CHOOSE_COLOR,
    DRAW,
    KEEP_DRAWN,
    KEEP_OFFERED,
    LET_PASS,
    REFUSE_OFFERED,
    SINGLE_PLAYS,
    SINGLE_PLAYS_TO_ONE_CARD,
    Action,
    Catch,
    Challenge,
    ChooseColor,
    Draw,
    KeepDrawn,
    KeepOffered,
    LetPass,
    Play,
    RefuseOffered,
)
from referee.rules.cards import CARDS, Card, Symbol
from referee.rules.errors import IllegalAction, Reason
from referee.rules.matching import playable_cards
from referee.rules.seats import Seat
from referee.rules.state import Phase, State

# Local names: an attribute load on an enum class costs more than the comparison that it is for.
_DRAFT: Final = Phase.DRAFT
_COLOR: Final = Phase.COLOR
_TURN: Final = Phase.TURN
_DRAWN: Final = Phase.DRAWN
_RESPOND: Final = Phase.RESPOND
_UNO: Final = Phase.UNO
_MATCH_OVER: Final = Phase.MATCH_OVER
_REVERSE: Final = Symbol.REVERSE
_DRAW_TWO: Final = Symbol.DRAW_TWO
_WILD_DRAW_FOUR: Final = Symbol.WILD_DRAW_FOUR

_REVERSE_OF_COLOR: Final = tuple((card.color, card) for card in CARDS if card.symbol is Symbol.REVERSE)
_REVERSES: Final = frozenset(card for _, card in _REVERSE_OF_COLOR)
_DRAW_TWOS: Final = tuple(card for card in CARDS if card.symbol is Symbol.DRAW_TWO)


def verify(state: State, seat: Seat, action: Action) -> None:
    """Checks that this seat may do this now; the state is not touched.
    Raises IllegalAction with the first reason that applies, in the order of RULES.md R13.3.
    """
    phase = state.phase
    if phase is _MATCH_OVER or state.round == 0:
        raise IllegalAction(Reason.MATCH_NOT_RUNNING)
    if seat is not state.actor:
        raise IllegalAction(Reason.NOT_YOUR_DECISION)
    if isinstance(action, Play):
        _verify_play(state, state.hands[seat], action)
        return
    if isinstance(action, Draw):
        in_phase = phase is _TURN or phase is _RESPOND
    elif isinstance(action, KeepDrawn):
        in_phase = phase is _DRAWN
    elif isinstance(action, (Catch, LetPass)):
        in_phase = phase is _UNO
    elif isinstance(action, Challenge):
        in_phase = phase is _RESPOND
        if in_phase and not _answers_wild_draw_four(state):
            raise IllegalAction(Reason.NOT_A_WILD_DRAW_FOUR)
    elif isinstance(action, (KeepOffered, RefuseOffered)):
        in_phase = phase is _DRAFT
    elif isinstance(action, ChooseColor):
        in_phase = phase is _COLOR
    else:
        assert_never(action)
    if not in_phase:
        raise IllegalAction(Reason.WRONG_PHASE)


def can(state: State, seat: Seat, action: Action) -> bool:
    """Returns whether `verify` accepts the action."""
    try:
        verify(state, seat, action)
    except IllegalAction:
        return False
    return True


def legal_actions(state: State) -> list[Action]:
    """Returns what the actor may do, in a fixed order; empty before the match has begun and when it is over.

    Plays of one card come first, ascending, then dumps by color, then what is not a play.  A wild is listed once a
    color; a play that leaves one card without and with the UNO call, any other without; a dump once per distinct last
    card, the rest ascending, after its Reverse where it needs one.  An action that differs from a listed one only in
    the order of a dump before its last card, or in a UNO call without effect, is legal too (RULES.md R13).
    """
    phase = state.phase
    if phase is _TURN:
        actions = _turn_plays(state)
        actions.append(DRAW)
        return actions
    if phase is _DRAWN:
        actions = _drawn_plays(state)
        actions.append(KEEP_DRAWN)
        return actions
    if phase is _RESPOND:
        return [DRAW, CHALLENGE] if _answers_wild_draw_four(state) else [*_volley_plays(state), DRAW]
    if phase is _UNO:
        return [CATCH, LET_PASS]
    if phase is _COLOR:
        return list(CHOOSE_COLOR)
    if phase is _DRAFT:
        return [KEEP_OFFERED, REFUSE_OFFERED] if state.round else []
    if phase is _MATCH_OVER:
        return []
    assert_never(phase)


def default_action(state: State) -> Action:
    """Returns the action that stands in for a seat that does not answer in time (RULES.md R13).
    Raises IllegalAction if nobody is asked: before the match has begun or when it is over.
    """
    phase = state.phase
    if phase is _MATCH_OVER or state.round == 0:
        raise IllegalAction(Reason.MATCH_NOT_RUNNING)
    if phase is _TURN or phase is _RESPOND:
        return DRAW
    if phase is _DRAWN:
        return KEEP_DRAWN
    if phase is _UNO:
        return LET_PASS
    if phase is _COLOR:
        return CHOOSE_COLOR[0]
    if phase is _DRAFT:
        return KEEP_OFFERED
    assert_never(phase)


def _answers_wild_draw_four(state: State) -> bool:
    return state.pending is not None and state.pending.symbol is _WILD_DRAW_FOUR


def _verify_play(state: State, hand: list[Card], play: Play) -> None:
    phase = state.phase
    cards = play.cards
    if phase is _RESPOND:
        if _answers_wild_draw_four(state):
            raise IllegalAction(Reason.WILD_DRAW_FOUR_UNANSWERABLE)
    elif phase is not _TURN and phase is not _DRAWN:
        raise IllegalAction(Reason.WRONG_PHASE)
    if not cards:
        raise IllegalAction(Reason.EMPTY_PLAY)
    first = cards[0]
    single = len(cards) == 1
    if first not in hand or not (single or Counter(cards) <= Counter(hand)):
        raise IllegalAction(Reason.CARD_NOT_HELD)
    if cards[-1].color is None:
        if play.color is None:
            raise IllegalAction(Reason.COLOR_REQUIRED)
    elif play.color is not None:
        raise IllegalAction(Reason.COLOR_NOT_ALLOWED)
    if phase is _RESPOND:
        if not single:
            raise IllegalAction(Reason.ONE_CARD_ONLY)
        if first.symbol is not _DRAW_TWO:
            raise IllegalAction(Reason.ONLY_DRAW_TWO_ANSWERS)
    elif phase is _DRAWN and first is not state.seen:
        raise IllegalAction(Reason.NOT_THE_DRAWN_CARD)
    elif not single:
        _verify_dump(state, hand, cards)
    elif first not in _fitting(state):
        raise IllegalAction(Reason.CARD_DOES_NOT_MATCH)


def _verify_dump(state: State, hand: list[Card], cards: tuple[Card, ...]) -> None:
    first = cards[0]
    color = first.color
    is_free = color is not None and color is state.free_color
    if not is_free:
        if first.symbol is not _REVERSE:
            raise IllegalAction(Reason.DUMP_WITHOUT_REVERSE)
        if first not in _fitting(state):
            raise IllegalAction(Reason.CARD_DOES_NOT_MATCH)
    if any(card.color is not color for card in cards):
        raise IllegalAction(Reason.DUMP_OF_ANOTHER_COLOR)
    if len(cards) != sum(card.color is color for card in hand):
        raise IllegalAction(Reason.DUMP_INCOMPLETE)


def _fitting(state: State) -> frozenset[Card]:
    # A color is in force in every phase in which a card can be played (RULES.md R5).
    assert state.color is not None
    return playable_cards(state.discard[-1], state.color)


def _turn_plays(state: State) -> list[Action]:
    hand = state.hands[state.actor]
    fitting = _fitting(state)
    plays = SINGLE_PLAYS_TO_ONE_CARD if len(hand) == 2 else SINGLE_PLAYS
    actions: list[Action] = []
    previous = None  # mutant: any start value that is no card does
    for card in hand:
        if card is not previous and card in fitting:
            actions += plays[card]
        previous = card
    if state.free_color is None and _REVERSES.isdisjoint(hand):
        return actions
    for color, reverse in _REVERSE_OF_COLOR:
        if color is state.free_color:
            actions += _dumps(hand, [card for card in hand if card.color is color], ())
        elif reverse in fitting and reverse in hand:
            actions += _reverse_dumps(hand, reverse)
    return actions


def _drawn_plays(state: State) -> list[Action]:
    hand = state.hands[state.actor]
    seen = state.seen
    if seen is None or seen not in _fitting(state):
        return []
    actions: list[Action] = list((SINGLE_PLAYS_TO_ONE_CARD if len(hand) == 2 else SINGLE_PLAYS)[seen])
    if seen.symbol is _REVERSE:
        actions += _reverse_dumps(hand, seen)
    return actions


def _volley_plays(state: State) -> list[Action]:
    hand = state.hands[state.actor]
    plays = SINGLE_PLAYS_TO_ONE_CARD if len(hand) == 2 else SINGLE_PLAYS
    return [play for card in _DRAW_TWOS if card in hand for play in plays[card]]


def _reverse_dumps(hand: list[Card], reverse: Card) -> list[Action]:
    others = [card for card in hand if card.color is reverse.color]
    others.remove(reverse)
    return _dumps(hand, others, (reverse,))


def _dumps(hand: list[Card], cards: list[Card], start: tuple[Card, ...]) -> list[Action]:
    """Returns the dumps of `start` and then all of `cards`, one for each card that can be the last."""
    size = len(start) + len(cards)
    if size < 2:
        return []
    calls = (False, True) if len(hand) - size == 1 else (False,)
    actions: list[Action] = []
    for last in dict.fromkeys(cards):
        before = list(cards)
        before.remove(last)
        actions += [Play((*start, *before, last), None, uno) for uno in calls]
    return actions
