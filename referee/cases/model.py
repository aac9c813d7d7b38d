"""A case as it is run: what `files.load` makes of a JSON file."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from unoduo.v1 import action_pb2, ruleset_pb2

from referee.cases.expectations import Expectation
from referee.cases.shuffles import Shuffles
from referee.rules.cards import Card, Color, Deck
from referee.rules.errors import Reason
from referee.rules.ruleset import Ruleset
from referee.rules.seats import Seat


@dataclass(frozen=True, slots=True)
class Position:
    """Holds a turn about to be taken in round 1; `discard` is oldest first, `draw` next card out first."""

    hands: tuple[tuple[Card, ...], tuple[Card, ...]]
    discard: tuple[Card, ...]
    draw: tuple[Card, ...]
    color: Color | None
    turn: Seat
    free_color: Color | None
    totals: tuple[int, int]


@dataclass(frozen=True, slots=True)
class DeckOrder:
    """Holds a whole deal, next card out first; seat A drafts first and every round uses the same order.

    A case that gives `Shuffles` may say otherwise.
    """

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class FullDeal:
    """Stands for any deal of the whole deck in which this seat wins the cut and the starter is a number."""

    cut_winner: Seat


Start = Position | DeckOrder | FullDeal


@dataclass(frozen=True, slots=True)
class Rejected:
    """Says that the rules refuse the step, for this reason and by this clause."""

    reason: Reason
    clause: str


@dataclass(frozen=True, slots=True)
class MalformedField:
    """Says that the action of the step is no complete message, and which field is at fault."""

    field: str


@dataclass(frozen=True, slots=True)
class Expected:
    """Says what holds after the step."""

    expectations: tuple[Expectation, ...]


LeadsTo = Rejected | MalformedField | Expected


@dataclass(frozen=True, slots=True)
class Step:
    """Holds one step: the action that a seat submits, as a message that may be malformed, and what it leads to."""

    seat: Seat
    action: action_pb2.Action
    leads_to: LeadsTo


@dataclass(frozen=True, slots=True)
class Game:
    """Holds a start and what is done from there; `begin` is what holds when a match has begun, if anything is said."""

    ruleset: Ruleset
    start: Start
    shuffles: Shuffles | None
    begin: Expected | None
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class DeckContents:
    """Holds what a deck must consist of: the copies of each face, all cards, and all points."""

    deck: Deck
    size: int
    points: int
    copies: Mapping[Card, int]


@dataclass(frozen=True, slots=True)
class CardPoints:
    """Holds what each face must be worth."""

    points: Mapping[Card, int]


@dataclass(frozen=True, slots=True)
class RulesetCheck:
    """Holds a ruleset, as the name of a variant or as a message, and what it comes to.

    That is all its options, or the name of the one that is refused.
    """

    ruleset: str | ruleset_pb2.Ruleset
    leads_to: Ruleset | MalformedField


@dataclass(frozen=True, slots=True)
class Rulesets:
    """Holds rulesets to be checked."""

    checks: tuple[RulesetCheck, ...]


Body = Game | DeckContents | CardPoints | Rulesets


@dataclass(frozen=True, slots=True)
class Case:
    """Holds a case; `clauses` are those of RULES.md that it shows."""

    path: Path
    id: str
    title: str
    clauses: tuple[str, ...]
    body: Body
