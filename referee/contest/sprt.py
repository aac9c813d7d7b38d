"""The sequential test of two players: as many pairs as the question needs (`README.md`, "SPRT")."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from math import log, sqrt
from typing import Final

from referee.contest.numbers import advantage_of_elo

_SHARES: Final = ((1.0, 0.0, 0.0), (0.5, 0.5, 0.0), (0.0, 1.0, 0.0), (0.0, 0.5, 0.5), (0.0, 0.0, 1.0))
"""What a pair of so many quarters counts for in the classes lost, level and won; the mean score stays what it is."""
# Beyond these, expected scores are 1 and limits infinite for a computer.
_LARGEST_ELO: Final = 2000
_LEAST_ERROR: Final = 0.000001


class Verdict(Enum):
    """Names what a test has decided of the first player."""

    STRONGER = "stronger"
    NOT_STRONGER = "not stronger"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Sprt:
    """Asks if the first player is ahead of the second by `elo1` rather than by `elo0`.

    `alpha` is the probability to find it STRONGER when it is ahead by `elo0` only, `beta` that to find it NOT_STRONGER
    when it is ahead by `elo1`. The test looks after each pair from number `first_look` on, and is UNDECIDED after
    `most_pairs`. Raises ValueError for settings that ask nothing.
    """

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05
    first_look: int = 10
    most_pairs: int = 2000

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError("elo0 must be less than elo1")
        if not -_LARGEST_ELO <= self.elo0 < self.elo1 <= _LARGEST_ELO:
            raise ValueError(f"elo0 and elo1 must be from -{_LARGEST_ELO} to {_LARGEST_ELO}")
        if not (_LEAST_ERROR <= self.alpha < 0.5 and _LEAST_ERROR <= self.beta < 0.5):
            raise ValueError(f"alpha and beta must be between {_LEAST_ERROR:f} and 0.5")
        if not 1 <= self.first_look <= self.most_pairs:
            raise ValueError("the first look must be at a pair from 1 to the last one")

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which the first player is found NOT_STRONGER."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which the first player is found STRONGER."""
        return log((1 - self.beta) / self.alpha)


@dataclass(frozen=True, slots=True)
class Progress:
    """Holds where a test stands: the pairs that it has looked at, their log-likelihood ratio, its verdict if any."""

    pairs: int
    ratio: float
    verdict: Verdict | None


def run_sprt(sprt: Sprt, quarters: Iterable[int]) -> Progress:
    """Looks at the pair scores of the first player, in quarters and in the order of the schedule, until one decides.

    Pairs after the deciding one are not looked at, so that the verdict and what counts do not depend on how many
    matches were under way.
    """
    score0, score1 = (0.5 + advantage_of_elo(elo) for elo in (sprt.elo0, sprt.elo1))
    lost = level = won = 0.0
    pairs, ratio = 0, 0.0
    for pairs, quarter in enumerate(quarters, start=1):
        in_lost, in_level, in_won = _SHARES[quarter]
        lost, level, won = lost + in_lost, level + in_level, won + in_won
        ratio = log_likelihood_ratio(lost, level, won, score0, score1)
        if pairs >= sprt.first_look and not sprt.lower < ratio < sprt.upper:
            return Progress(pairs, ratio, Verdict.STRONGER if ratio > 0 else Verdict.NOT_STRONGER)
        if pairs == sprt.most_pairs:
            return Progress(pairs, ratio, Verdict.UNDECIDED)
    return Progress(pairs, ratio, None)


def log_likelihood_ratio(lost: float, level: float, won: float, score0: float, score1: float) -> float:
    """Returns the logarithm of how much likelier these classes of pairs are with mean `score1` than with `score0`.

    Each likelihood is the largest that a distribution with that mean (0 to 1, exclusive) over the classes gives.
    """
    ratio = 0.0
    for count, probability0, probability1 in zip(
        (lost, level, won),
        _likeliest(lost, level, won, score0),
        _likeliest(lost, level, won, score1),
        strict=True,
    ):
        if count > 0:
            ratio += count * log(probability1 / probability0)
    return ratio


def _likeliest(lost: float, level: float, won: float, score: float) -> tuple[float, float, float]:
    """Returns the probabilities of the classes with this mean under which the counts are likeliest; at least one pair.

    With h half the probability of a level pair they are 1 - score - h, 2 h and score - h; the derivative of the
    log-likelihood in h is 0 at the smaller root of a quadratic.
    """
    pairs = lost + level + won
    b = level + lost * score + won * (1 - score)
    c = level * score * (1 - score)
    h = 2 * c / (b + sqrt(max(0.0, b * b - 4 * pairs * c)))
    return 1 - score - h, 2 * h, score - h
