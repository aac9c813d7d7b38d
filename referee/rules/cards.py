"""Colors, symbols, card faces and deck compositions (RULES.md R1)."""

from enum import Enum, IntEnum
from types import MappingProxyType
from typing import Final


class Color(IntEnum):
    """Represents a color; numbered as on the wire, so that no color is zero."""

    RED = 1
    YELLOW = 2
    GREEN = 3
    BLUE = 4


class Symbol(IntEnum):
    """Represents what a card shows apart from its color."""

    ZERO = 0
    ONE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    SKIP = 10
    REVERSE = 11
    DRAW_TWO = 12
    WILD = 13
    WILD_DRAW_FOUR = 14


COLORS: Final = tuple(Color)
_SYMBOLS_PER_COLOR: Final = 13
_FIRST_WILD: Final = 53
_SYMBOLS: Final = tuple(Symbol)
_POINTS: Final = (*range(10), 10, 10, 10, 15, 20)


class Card(IntEnum):
    """Represents one of the 54 faces; two cards of one face are the same value.

    The value is ``1 + 13 * (color - 1) + symbol`` for a colored card, 53 for Wild and 54 for Wild Draw Four.  Cards
    sort by it.  ``color`` is None for the two wild faces; ``points`` is the value of the card in a hand at the end
    of a round (RULES.md R11).
    """

    color: Color | None
    symbol: Symbol
    points: int

    def __new__(cls, value: int) -> "Card":
        """Returns the face of this number with its color, symbol and points as plain attributes."""
        card = int.__new__(cls, value)
        card._value_ = value
        if value < _FIRST_WILD:
            color_index, symbol_index = divmod(value - 1, _SYMBOLS_PER_COLOR)
            card.color = COLORS[color_index]
        else:
            symbol_index = value - _FIRST_WILD + Symbol.WILD
            card.color = None
        card.symbol = _SYMBOLS[symbol_index]
        card.points = _POINTS[symbol_index]
        return card

    RED_0 = 1
    RED_1 = 2
    RED_2 = 3
    RED_3 = 4
    RED_4 = 5
    RED_5 = 6
    RED_6 = 7
    RED_7 = 8
    RED_8 = 9
    RED_9 = 10
    RED_SKIP = 11
    RED_REVERSE = 12
    RED_DRAW_TWO = 13
    YELLOW_0 = 14
    YELLOW_1 = 15
    YELLOW_2 = 16
    YELLOW_3 = 17
    YELLOW_4 = 18
    YELLOW_5 = 19
    YELLOW_6 = 20
    YELLOW_7 = 21
    YELLOW_8 = 22
    YELLOW_9 = 23
    YELLOW_SKIP = 24
    YELLOW_REVERSE = 25
    YELLOW_DRAW_TWO = 26
    GREEN_0 = 27
    GREEN_1 = 28
    GREEN_2 = 29
    GREEN_3 = 30
    GREEN_4 = 31
    GREEN_5 = 32
    GREEN_6 = 33
    GREEN_7 = 34
    GREEN_8 = 35
    GREEN_9 = 36
    GREEN_SKIP = 37
    GREEN_REVERSE = 38
    GREEN_DRAW_TWO = 39
    BLUE_0 = 40
    BLUE_1 = 41
    BLUE_2 = 42
    BLUE_3 = 43
    BLUE_4 = 44
    BLUE_5 = 45
    BLUE_6 = 46
    BLUE_7 = 47
    BLUE_8 = 48
    BLUE_9 = 49
    BLUE_SKIP = 50
    BLUE_REVERSE = 51
    BLUE_DRAW_TWO = 52
    WILD = 53
    WILD_DRAW_FOUR = 54


CARDS: Final = tuple(Card)


class Deck(Enum):
    """Names a composition of the deck (RULES.md R1)."""

    EXTRA_WILDS_112 = 1
    DOUBLE_ZERO_112 = 2
    CLASSIC_108 = 3


def deck_cards(deck: Deck) -> tuple[Card, ...]:
    """Returns all cards of a deck in ascending order of their numbers.

    This is the order that every shuffle of a whole deck starts from (RULES.md R1, PROTOCOL.md on the deal).
    """
    return _DECK_CARDS[deck]


# How often a deck holds each face of a symbol; two copies of the symbols that are not named.
_COPIES: Final = MappingProxyType(
    {
        Deck.EXTRA_WILDS_112: {Symbol.ZERO: 1, Symbol.WILD: 8, Symbol.WILD_DRAW_FOUR: 4},
        Deck.DOUBLE_ZERO_112: {Symbol.WILD: 4, Symbol.WILD_DRAW_FOUR: 4},
        Deck.CLASSIC_108: {Symbol.ZERO: 1, Symbol.WILD: 4, Symbol.WILD_DRAW_FOUR: 4},
    }
)
_DECK_CARDS: Final = MappingProxyType(
    {deck: tuple(card for card in CARDS for _ in range(copies.get(card.symbol, 2))) for deck, copies in _COPIES.items()}
)
