"""What a seat may submit (RULES.md R13).

Actions are values: nothing changes one after its construction.  They are not frozen because a frozen dataclass costs
three times as much to make; the common ones exist once, as constants.
"""

from dataclasses import dataclass
from typing import Final

from referee.rules.cards import CARDS, COLORS, Card, Color


@dataclass(slots=True)
class KeepOffered:
    """Keeps the offered card of the draft; the next card is discarded face up (RULES.md R3)."""


@dataclass(slots=True)
class RefuseOffered:
    """Discards the offered card of the draft face up and takes the next one unseen (RULES.md R3)."""


@dataclass(slots=True)
class ChooseColor:
    """Names the color in force after a wild starter (RULES.md R4)."""

    color: Color


@dataclass(slots=True)
class Play:
    """Plays one card, or several as a dump, in this order (RULES.md R5, R7).

    `color` is the color named for a wild card, else None.  `uno` calls UNO; it has an effect only if exactly one card
    is left (RULES.md R9).
    """

    cards: tuple[Card, ...]
    color: Color | None = None
    uno: bool = False


@dataclass(slots=True)
class Draw:
    """Draws one card in a turn, or the cards due in answer to a drawing card (RULES.md R5, R6, R8)."""


@dataclass(slots=True)
class KeepDrawn:
    """Keeps the card just drawn, which ends the turn (RULES.md R5)."""


@dataclass(slots=True)
class Challenge:
    """Challenges the Wild Draw Four just played (RULES.md R8)."""


@dataclass(slots=True)
class Catch:
    """Catches the opponent who left one card without calling UNO (RULES.md R9)."""


@dataclass(slots=True)
class LetPass:
    """Lets a missed UNO call pass (RULES.md R9)."""


Action = KeepOffered | RefuseOffered | ChooseColor | Play | Draw | KeepDrawn | Challenge | Catch | LetPass

KEEP_OFFERED: Final = KeepOffered()
REFUSE_OFFERED: Final = RefuseOffered()
DRAW: Final = Draw()
KEEP_DRAWN: Final = KeepDrawn()
CHALLENGE: Final = Challenge()
CATCH: Final = Catch()
LET_PASS: Final = LetPass()
CHOOSE_COLOR: Final = tuple(ChooseColor(color) for color in COLORS)


# Indexed by the number of the card; index 0 is no card.  Each item holds all ways to play this card alone that a
# legal list names: a wild once a color, and, where one card is left, each without and with the UNO call.
_NAMED: Final = ((), *((None,) if card.color else COLORS for card in CARDS))
SINGLE_PLAYS: Final = ((), *(tuple(Play((card,), color) for color in _NAMED[card]) for card in CARDS))
SINGLE_PLAYS_TO_ONE_CARD: Final = (
    (),
    *(tuple(Play((card,), color, uno) for color in _NAMED[card] for uno in (False, True)) for card in CARDS),
)
