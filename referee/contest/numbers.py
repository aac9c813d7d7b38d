"""The few numbers of statistics that all figures use, made so that exchanging two players mirrors them exactly."""

from math import atanh, erf, erfc, log, sqrt, tanh
from statistics import NormalDist
from typing import Final, NamedTuple

CONFIDENCE: Final = 0.95
Z: Final = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
_ELO: Final = 400 / log(10)
"""How many Elo one natural unit of log odds is."""


class Interval(NamedTuple):
    """Holds the two ends of a 95 % interval."""

    low: float
    high: float


def share(advantage: float) -> float:
    """Returns 1/2 + `advantage` (-1/2 to 1/2) so that `share(x)` and `share(-x)` add up to 1 without any rounding.

    Therefore both also add up to 1 when they are printed to the same number of decimals.
    """
    return 0.5 + advantage if advantage >= 0 else 1 - (0.5 - advantage)


def elo_of_advantage(advantage: float) -> float | None:
    """Returns the Elo difference for a score of 1/2 + `advantage`, or None if that is 0 or 1 and it has no bound."""
    if abs(advantage) >= 0.5:
        return None
    return 2 * _ELO * atanh(2 * advantage)


def advantage_of_elo(elo: float) -> float:
    """Returns by how much the expected score of a player so many Elo ahead is above 1/2."""
    return tanh(elo / (2 * _ELO)) / 2


def elo_of_log_odds(log_odds: float) -> float:
    """Returns a strength of the Bradley-Terry model in Elo, to a millionth, where its fit ends."""
    return round(log_odds * _ELO, 6) + 0.0  # not -0.0


def superiority(z: float) -> float:
    """Returns the probability that a standard normal variable is below `z`; `superiority(-z)` is exactly 1 less it."""
    return share(erf(z / sqrt(2)) / 2)


def two_sided(z: float) -> float:
    """Returns the probability that a standard normal variable is at least `z` away from 0."""
    return erfc(abs(z) / sqrt(2))
