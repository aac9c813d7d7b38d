"""By how many points a player wins (`README.md`, "Margin")."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

from scipy.special import stdtrit

from referee.contest.numbers import CONFIDENCE, Interval
from referee.contest.results import PairResult


@dataclass(frozen=True, slots=True)
class Margin:
    """Holds the mean margin of a match in points of the first player, with a 95 % interval from two pairs on."""

    pairs: int
    mean: float
    interval: Interval | None


def margin_of(results: Iterable[PairResult]) -> Margin | None:
    """Returns the margin over those results of one pairing that were played out, or None if there are none."""
    margins = [result.halves[0].margin + result.halves[1].margin for result in results if result.played_out]
    n = len(margins)
    if n == 0:
        return None
    total = sum(margins)
    mean = total / (2 * n)  # each is of two matches
    if n == 1:
        return Margin(n, mean, None)
    squares = n * sum(margin**2 for margin in margins) - total**2
    width = float(stdtrit(n - 1, (1 + CONFIDENCE) / 2)) * sqrt(squares / (4 * n**2 * (n - 1)))
    return Margin(n, mean, Interval(mean - width, mean + width))
