"""What moves a match: an action of a seat or a ruling of the referee, with the integers that were measured.

All are values: nothing changes one after its construction.  Those that each action makes are not frozen, for speed (see
`rules.actions`).
"""

from dataclasses import dataclass

from referee.adjudication.rulings import ResumeReason
from referee.rules.actions import Action
from referee.rules.outcome import Termination
from referee.rules.seats import Seat


@dataclass(slots=True)
class ActionTaken:
    """Holds an action as the seat sent it; `action_id` (1 to 36 characters) is the seat's own."""

    action_id: str
    action: Action


@dataclass(frozen=True, slots=True)
class Start:
    """Fixes the deal with the entropy of its contributors, 0 to 32 bytes each (PROTOCOL.md, "The deal")."""

    entropy_1: bytes
    entropy_2: bytes


@dataclass(frozen=True, slots=True)
class Expired:
    """Says that the clock of the open decision ran out."""


@dataclass(frozen=True, slots=True)
class NoShow:
    """Says which seats, ascending, never joined within the start-up grace."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Absence:
    """Says that the seat has been away for so many milliseconds."""

    absence_ms: int


@dataclass(frozen=True, slots=True)
class RejectionLimit:
    """Says that the seat was rejected once more than the policy allows in one decision."""


@dataclass(frozen=True, slots=True)
class Resignation:
    """Says that the seat gives up."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Says that the match goes on after an interruption, with the clock of the open decision anew."""

    reason: ResumeReason


@dataclass(frozen=True, slots=True)
class Void:
    """Says that the match is void, by VOID_ORGANISER or VOID_REFEREE; `reason` has at most 200 characters."""

    termination: Termination
    reason: str


InputKind = ActionTaken | Start | Expired | NoShow | Absence | RejectionLimit | Resignation | Resume | Void


@dataclass(slots=True)
class Input:
    """Holds one input: all that `adjudicate` judges by, beside the state.

    `seat` acted or is ruled about; None for Start, NoShow, Resume and Void. `decision_id` is that of the open decision,
    0 if none is open. `elapsed_ms` runs from the moment the decision was due to the seat (before the start: from the
    creation of the match) to the arrival stamp of the action or to the ruling; `lag_credit_ms` is the delay that the
    referee itself caused in it.
    """

    seat: Seat | None
    decision_id: int
    elapsed_ms: int
    lag_credit_ms: int
    kind: InputKind


@dataclass(frozen=True, slots=True)
class RejectedTry:
    """Holds an action that the rules refused in the open decision, and the clause of RULES.md that it broke."""

    seat: Seat
    decision_id: int
    action_id: str
    action: Action
    clause: str
