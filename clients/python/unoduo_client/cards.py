"""Card faces for bots: color, symbol, points, names, and which card can be laid on which (RULES.md R1, R5)."""

from __future__ import annotations

from enum import IntEnum

from unoduo.v1 import card_pb2

_PER_COLOR = 13
_COLOR_LETTERS = "RYGB"
_SYMBOL_LETTERS = "0123456789SRD"
_WILD_NAMES = ("WW", "WF")
_POINTS: tuple[int, ...] = (*range(10), 10, 10, 10, 15, 20)


class Symbol(IntEnum):
    """Says what a card shows apart from its color."""

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


_SYMBOLS = (
    *(symbol for _ in _COLOR_LETTERS for symbol in Symbol if symbol < Symbol.WILD),
    Symbol.WILD,
    Symbol.WILD_DRAW_FOUR,
)
_NAMES = (*(color + symbol for color in _COLOR_LETTERS for symbol in _SYMBOL_LETTERS), *_WILD_NAMES)
_NUMBERS = {name: number for number, name in enumerate(_NAMES, start=1)}
# Once, for `values` makes a list.
_COLORS = tuple(card_pb2.Color.values())


def color(card: card_pb2.Card.ValueType) -> card_pb2.Color.ValueType:
    """Returns the color of a card, COLOR_UNSPECIFIED for a wild. Raises ValueError for what is no card."""
    if is_wild(card):
        return card_pb2.COLOR_UNSPECIFIED
    return _COLORS[1 + (card - 1) // _PER_COLOR]


def symbol(card: card_pb2.Card.ValueType) -> Symbol:
    """Returns the symbol of a card. Raises ValueError for what is no card."""
    return _SYMBOLS[_position(card)]


def points(card: card_pb2.Card.ValueType) -> int:
    """Returns what a card costs its holder at the end of a round (RULES.md R1.7). Raises ValueError for no card."""
    return _POINTS[symbol(card)]


def is_wild(card: card_pb2.Card.ValueType) -> bool:
    """Returns whether a card is a Wild or Wild Draw Four. Raises ValueError for what is no card."""
    return symbol(card) >= Symbol.WILD


def matches(
    card: card_pb2.Card.ValueType, top: card_pb2.Card.ValueType, active_color: card_pb2.Color.ValueType
) -> bool:
    """Returns whether a card can be laid on the top card while a color is in force (RULES.md R5).

    A wild always can; a colored card by the color in force, or by the symbol of a colored top card.
    """
    return is_wild(card) or color(card) == active_color or symbol(card) == symbol(top)


def name(card: card_pb2.Card.ValueType) -> str:
    """Returns the short name of a card, as in `R5`, `GS`, `BR`, `YD`, `WW`, `WF`. Raises ValueError for no card."""
    return _NAMES[_position(card)]


def from_name(text: str) -> card_pb2.Card.ValueType:
    """Returns the card of a short name. Raises ValueError for a name that no card has."""
    number = _NUMBERS.get(text)
    if number is None:
        raise ValueError(f"{text!r} names no card")
    return card_pb2.Card.values()[number]


def _position(card: int) -> int:
    if not 1 <= card <= len(_NAMES):
        raise ValueError(f"{card} is no card")
    return card - 1
