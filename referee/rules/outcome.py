"""How a match ends (RULES.md R12)."""

from dataclasses import dataclass
from enum import Enum

from referee.rules.seats import Seat


class Termination(Enum):
    """Names the cause of the end of a match; the rules themselves know the first two only (RULES.md R12)."""

    TARGET = 1
    ROUND_CAP = 2
    TIMEOUT = 3
    ILLEGAL_ACTION = 4
    DISCONNECT = 5
    NO_SHOW = 6
    RESIGNATION = 7
    VOID_ORGANISER = 8
    VOID_REFEREE = 9


@dataclass(frozen=True, slots=True)
class Outcome:
    """Holds the result of a match.

    `winner` is None for a drawn or void match, `totals` are points by seat, `rounds` counts the finished rounds, and
    `faulted` names the seats at fault for the end, if any.
    """

    winner: Seat | None
    termination: Termination
    totals: tuple[int, int]
    rounds: int
    faulted: tuple[Seat, ...] = ()
