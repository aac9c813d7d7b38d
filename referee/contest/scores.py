"""The score of a pairing with its interval, from the classes of its mirrored pairs (`README.md`, "Score")."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from typing import Final, Self

from referee.contest.numbers import Interval, Z, elo_of_advantage, share, superiority, two_sided
from referee.contest.results import PairResult

_CLASSES: Final = 5
_PRIOR_PAIRS: Final = 4
"""So many imaginary pairs of independent halves keep a few lucky pairs from telling that mirroring took out luck."""
_LEAST_DESIGN_EFFECT: Final = 0.02


@dataclass(frozen=True, slots=True)
class PairClasses:
    """Counts the pairs of a pairing by the score of its first player: `counts[q]` pairs brought it q quarters."""

    counts: tuple[int, int, int, int, int]

    @classmethod
    def of(cls, results: Iterable[PairResult]) -> Self:
        """Counts the results of one pairing."""
        counts = [0] * _CLASSES
        for result in results:
            counts[result.quarters] += 1
        return cls((counts[0], counts[1], counts[2], counts[3], counts[4]))

    @property
    def pairs(self) -> int:
        """How many pairs there are."""
        return sum(self.counts)

    @property
    def quarters(self) -> int:
        """What the first player has scored, 4 a pair at most."""
        return sum(quarters * count for quarters, count in enumerate(self.counts))

    def mirrored(self) -> "PairClasses":
        """Returns the same pairs in the eyes of the second player."""
        lost, quarter, level, three_quarters, won = self.counts
        return PairClasses((won, three_quarters, level, quarter, lost))


@dataclass(frozen=True, slots=True)
class Score:
    """Holds how the first player of a pairing stands against the second.

    `score` is its share of the points, 0 to 1, with its 95 % interval. `elo` is the same as a difference in Elo, None
    where it has no bound, each end likewise. `games` is the number of independent matches that would tell as much.
    `superiority` is the likelihood that the first is the better player, `p_value` that of a score as far from 1/2
    between equals.
    """

    pairs: int
    score: float
    interval: Interval
    elo: float | None
    elo_low: float | None
    elo_high: float | None
    games: float
    superiority: float
    p_value: float


def score_of(classes: PairClasses) -> Score | None:
    """Returns the score of a pairing, or None before its first pair."""
    if classes.pairs == 0:
        return None
    advantage = (classes.quarters - 2 * classes.pairs) / (4 * classes.pairs)
    games = 2 * classes.pairs / design_effect(classes)
    low, high = _wilson(advantage, games)
    z = advantage * sqrt(4 * games)
    return Score(
        pairs=classes.pairs,
        score=share(advantage),
        interval=Interval(share(low), share(high)),
        elo=elo_of_advantage(advantage),
        elo_low=elo_of_advantage(low),
        elo_high=elo_of_advantage(high),
        games=games,
        superiority=superiority(z),
        p_value=two_sided(z),
    )


def design_effect(classes: PairClasses) -> float:
    """Returns the variance of the pair scores as a multiple of that of independent matches; there is at least one pair.

    It is drawn towards 1 by four imaginary pairs, is never below 0.02, and is 1 where one player has won everything.
    """
    n, quarters = classes.pairs, classes.quarters
    # Both variances as whole numbers, times 32 n^2, so that they are the same for both players to the last bit.
    independent = quarters * (4 * n - quarters)
    if independent == 0:
        return 1.0
    squares = sum(quarters**2 * count for quarters, count in enumerate(classes.counts))
    observed = 2 * (n * squares - quarters**2)
    return max(_LEAST_DESIGN_EFFECT, (n * observed + _PRIOR_PAIRS * independent) / ((n + _PRIOR_PAIRS) * independent))


def _wilson(advantage: float, games: float) -> tuple[float, float]:
    """Returns the interval of Wilson for a score of 1/2 + `advantage` in so many matches, as advantages."""
    shrink = 1 + Z * Z / games
    center = advantage / shrink
    width = Z / shrink * sqrt((0.25 - advantage**2) / games + Z * Z / (4 * games**2))
    # At a score of 0 or 1 one end is the score itself, whatever rounding makes of it.
    low = -0.5 if advantage == -0.5 else center - width
    return low, 0.5 if advantage == 0.5 else center + width
