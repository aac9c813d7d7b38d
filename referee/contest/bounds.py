"""How strong a player may be that has lost everything."""

from collections.abc import Sequence
from math import exp, expm1, log, log1p
from typing import Final

from referee.contest.numbers import CONFIDENCE

_BISECTIONS: Final = 100


def logistic(log_odds: float) -> float:
    """Returns the probability with these log odds."""
    return 1 / (1 + exp(-log_odds))


def strongest_loser(opponents: Sequence[Sequence[float]]) -> float:
    """Returns the 95 % bound from above on the strength of a player that has lost every match, as log odds.

    `opponents` holds for each deal (at least one) the strengths of those that it met in it. A stronger player would
    have lost so often with a probability of less than 5 %. Of each deal only the match against the weakest opponent is
    counted: to lose every match of a deal is no likelier than that, whatever they have in common.
    """
    weakest = [min(strengths) for strengths in opponents]
    doubt = log(1 - CONFIDENCE)
    # Were all opponents equal, the player would be above them by this: (1 - p) ** n is 0.05.
    lead = log(expm1(-doubt / len(weakest)))
    low, high = min(weakest) + lead, max(weakest) + lead
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        if sum(log1p(-logistic(middle - strength)) for strength in weakest) < doubt:
            high = middle
        else:
            low = middle
    return low
