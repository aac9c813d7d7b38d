"""What a match and a mirrored pair count for, in the eyes of the pairing's first player."""

from dataclasses import dataclass
from typing import Final

from referee.contest.pairing import Half
from referee.contest.schedule import ScheduledPair
from referee.rules.outcome import Outcome, Termination

WON: Final = 2
LEVEL: Final = 1
LOST: Final = 0

_PLAYED_OUT: Final = (Termination.TARGET, Termination.ROUND_CAP)
_VOID: Final = (Termination.VOID_ORGANISER, Termination.VOID_REFEREE)


@dataclass(frozen=True, slots=True)
class HalfResult:
    """Holds one match of a pair.

    `score` is in half points of the first player: 2 won, 1 level, 0 lost. `margin` is by how many points the first
    player did better: the points of the second less its own, for points are penalties (RULES.md R11). `faulted` says of
    the first and the second player whether it is at fault for the end.
    """

    score: int
    margin: int
    termination: Termination
    faulted: tuple[bool, bool] = (False, False)

    @property
    def played_out(self) -> bool:
        """Whether the match ended by the rules, and not by a fault or a resignation."""
        return self.termination in _PLAYED_OUT


@dataclass(frozen=True, slots=True)
class PairResult:
    """Holds the two matches of the attempt of a pair that counts, in their order; the attempts before it were void."""

    pair: ScheduledPair
    attempt: int
    halves: tuple[HalfResult, HalfResult]

    @property
    def quarters(self) -> int:
        """The score of the first player, 0 to 4: a match won is 2, so 4 quarters are the whole pair."""
        return self.halves[0].score + self.halves[1].score

    @property
    def played_out(self) -> bool:
        """Whether both matches ended by the rules."""
        return self.halves[0].played_out and self.halves[1].played_out


@dataclass(frozen=True, slots=True)
class Abandoned:
    """Holds a pair each of whose attempts was void, `attempt` of them; with it its whole pairing is abandoned."""

    pair: ScheduledPair
    attempt: int


def half_result(outcome: Outcome, half: Half) -> HalfResult | None:
    """Returns what the outcome of a match counts for as a half of its pair, or None if it is void.

    A match without winner is level: one drawn by the rules, and one in which both players are at fault.
    """
    if outcome.termination in _VOID:
        return None
    first, second = half.seats
    score = LEVEL if outcome.winner is None else WON if outcome.winner is first else LOST
    margin = outcome.totals[second] - outcome.totals[first]
    return HalfResult(score, margin, outcome.termination, (first in outcome.faulted, second in outcome.faulted))
