import json
from pathlib import Path

import pytest
from unoduo.v1 import card_pb2
from unoduo_client import cards

from referee.rules.cards import CARDS, COLORS, Color
from referee.rules.matching import playable_cards

VECTORS = Path(__file__).parents[2] / "proto" / "vectors" / "cards" / "faces.json"
FACES = json.loads(VECTORS.read_text())["faces"]
NUMBERS = range(1, 55)


def test_vectors_have_every_face_of_the_wire_once() -> None:
    assert {face["card"]: face["number"] for face in FACES} == {
        name: number for name, number in card_pb2.Card.items() if number
    }


@pytest.mark.parametrize("face", FACES, ids=[face["name"] for face in FACES])
def test_faces_are_as_in_the_vectors(face: dict[str, str | int | None]) -> None:
    card = card_pb2.Card.Value(str(face["card"]))
    assert card == face["number"]
    assert cards.name(card) == face["name"]
    assert cards.from_name(str(face["name"])) == card
    assert card_pb2.Color.Name(cards.color(card)) == (face["color"] or "COLOR_UNSPECIFIED")
    symbol = cards.symbol(card)
    assert face["symbol"] == (str(int(symbol)) if symbol < cards.Symbol.SKIP else symbol.name)
    assert cards.points(card) == face["points"]
    assert cards.is_wild(card) == (face["color"] is None)


@pytest.mark.parametrize("face", FACES, ids=[face["name"] for face in FACES])
def test_vectors_agree_with_the_rules(face: dict[str, str | int | None]) -> None:
    card = CARDS[int(face["number"] or 0) - 1]
    assert (card.color and f"COLOR_{card.color.name}") == face["color"]
    assert card.points == face["points"]
    assert f"CARD_{card.name}" == face["card"]


@pytest.mark.parametrize("number", [-1, 0, 55])
def test_functions_refuse_what_is_no_card(number: int) -> None:
    card = card_pb2.Card.values()[1] - 1 + number  # a number that the type checker takes for a card
    for function in (cards.color, cards.symbol, cards.points, cards.is_wild, cards.name):
        with pytest.raises(ValueError, match="is no card"):
            function(card)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", "R", "r5", "RW", "WX", "R10", "CARD_RED_5"])
def test_from_name_refuses_what_names_no_card(text: str) -> None:
    with pytest.raises(ValueError, match="names no card"):
        cards.from_name(text)


def test_matches_agrees_with_the_rules_for_every_top_card() -> None:
    by_number = card_pb2.Card.values()
    colors = card_pb2.Color.values()
    for top in CARDS:
        in_force: tuple[Color, ...] = COLORS if top.color is None else (top.color,)
        for color in in_force:
            fitting = playable_cards(top, color)
            for card in CARDS:
                assert cards.matches(by_number[card], by_number[top], colors[color]) == (card in fitting)
