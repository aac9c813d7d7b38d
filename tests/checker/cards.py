"""Cards, decks and points in words (RULES.md R1). A card is its name: `RED_5`, `BLUE_DRAW_TWO`, `WILD`."""

from types import MappingProxyType

COLORS = ("RED", "YELLOW", "GREEN", "BLUE")
NUMBERS = ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9")
ACTIONS = ("SKIP", "REVERSE", "DRAW_TWO")
WILDS = ("WILD", "WILD_DRAW_FOUR")

# R1.1, R1.2: the faces in the order of their numbers on the wire, which sorts a hand (R14.3).
FACES = (*(f"{color}_{symbol}" for color in COLORS for symbol in (*NUMBERS, *ACTIONS)), *WILDS)
NUMBER = MappingProxyType({face: number for number, face in enumerate(FACES, 1)})
COLOR = MappingProxyType({face: None if face in WILDS else face.split("_", 1)[0] for face in FACES})
SYMBOL = MappingProxyType({face: face if face in WILDS else face.split("_", 1)[1] for face in FACES})

# R1.7
_ACTION_POINTS = {"SKIP": 10, "REVERSE": 10, "DRAW_TWO": 10, "WILD": 15, "WILD_DRAW_FOUR": 20}
POINTS = MappingProxyType(
    {face: int(SYMBOL[face]) if SYMBOL[face] in NUMBERS else _ACTION_POINTS[SYMBOL[face]] for face in FACES}
)

# R1.3 to R1.5: how often each color has a 0, and how many Wilds there are.
_DECKS = {"EXTRA_WILDS_112": (1, 8), "DOUBLE_ZERO_112": (2, 4), "CLASSIC_108": (1, 4)}


def deck(name: str) -> list[str]:
    """Returns the cards of a deck."""
    zeros, wilds = _DECKS[name]
    colored = [face for face in FACES if COLOR[face]]
    cards = [face for face in colored if SYMBOL[face] == "0" for _ in range(zeros)]
    cards += [face for face in colored if SYMBOL[face] != "0" for _ in range(2)]
    return [*cards, *["WILD"] * wilds, *["WILD_DRAW_FOUR"] * 4]


def in_order(cards: list[str]) -> tuple[str, ...]:
    """Returns the cards sorted by number."""
    return tuple(sorted(cards, key=NUMBER.__getitem__))


def points(cards: list[str]) -> int:
    """Returns what a hand scores (R11.6)."""
    return sum(POINTS[card] for card in cards)
