"""Makes results of pairs without matches, and the exact chances of their classes."""

from collections.abc import Iterable, Iterator, Sequence
from math import comb, exp, log

from referee.contest.pairing import Pairing
from referee.contest.results import HalfResult, PairResult
from referee.contest.schedule import ScheduledPair, make_schedule
from referee.rules.outcome import Termination

MASTER = bytes(range(32))
PAIR = Pairing(0, 1)
SWEPT, LEVEL_PAIR, SWEPT_AWAY = (2, 2), (2, 0), (0, 0)

Scores = tuple[int, int]
"""What the first player scored in the halves of a pair, in half points: 0, 1 or 2 each."""


def half(score: int, margin: int | None = None, termination: Termination = Termination.TARGET) -> HalfResult:
    """Returns half a pair; the margin is 100 points for the winner unless another is given."""
    return HalfResult(score, 100 * (score - 1) if margin is None else margin, termination)


def played(schedule: Iterable[ScheduledPair], scores: Iterable[Scores]) -> tuple[PairResult, ...]:
    """Returns results with these scores for as many pairs of the schedule."""
    return tuple(
        PairResult(pair, 0, (half(one), half(other))) for pair, (one, other) in zip(schedule, scores, strict=False)
    )


def duel(scores: Sequence[Scores]) -> tuple[PairResult, ...]:
    """Returns results of two players with these scores."""
    return played(make_schedule([PAIR], max(1, len(scores)), MASTER), scores)


def of_classes(lost: int, level: int, won: int) -> tuple[PairResult, ...]:
    """Returns results of two players, so many pairs in each class."""
    return duel([SWEPT_AWAY] * lost + [LEVEL_PAIR] * level + [SWEPT] * won)


def class_chances(score: float, correlation: float) -> tuple[float, float, float] | None:
    """Returns how likely a pair is lost, level and won when each match is won with chance `score`.

    It is None where no pair of matches has this correlation.
    """
    common = correlation * score * (1 - score)
    won, lost = score**2 + common, (1 - score) ** 2 + common
    if min(won, lost) < -1e-12:
        return None
    return max(0.0, lost), 2 * score * (1 - score) * (1 - correlation), max(0.0, won)


def enumerated(pairs: int, chances: tuple[float, float, float]) -> Iterator[tuple[tuple[int, int, int], float]]:
    """Yields all counts of lost, level and won pairs with their probability."""
    in_lost, in_level, in_won = chances
    for lost in range(pairs + 1):
        for won in range(pairs + 1 - lost):
            level = pairs - lost - won
            ways = comb(pairs, lost) * comb(pairs - lost, won)
            yield (lost, level, won), _product(ways, (in_lost, lost), (in_level, level), (in_won, won))


def _product(ways: int, *powers: tuple[float, int]) -> float:
    # In logarithms, for the number of ways may be too large for a float.
    logarithm = log(ways)
    for base, exponent in powers:
        if exponent:
            if base == 0:
                return 0.0
            logarithm += exponent * log(base)
    return exp(logarithm)
