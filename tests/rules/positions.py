"""Short notation for cards, plays and positions in tests.

A card is color and kind: `R5`, `GD` (Draw Two), `BS` (Skip), `YR` (Reverse), `WW` (Wild), `WF` (Wild Draw Four).
"""

from referee.rules.actions import Play
from referee.rules.cards import Card, Color
from referee.rules.decide import begin
from referee.rules.evolve import evolve
from referee.rules.ruleset import DUO, Ruleset
from referee.rules.seats import Seat
from referee.rules.state import State, dealt, position

A, B = Seat.A, Seat.B
_COLORS = {color.name[0]: color for color in Color}
_KINDS = {"S": "SKIP", "R": "REVERSE", "D": "DRAW_TWO"}
_WILDS = {"WW": Card.WILD, "WF": Card.WILD_DRAW_FOUR}


def card(text: str) -> Card:
    if text in _WILDS:
        return _WILDS[text]
    return Card[f"{_COLORS[text[0]].name}_{_KINDS.get(text[1], text[1])}"]


def cards(text: str) -> tuple[Card, ...]:
    return tuple(card(word) for word in text.split())


def color(letter: str | None) -> Color | None:
    return _COLORS[letter] if letter else None


def play(text: str, named: str | None = None, uno: bool = False) -> Play:
    return Play(cards(text), color(named), uno)


def table(
    hand_a: str,
    hand_b: str,
    pile: str,
    draw: str = "G1 G2 G3 G4 G5 G6 G7 G8",
    *,
    col: str | None = None,
    turn: Seat = A,
    free: str | None = None,
    totals: tuple[int, int] = (0, 0),
    ruleset: Ruleset = DUO,
) -> State:
    """Returns a position in a turn: `pile` oldest first, `draw` next card out first."""
    return position(
        hands=(cards(hand_a), cards(hand_b)),
        discard=cards(pile),
        draw=cards(draw),
        color=color(col),
        turn=turn,
        free_color=color(free),
        totals=totals,
        ruleset=ruleset,
    )


def begun(deck: str, ruleset: Ruleset) -> State:
    """Returns the first offer of a match dealt from this deck, seat A drafting first."""
    state = dealt(cards(deck), ruleset)
    for event in begin(state):
        evolve(state, event)
    return state
