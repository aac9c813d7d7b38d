from collections import Counter

import pytest

from referee.rules.cards import CARDS, Card, Color, Deck, Symbol, deck_cards


def test_cards_are_numbered_by_color_and_symbol() -> None:
    for card in CARDS[:52]:
        assert card.color is not None
        assert card == 1 + 13 * (card.color - 1) + card.symbol
        assert card.name == f"{card.color.name}_{card.symbol.name if card.symbol > 9 else int(card.symbol)}"


def test_cards_have_no_face_beside_the_54() -> None:
    assert [int(card) for card in CARDS] == list(range(1, 55))
    assert (Card.WILD.color, Card.WILD_DRAW_FOUR.color) == (None, None)
    assert (Card.WILD.symbol, Card.WILD_DRAW_FOUR.symbol) == (Symbol.WILD, Symbol.WILD_DRAW_FOUR)


def test_points_are_those_of_r1_7() -> None:
    for first in (0, 13, 26, 39):
        assert [card.points for card in CARDS[first : first + 13]] == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10]
    assert (Card.WILD.points, Card.WILD_DRAW_FOUR.points) == (15, 20)


@pytest.mark.parametrize(
    ("deck", "size", "points", "zeros", "wilds"),
    [
        (Deck.EXTRA_WILDS_112, 112, 800, 1, 8),
        (Deck.DOUBLE_ZERO_112, 112, 740, 2, 4),
        (Deck.CLASSIC_108, 108, 740, 1, 4),
    ],
)
def test_deck_is_composed_as_in_r1(deck: Deck, size: int, points: int, zeros: int, wilds: int) -> None:
    cards = deck_cards(deck)
    count = Counter(cards)
    assert (len(cards), sum(card.points for card in cards)) == (size, points)
    assert (count[Card.WILD], count[Card.WILD_DRAW_FOUR]) == (wilds, 4)
    for card in CARDS[:52]:
        assert count[card] == (zeros if card.symbol is Symbol.ZERO else 2)
    assert list(cards) == sorted(cards)


def test_colors_are_numbered_from_one() -> None:
    assert [(color.name, color.value) for color in Color] == [("RED", 1), ("YELLOW", 2), ("GREEN", 3), ("BLUE", 4)]
