"""The tables of cards that fit, against the words on the cards."""

import pytest

from referee.rules.cards import CARDS, Card, Color
from referee.rules.matching import playable_cards


def words(card: Card) -> tuple[str, str]:
    """Returns color and symbol as the name of a colored card says them."""
    color, symbol = card.name.split("_", 1)
    return color, symbol


@pytest.mark.parametrize("top", [card for card in CARDS if not card.name.startswith("WILD")])
def test_colored_top_card_is_matched_by_color_symbol_or_wild_r5_2(top: Card) -> None:
    color, symbol = words(top)
    fitting = {
        card for card in CARDS if card.name.startswith("WILD") or color == words(card)[0] or symbol == words(card)[1]
    }
    assert playable_cards(top, Color[color]) == fitting
    assert len(fitting) == 13 + 3 + 2


@pytest.mark.parametrize("top", [Card.WILD, Card.WILD_DRAW_FOUR])
@pytest.mark.parametrize("named", ["RED", "YELLOW", "GREEN", "BLUE"])
def test_wild_top_card_is_matched_by_the_named_color_or_wild_r5_2(top: Card, named: str) -> None:
    fitting = {card for card in CARDS if card.name.startswith(("WILD", f"{named}_"))}
    assert playable_cards(top, Color[named]) == fitting
    assert len(fitting) == 13 + 2
