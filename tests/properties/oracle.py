"""A second judge of legality, written down once more from the phase table (RULES.md R13.2) without the engine's."""

from collections import Counter

from referee.rules.actions import (
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
from referee.rules.cards import Card, Symbol
from referee.rules.seats import Seat
from referee.rules.state import Phase, State


def accepts(state: State, seat: Seat, action: Action) -> bool:
    """Returns whether the phase table allows the action."""
    if seat is not state.actor:
        return False
    pending = state.pending.symbol if state.pending else None
    match action, state.phase:
        case (KeepOffered() | RefuseOffered(), Phase.DRAFT):
            return True
        case (ChooseColor(), Phase.COLOR) | (KeepDrawn(), Phase.DRAWN) | (Catch() | LetPass(), Phase.UNO):
            return True
        case (Draw(), Phase.TURN | Phase.RESPOND):
            return True
        case (Challenge(), Phase.RESPOND):
            return pending is Symbol.WILD_DRAW_FOUR
        case (Play(), Phase.TURN):
            return _well_formed(state, action) and (
                _single(state, action) or _dump(state, action) or _free(state, action)
            )
        case (Play(), Phase.DRAWN):
            starts_right = bool(action.cards) and action.cards[0] == state.seen
            return starts_right and _well_formed(state, action) and (_single(state, action) or _dump(state, action))
        case (Play(), Phase.RESPOND):
            is_draw_two = [card.symbol for card in action.cards] == [Symbol.DRAW_TWO]
            return pending is Symbol.DRAW_TWO and is_draw_two and _well_formed(state, action)
    return False


def fits(state: State, card: Card) -> bool:
    """Returns whether a card matches (RULES.md R5.2, R5.3)."""
    top = state.discard[-1]
    return card.color is None or card.color == state.color or (top.color is not None and card.symbol == top.symbol)


def _well_formed(state: State, play: Play) -> bool:
    held = Counter(state.hands[state.actor])
    return (
        bool(play.cards)
        and not Counter(play.cards) - held
        and (play.color is not None) == (play.cards[-1].color is None)
    )


def _single(state: State, play: Play) -> bool:
    return len(play.cards) == 1 and fits(state, play.cards[0])


def _dump(state: State, play: Play) -> bool:
    first = play.cards[0]
    return first.symbol is Symbol.REVERSE and fits(state, first) and _is_all_of(state, play, first)


def _free(state: State, play: Play) -> bool:
    return (
        state.free_color is not None
        and play.cards[0].color == state.free_color
        and _is_all_of(state, play, play.cards[0])
    )


def _is_all_of(state: State, play: Play, first: Card) -> bool:
    same = [card for card in state.hands[state.actor] if card.color == first.color]
    return len(same) > 1 and sorted(play.cards) == same
