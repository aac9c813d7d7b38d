"""How cards leave the draw pile and how discards become one again (RULES.md R10)."""

from referee.rules.cards import Card
from referee.rules.ruleset import Piles
from referee.rules.state import State


def next_out(state: State, due: int, played: tuple[Card, ...] = ()) -> tuple[tuple[Card, ...], int]:
    """Returns the cards that a draw of `due` cards yields, in order, and the number of cards recycled for it.

    `played` are cards laid on the discard pile before the draw.  The pile is recycled only when a card is needed and
    none is left; what is due beyond all cards under the top one is waived (RULES.md R10).
    """
    draw = state.draw
    if len(draw) >= due:
        return tuple(draw[-1 : -due - 1 : -1]), 0
    recycled = recycled_cards(state, (*state.discard, *played))
    return (*reversed(draw), *recycled[: due - len(draw)]), len(recycled)


def recycled_cards(state: State, discard: tuple[Card, ...]) -> tuple[Card, ...]:
    """Returns the discards under the top card as the draw pile they become, next card out first (RULES.md R10).

    `discard` is the whole discard pile, oldest first.
    """
    under_top = discard[:-1]
    if under_top and state.ruleset.piles is Piles.SHUFFLE:
        return state.shuffler.recycled(state.round, state.recycles + 1, under_top)
    return under_top


def opening_block(state: State, discards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Returns the draft discards as they go under the draw pile, next card out first (RULES.md R3, R10).

    `discards` are oldest first.
    """
    if state.ruleset.piles is Piles.SHUFFLE:
        return state.shuffler.opening_block(state.round, discards)
    return discards
