"""Ratings of all players on one scale, with intervals or as bounds (`README.md`, "Ratings")."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from math import sqrt
from typing import Final

import numpy as np
from choix import ilsr_pairwise_dense
from numpy.typing import NDArray

from referee.contest.bounds import logistic, strongest_loser
from referee.contest.components import Points, main_component, reached
from referee.contest.numbers import Z, elo_of_log_odds
from referee.contest.results import PairResult

_PRIOR_CLUSTERS: Final = 4
_LEAST_DESIGN_EFFECT: Final = 0.02
_MOST_ITERATIONS: Final = 100_000
"""Thirty are usual; thousands are needed where each of many players has points of one other only."""
_PRECISION: Final = 1e-12

Matrix = NDArray[np.float64]


class Side(Enum):
    """Names where a player is that cannot be given a rating."""

    BELOW = "at most"
    ABOVE = "at least"
    APART = "not comparable"


@dataclass(frozen=True, slots=True)
class Estimate:
    """Holds a rating in Elo with its 95 % interval; 0 is the mean of all players that have an estimate."""

    elo: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Bound:
    """Holds what is known of a player that those with an estimate have given no point, or that gave them none.

    `elo` bounds the rating from the `side` with 95 % confidence; it is None if the player has met none of them. A
    player APART can be compared with them in neither direction.
    """

    side: Side
    elo: float | None


@dataclass(frozen=True, slots=True)
class Origin:
    """Stands for the zero of the scale where no two players have points of each other: bounds refer to this player."""


Rating = Estimate | Bound | Origin


def ratings_of(players: int, results: Sequence[PairResult]) -> tuple[Rating, ...]:
    """Returns the rating of each player of so many (at least 1), by the places in their list.

    A Bradley-Terry model is fitted to the largest set of players that have points of each other, directly or by way of
    others. Its intervals take the pairs of one deal for one observation, whatever their matches have in common.
    """
    if not results:
        return (Bound(Side.APART, None),) * players
    points = _points(players, results)
    reach = reached(points)
    strengths = _strengths(points, main_component(points, reach))
    estimates = _estimates(strengths, results)
    return tuple(
        estimates[player]
        if player in estimates
        else _bound(player, _side(player, strengths, reach), strengths, results)
        for player in range(players)
    )


def _points(players: int, results: Sequence[PairResult]) -> Points:
    points = [[0.0] * players for _ in range(players)]
    for result in results:
        first, second = result.pair.pairing.players
        points[first][second] += result.quarters / 2
        points[second][first] += 2 - result.quarters / 2
    return points


def _strengths(points: Points, component: Sequence[int]) -> Mapping[int, float]:
    """Returns the likeliest strengths of the component's players as log odds with mean 0."""
    if len(component) == 1:
        return {component[0]: 0.0}
    won = np.array([[points[player][other] for other in component] for player in component])
    fitted = ilsr_pairwise_dense(won, max_iter=_MOST_ITERATIONS, tol=_PRECISION)
    return dict(zip(component, map(float, fitted), strict=True))


def _estimates(strengths: Mapping[int, float], results: Sequence[PairResult]) -> Mapping[int, Estimate | Origin]:
    if len(strengths) == 1:
        return dict.fromkeys(strengths, Origin())
    return {
        player: Estimate(
            elo_of_log_odds(strength),
            elo_of_log_odds(strength - Z * sqrt(variance)),
            elo_of_log_odds(strength + Z * sqrt(variance)),
        )
        for (player, strength), variance in zip(strengths.items(), _variances(strengths, results), strict=True)
    }


def _variances(strengths: Mapping[int, float], results: Sequence[PairResult]) -> list[float]:
    """Returns the variance of each strength, by the sandwich estimator with the deals as clusters.

    As for the score of a pairing, imaginary observations that are as the model has them keep the estimate from being
    nothing: four clusters of the mean size, and a fiftieth of the variance of independent matches at least.
    """
    places = {player: place for place, player in enumerate(strengths)}
    size = len(strengths)
    information: Matrix = np.zeros((size, size))
    surprises: dict[int, Matrix] = {}
    for result in results:
        first, second = result.pair.pairing.players
        if not (first in places and second in places):
            continue
        expected = logistic(strengths[first] - strengths[second])
        difference: Matrix = np.zeros(size)
        difference[places[first]], difference[places[second]] = 1, -1
        information += 2 * expected * (1 - expected) * np.outer(difference, difference)
        surprise = (result.quarters / 2 - 2 * expected) * difference
        surprises[result.pair.deal] = surprises.get(result.pair.deal, 0) + surprise
    clusters = len(surprises)
    observed = np.array([*surprises.values()])
    middle = (clusters * observed.T @ observed + _PRIOR_CLUSTERS * information) / (clusters + _PRIOR_CLUSTERS)
    # Only differences are observed, so that the information has no inverse where all strengths move together.
    inverse = np.linalg.inv(information + 1 / size) - 1 / size
    variances = np.maximum(np.diag(inverse @ middle @ inverse), _LEAST_DESIGN_EFFECT * np.diag(inverse))
    return [float(variance) for variance in variances]


def _side(player: int, strengths: Mapping[int, float], reach: Sequence[frozenset[int]]) -> Side:
    """Returns where a player outside the component is; its members reach each other, so that any of them tells."""
    member = next(iter(strengths))
    if player in reach[member]:
        return Side.BELOW
    return Side.ABOVE if member in reach[player] else Side.APART


def _bound(player: int, side: Side, strengths: Mapping[int, float], results: Sequence[PairResult]) -> Bound:
    # To have won everything is to have lost everything with all signs changed.
    sign = -1 if side is Side.ABOVE else 1
    opponents: dict[int, list[float]] = {}
    for result in results:
        first, second = result.pair.pairing.players
        if player in (first, second):
            opponent = second if player == first else first
            if opponent in strengths:
                opponents.setdefault(result.pair.deal, []).append(sign * strengths[opponent])
    if not opponents:
        return Bound(side, None)
    return Bound(side, elo_of_log_odds(sign * strongest_loser([*opponents.values()])))
