"""What happened: public facts, each with at most one private part (RULES.md R14).

A fact cannot express a secret, so leaving the private part out is the whole of redaction.  Facts and events are
values: nothing changes one after its construction (not frozen for speed, see `actions`).
"""

from dataclasses import dataclass
from enum import Enum

from referee.rules.cards import Card, Color
from referee.rules.outcome import Outcome
from referee.rules.seats import Seat


class DrawReason(Enum):
    """Names why a seat draws (RULES.md R10)."""

    TURN = 1
    OPENING = 2
    DRAW_TWO = 3
    WILD_DRAW_FOUR = 4
    CHALLENGE_WON = 5
    CHALLENGE_LOST = 6
    UNO = 7
    FINAL = 8


class RoundEndReason(Enum):
    """Names why a round ended (RULES.md R11)."""

    OUT = 1
    BLOCKED = 2
    TURN_CAP = 3


@dataclass(slots=True)
class Cut:
    """Tells the pair of cards that decided the cut, one a seat (RULES.md R2)."""

    card_a: Card
    card_b: Card


@dataclass(slots=True)
class RoundStarted:
    """Tells the number of a round, from 1, and who drafts first in it (RULES.md R2)."""

    round: int
    first_drafter: Seat


@dataclass(slots=True)
class DraftOffered:
    """Tells that a seat looks at its offered card; private part: this card, to the seat (RULES.md R3)."""

    seat: Seat


@dataclass(slots=True)
class DraftDone:
    """Tells a pick: the card discarded face up; private part: the card that entered the hand (RULES.md R3)."""

    seat: Seat
    kept_first: bool
    discarded: Card


@dataclass(slots=True)
class StarterTurned:
    """Tells the starter; `draw_count` is the size of the draw pile below it (RULES.md R4)."""

    card: Card
    draw_count: int


@dataclass(slots=True)
class ColorChosen:
    """Tells the color named for a wild starter (RULES.md R4)."""

    seat: Seat
    color: Color


@dataclass(slots=True)
class TurnStarted:
    """Tells whose turn begins, the color in force and the color open to a free dump, if any (RULES.md R5, R7)."""

    seat: Seat
    color: Color
    free_color: Color | None


@dataclass(slots=True)
class CardsPlayed:
    """Tells a play: the cards in order, the color in force after it, the cards left in the hand.

    `uno` is true only if UNO was called and exactly one card is left (RULES.md R9).
    """

    seat: Seat
    cards: tuple[Card, ...]
    color: Color
    left: int
    uno: bool


@dataclass(slots=True)
class CardsDrawn:
    """Tells a draw: cards received and cards due; private part: the cards, to the seat that drew (RULES.md R10)."""

    seat: Seat
    count: int
    due: int
    reason: DrawReason


@dataclass(slots=True)
class Recycled:
    """Tells that the discards below the top card became the draw pile, now of this size (RULES.md R10)."""

    draw_count: int


@dataclass(slots=True)
class DrawnKept:
    """Tells that a seat kept the card it drew (RULES.md R5)."""

    seat: Seat


@dataclass(slots=True)
class UnoWindowClosed:
    """Tells whether the seat caught the missed UNO call of its opponent (RULES.md R9)."""

    seat: Seat
    caught: bool


@dataclass(slots=True)
class Challenged:
    """Tells the verdict of a challenge by `seat`; private part: the hand as judged, to the challenger (RULES.md R8)."""

    seat: Seat
    guilty: bool


@dataclass(slots=True)
class RoundEnded:
    """Tells the end of a round; the pairs are indexed by seat, hands are sorted (RULES.md R11)."""

    winner: Seat | None
    reason: RoundEndReason
    hands: tuple[tuple[Card, ...], tuple[Card, ...]]
    points: tuple[int, int]
    totals: tuple[int, int]


@dataclass(slots=True)
class MatchEnded:
    """Tells the outcome of the match (RULES.md R12)."""

    outcome: Outcome


Fact = (
    Cut
    | RoundStarted
    | DraftOffered
    | DraftDone
    | StarterTurned
    | ColorChosen
    | TurnStarted
    | CardsPlayed
    | CardsDrawn
    | Recycled
    | DrawnKept
    | UnoWindowClosed
    | Challenged
    | RoundEnded
    | MatchEnded
)


@dataclass(slots=True)
class Event:
    """Holds one event: the public fact and at most one private part.

    `private_cards` are for the eyes of `private_to` alone; `private_to` is None if there is no private part.
    """

    fact: Fact
    private_cards: tuple[Card, ...] = ()
    private_to: Seat | None = None
