"""How a tournament came to its table: where it stood after parts of the schedule."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from referee.contest.results import PairResult
from referee.contest.sprt import Sprt, run_sprt

_MOST_LOOKS: Final = 60


@dataclass(frozen=True, slots=True)
class Look:
    """Holds the share of the points that each player had after so many pairs, None before its first match."""

    pairs: int
    shares: tuple[float | None, ...]


def looks(players: int, results: Sequence[PairResult]) -> tuple[Look, ...]:
    """Returns up to 60 looks at the results that count, evenly spread, the last one after all of them."""
    quarters, matches = [0] * players, [0] * players
    due = set(_places(len(results)))
    taken = []
    for pairs, result in enumerate(results, 1):
        first, second = result.pair.pairing.players
        quarters[first] += result.quarters
        quarters[second] += 4 - result.quarters
        for player in (first, second):
            matches[player] += 2
        if pairs in due:
            shares = (points / (2 * count) if count else None for points, count in zip(quarters, matches, strict=True))
            taken.append(Look(pairs, tuple(shares)))
    return tuple(taken)


def ratios(sprt: Sprt, results: Sequence[PairResult]) -> tuple[tuple[int, float], ...]:
    """Returns up to 60 numbers of pairs, each with the log-likelihood ratio at which a test stood after it."""
    quarters = [result.quarters for result in results]
    return tuple((pairs, run_sprt(sprt, quarters[:pairs]).ratio) for pairs in _places(len(quarters)))


def _places(count: int) -> list[int]:
    most = min(_MOST_LOOKS, count)
    return [count * place // most for place in range(1, most + 1)]
