"""How the two halves of a pair hang together, and what mirroring has saved (`README.md`, "Halves")."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from referee.contest.numbers import Interval, Z
from referee.contest.results import PairResult

_FEWEST_PAIRS: Final = 8
_FEWEST_SWEEPS: Final = 8
_BISECTIONS: Final = 60


class Saving(Enum):
    """Names what can be said of the matches that mirroring has saved."""

    UNKNOWN = "unknown"
    NONE_MEASURABLE = "none measurable"
    MEASURED = "measured"
    EXACT = "exact"


@dataclass(frozen=True, slots=True)
class Halves:
    """Holds the correlation of the halves, -1 to 1, of so many pairs.

    It is None, and the saving UNKNOWN, where one player has won every match. `interval` is None as well with fewer than
    eight pairs, or when all pairs are level in wins, which is EXACT: luck is gone. Else the saving is MEASURED if the
    whole interval is below 0; the share of matches that mirroring has saved is then `-correlation`.
    """

    pairs: int
    correlation: float | None
    interval: Interval | None
    saving: Saving


def halves_of(results: Iterable[PairResult]) -> Halves:
    """Returns the correlation over those results of one pairing that were played out, the same for both players."""
    n = total = products = 0
    for result in results:
        if result.played_out:
            one, other = result.halves[0].score, result.halves[1].score
            n += 1
            total += one + other
            products += one * other
    variance = total * (4 * n - total)
    if variance == 0:
        return Halves(n, None, None, Saving.UNKNOWN)
    covariance = 4 * n * products - total**2
    if covariance == -variance:
        return Halves(n, -1.0, None, Saving.EXACT)
    correlation = covariance / variance
    if n < _FEWEST_PAIRS:
        return Halves(n, correlation, None, Saving.UNKNOWN)
    # The interval is the same for m and 1 - m; the smaller of the two is exact for both players.
    interval = _interval(n, min(total, 4 * n - total) / (4 * n), correlation)
    return Halves(n, correlation, interval, Saving.MEASURED if interval.high < 0 else Saving.NONE_MEASURABLE)


def _interval(n: int, m: float, correlation: float) -> Interval:
    """Returns the correlations that a test of goodness of fit does not refute (Donner and Eliasziw 1992).

    The probabilities that the weaker player, with mean score `m`, wins a pair twice, once or never follow from the
    correlation; a test compares them with the counts.
    """
    spread = m * (1 - m)
    least = -m / (1 - m)  # a lower correlation needs a negative probability

    def refuted(rho: float) -> bool:
        twice, once, never = m**2 + rho * spread, 2 * spread * (1 - rho), (1 - m) ** 2 + rho * spread
        if min(twice, once) <= 0:
            return True
        deviation = spread * (correlation - rho)
        return n * deviation**2 * (1 / twice + 4 / once + 1 / never) > Z * Z

    # With few pairs won twice by the weaker player, the least possible correlation is itself an estimate.
    swept = n * (m**2 + correlation * spread)
    low = -1.0 if swept < _FEWEST_SWEEPS else _border(refuted, correlation, least)
    return Interval(low, _border(refuted, correlation, 1.0))


def _border(refuted: Callable[[float], bool], inside: float, outside: float) -> float:
    """Returns where between two correlations the refuted ones begin."""
    for _ in range(_BISECTIONS):
        middle = (inside + outside) / 2
        if refuted(middle):
            outside = middle
        else:
            inside = middle
    return inside
