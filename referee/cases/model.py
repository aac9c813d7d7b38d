"""A case as it is run: what `files.load` makes of a JSON file."""

from dataclasses import dataclass
from pathlib import Path

from unoduo.v1 import action_pb2

from referee.cases.expectations import Expectation
from referee.rules.cards import Card, Color
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
    """Holds a whole deal, next card out first; seat A drafts first and every round uses the same order."""

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
class Case:
    """Holds a case; `clauses` are those of RULES.md that it shows."""

    path: Path
    id: str
    title: str
    clauses: tuple[str, ...]
    ruleset: Ruleset
    start: Start
    steps: tuple[Step, ...]
