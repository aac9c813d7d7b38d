"""What a view tells about the cards that it does not show: how many of each face are left, and who may hold them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Final

from unoduo.v1 import card_pb2, observation_pb2

from unoduo_client import cards

# Tables by card number, which are faster than the functions of `cards`; nothing is card 0.
_FACES: Final = tuple(card for card in card_pb2.Card.values() if card)
COLORS: Final = (0, *map(cards.color, _FACES))
SYMBOLS: Final = (None, *map(cards.symbol, _FACES))
POINTS: Final = (0, *map(cards.points, _FACES))

# The default deck (RULES.md R1.3). A view does not name the deck; with another one the odds are slightly off.
_COPIES: Final = {cards.Symbol.ZERO: 1, cards.Symbol.WILD: 8, cards.Symbol.WILD_DRAW_FOUR: 4}
_DECK: Final = (0, *(_COPIES.get(cards.symbol(card), 2) for card in _FACES))


class Odds:
    """Knows which cards are hidden from a seat: in the opponent's hand or in the unknown part of the draw pile."""

    def __init__(self, view: observation_pb2.View) -> None:
        left = list(_DECK)
        for card in chain(view.hand, view.discard_pile, view.known_tail):
            left[card] -= 1
        self._left = [max(0, copies) for copies in left]
        self._hidden = sum(self._left)

    def holds(self, count: int, wanted: Iterable[int]) -> float:
        """Returns the probability that `count` hidden cards hold at least one of the wanted faces."""
        hits = sum(self._left[card] for card in wanted)
        return 1 - (1 - hits / self._hidden) ** count if self._hidden else 0.0


def alternatives(top: int, color: int) -> frozenset[int]:
    """Returns the faces that make a Wild Draw Four a bluff, by what lay under it: a card (0 for none) and a color.

    That is every other face that matched (RULES.md R8.8, option ANY).
    """
    return frozenset(
        card
        for card in _FACES
        if COLORS[card] in (0, color) or SYMBOLS[card] is SYMBOLS[top]
        if card != card_pb2.CARD_WILD_DRAW_FOUR
    )


def known_draws(view: observation_pb2.View, count: int) -> tuple[list[int], int]:
    """Returns which of the next cards of the draw pile are known, and how many of them are not."""
    unknown = min(count, view.draw_count - len(view.known_tail))
    return list(view.known_tail[: count - unknown]), unknown
