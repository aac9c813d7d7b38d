from referee.rules import actions
from referee.rules.actions import CHOOSE_COLOR, SINGLE_PLAYS, SINGLE_PLAYS_TO_ONE_CARD, ChooseColor, Play
from referee.rules.cards import CARDS, Card, Color

WILDS = (Card.WILD, Card.WILD_DRAW_FOUR)
ALL_COLORS = [Color.RED, Color.YELLOW, Color.GREEN, Color.BLUE]


def test_colors_are_chosen_in_the_order_of_their_numbers() -> None:
    assert list(CHOOSE_COLOR) == [ChooseColor(color) for color in ALL_COLORS]


def test_single_plays_name_a_color_with_a_wild_alone() -> None:
    assert len(SINGLE_PLAYS) == 55
    assert SINGLE_PLAYS[0] == ()
    for card in CARDS:
        named = ALL_COLORS if card in WILDS else [None]
        assert list(SINGLE_PLAYS[card]) == [Play((card,), color, False) for color in named]


def test_single_plays_to_one_card_come_without_and_with_the_call() -> None:
    assert len(SINGLE_PLAYS_TO_ONE_CARD) == 55
    assert SINGLE_PLAYS_TO_ONE_CARD[0] == ()
    for card in CARDS:
        named = ALL_COLORS if card in WILDS else [None]
        expected = [Play((card,), color, uno) for color in named for uno in (False, True)]
        assert list(SINGLE_PLAYS_TO_ONE_CARD[card]) == expected


def test_constants_are_of_the_kind_that_they_are_called() -> None:
    for kind in ("KeepOffered", "RefuseOffered", "Draw", "KeepDrawn", "Challenge", "Catch", "LetPass"):
        constant = "".join(f"_{letter}" if letter.isupper() else letter.upper() for letter in kind)[1:]
        assert type(getattr(actions, constant)).__name__ == kind
