"""The public events of the referee beside those of the rules; none has a private part (PROTOCOL.md, "Faults")."""

from dataclasses import dataclass
from enum import Enum

from referee.rules.events import Event
from referee.rules.outcome import Termination
from referee.rules.seats import Seat


class ResumeReason(Enum):
    """Names why a match was interrupted."""

    RESTART = 1
    THAWED = 2


@dataclass(frozen=True, slots=True)
class DealSealed:
    """Tells the entropy with which the deal is fixed; always the first event of a match that starts."""

    entropy_1: bytes
    entropy_2: bytes


@dataclass(frozen=True, slots=True)
class TimedOut:
    """Tells that a decision was not answered in time.

    `strikes` counts the time-outs of the seat in this match, this one included. `default_taken` is false if the match
    ends with it.
    """

    seat: Seat
    strikes: int
    default_taken: bool


@dataclass(frozen=True, slots=True)
class ClockReading:
    """Holds the integers that a time-out was judged on, in milliseconds (PROTOCOL.md, "Clocks")."""

    elapsed_ms: int
    lag_credit_ms: int
    limit_ms: int
    bank_ms: int
    margin_ms: int


@dataclass(frozen=True, slots=True)
class Forfeited:
    """Tells that a seat lost the match for a fault.

    `judged_on` is the clause of the last rejected try (ILLEGAL_ACTION), the clock (TIMEOUT), the milliseconds of
    absence (DISCONNECT), or None (NO_SHOW).
    """

    seat: Seat
    termination: Termination
    judged_on: str | ClockReading | int | None


@dataclass(frozen=True, slots=True)
class Resigned:
    """Tells that a seat gave up."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Resumed:
    """Tells that the match went on after an interruption; the open decision keeps its id."""

    reason: ResumeReason


@dataclass(frozen=True, slots=True)
class Voided:
    """Tells that the match was declared void, and why in words."""

    termination: Termination
    reason: str


Ruling = DealSealed | TimedOut | Forfeited | Resigned | Resumed | Voided
MatchEvent = Event | Ruling
