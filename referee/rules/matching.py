"""Which cards fit the discard pile, and what a Wild Draw Four is judged by (RULES.md R5, R8)."""

from typing import Final

from referee.rules.cards import CARDS, COLORS, Card, Color
from referee.rules.ruleset import Wd4Alternative

_WILDS: Final = frozenset(card for card in CARDS if card.color is None)
_OF_COLOR: Final = tuple(frozenset(card for card in CARDS if card.color is color) | _WILDS for color in (None, *COLORS))
# Indexed by the number of the top card; the wild faces, where only the named color counts, have no row of their own.
_ON_TOP: Final = (
    frozenset[Card](),
    *(
        frozenset(card for card in CARDS if card.color is top.color or card.symbol is top.symbol) | _WILDS
        for top in CARDS
    ),
)


def playable_cards(top: Card, color: Color) -> frozenset[Card]:
    """Returns the faces that fit this top card while this color is in force (RULES.md R5).

    A colored top card is matched by color and symbol, and its color is the one in force; a wild one by the named
    color alone.  Both wild faces always fit.
    """
    if top.color is None:
        return _OF_COLOR[color]
    return _ON_TOP[top]


def is_guilty(alternative: Wd4Alternative, shown: tuple[Card, ...], top: Card, color: Color) -> bool:
    """Returns whether a Wild Draw Four was a bluff (RULES.md R8).

    `shown` is the hand right after the play, `top` and `color` what lay and was in force right before it.  A second
    Wild Draw Four is never an alternative to the first.
    """
    if alternative is Wd4Alternative.COLOR:
        return any(card.color is color for card in shown)
    alternatives = playable_cards(top, color) - {Card.WILD_DRAW_FOUR}
    if alternative is Wd4Alternative.MATCH:
        alternatives -= {Card.WILD}
    return any(card in alternatives for card in shown)
