"""Measures how often one baseline beats another: `python -m tests.clients.duel careful greedy 500 [SEED]`.

Each deal is played twice with the seats exchanged, through the real rules and the real messages, without a server.
"""

import argparse
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from unoduo_client.baselines import BASELINES

from referee.rules.seats import Seat
from tests.clients.positions import play

# Standard deviations on either side of the mean that hold 95 % of a normal distribution.
_DEVIATIONS = 1.96


@dataclass(frozen=True)
class Score:
    """Holds the results of the first of two bots."""

    wins: int
    draws: int
    losses: int

    @property
    def matches(self) -> int:
        return self.wins + self.draws + self.losses

    def interval(self) -> tuple[float, float]:
        """Returns the Wilson interval (95 %) of the share of matches won; a draw is not won."""
        count, share, square = self.matches, self.wins / self.matches, _DEVIATIONS**2
        middle = share + square / (2 * count)
        reach = _DEVIATIONS * math.sqrt(share * (1 - share) / count + square / (4 * count**2))
        return (middle - reach) / (1 + square / count), (middle + reach) / (1 + square / count)


def duel(first: str, second: str, matches: int, seed: int = 1) -> Score:
    """Returns the results of the first bot in so many matches of variant `duo`, an even number."""
    if matches < 2 or matches % 2:
        raise ValueError("each deal is played twice: the number of matches must be even")
    results = Counter(
        result for deal in range(matches // 2) for result in _mirrored(first, second, (seed << 32) + deal)
    )
    return Score(results[True], results[None], results[False])


def _mirrored(first: str, second: str, seed: int) -> Iterator[bool | None]:
    """Yields whether the first bot wins, None for a draw, from seat A and from seat B."""
    bot, opponent = BASELINES[first](seed), BASELINES[second](seed)
    for seat, bots in ((Seat.A, (bot, opponent)), (Seat.B, (opponent, bot))):
        *_, state = play(bots, seed)
        assert state.outcome is not None
        winner = state.outcome.winner
        yield None if winner is None else winner is seat


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.clients.duel", description=__doc__)
    parser.add_argument("first", choices=sorted(BASELINES))
    parser.add_argument("second", choices=sorted(BASELINES))
    parser.add_argument("matches", type=int, help="an even number")
    parser.add_argument("seed", type=int, nargs="?", default=1)
    arguments = parser.parse_args()
    score = duel(arguments.first, arguments.second, arguments.matches, arguments.seed)
    low, high = score.interval()
    print(
        f"{arguments.first} against {arguments.second}: {score.wins} wins, {score.draws} draws, {score.losses} losses; "
        f"{score.wins / score.matches:.1%} won (95 %: {low:.1%} to {high:.1%})"
    )


if __name__ == "__main__":
    main()
