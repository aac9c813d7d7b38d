"""The table of a tournament: players in order, and the crosstable of their pairings."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from referee.contest.halves import Halves, halves_of
from referee.contest.holm import holm
from referee.contest.margins import Margin, margin_of
from referee.contest.pairing import Pairing
from referee.contest.ratings import Bound, Estimate, Rating, Side, ratings_of
from referee.contest.results import LEVEL, LOST, WON, Abandoned, PairResult
from referee.contest.scores import PairClasses, Score, score_of
from referee.rules.outcome import Termination

_TIERS: Final = {Side.ABOVE: 3, Side.BELOW: 1, Side.APART: 0}
_RATED_TIER: Final = 2


@dataclass(frozen=True, slots=True)
class Faults:
    """Counts the matches that ended by a player's own fault."""

    timeouts: int
    illegal_actions: int
    disconnects: int
    no_shows: int

    @property
    def total(self) -> int:
        """All of them."""
        return self.timeouts + self.illegal_actions + self.disconnects + self.no_shows


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts the matches of one player, its faults, and the void attempts at its pairs."""

    won: int
    level: int
    lost: int
    faults: Faults
    voids: int

    @property
    def score(self) -> float | None:
        """The share of the matches that it won, a level one being half of one, or None before the first."""
        matches = self.won + self.level + self.lost
        return (2 * self.won + self.level) / (2 * matches) if matches else None


@dataclass(frozen=True, slots=True)
class Row:
    """Holds one player, named by its place in the list of the tournament. Equals share a `place`, from 1."""

    place: int
    player: int
    tally: Tally
    rating: Rating


@dataclass(frozen=True, slots=True)
class Cell:
    """Holds one pairing in the eyes of its first player.

    `p_value` is that of the score, corrected for all pairings of the table: up to 0.05 it deserves a mark. `score` and
    `p_value` are None before the first pair, `margin` while no pair was played out. Of an `abandoned` one nothing
    counts.
    """

    pairing: Pairing
    abandoned: bool
    classes: PairClasses
    score: Score | None
    p_value: float | None
    margin: Margin | None
    halves: Halves


@dataclass(frozen=True, slots=True)
class Standings:
    """Holds a table: how many pairs it counts, the players in order, the pairings in the order of the format."""

    pairs: int
    rows: tuple[Row, ...]
    cells: tuple[Cell, ...]


def standings(
    players: int,
    pairings: Sequence[Pairing],
    results: Sequence[PairResult],
    dropped: Sequence[PairResult | Abandoned] = (),
) -> Standings:
    """Returns the table of so many players after the results that count, a beginning of the schedule in its order.

    `dropped` are the pairs of abandoned pairings in it, of which only the void attempts are told.
    """
    return Standings(len(results), _rows(players, results, dropped), _cells(pairings, results, dropped))


def tally(player: int, results: Sequence[PairResult], dropped: Sequence[PairResult | Abandoned] = ()) -> Tally:
    """Returns the counts of one player over all its pairs."""
    scores: Counter[int] = Counter()
    faults: Counter[Termination] = Counter()
    voids = sum(pair.attempt for pair in dropped if player in pair.pair.pairing.players)
    for result in results:
        players = result.pair.pairing.players
        if player not in players:
            continue
        side = players.index(player)
        voids += result.attempt
        for half in result.halves:
            scores[half.score if side == 0 else WON - half.score] += 1
            if half.faulted[side]:
                faults[half.termination] += 1
    booked = Faults(
        timeouts=faults[Termination.TIMEOUT],
        illegal_actions=faults[Termination.ILLEGAL_ACTION],
        disconnects=faults[Termination.DISCONNECT],
        no_shows=faults[Termination.NO_SHOW],
    )
    return Tally(scores[WON], scores[LEVEL], scores[LOST], booked, voids)


def _rows(players: int, results: Sequence[PairResult], dropped: Sequence[PairResult | Abandoned]) -> tuple[Row, ...]:
    ratings = ratings_of(players, results)
    tallies = [tally(player, results, dropped) for player in range(players)]
    ranks = [_rank(*both) for both in zip(ratings, tallies, strict=True)]
    order = sorted(range(players), key=ranks.__getitem__, reverse=True)
    return tuple(
        Row(1 + sum(rank > ranks[player] for rank in ranks), player, tallies[player], ratings[player])
        for player in order
    )


def _rank(rating: Rating, tally: Tally) -> tuple[int, float, float]:
    """Returns what players are sorted by: who is above all that are rated, their ratings, who is below, then shares."""
    tier = _TIERS[rating.side] if isinstance(rating, Bound) else _RATED_TIER
    return tier, rating.elo if isinstance(rating, Estimate) else 0.0, tally.score or 0.0


def _cells(
    pairings: Sequence[Pairing], results: Sequence[PairResult], dropped: Sequence[PairResult | Abandoned]
) -> tuple[Cell, ...]:
    abandoned = {pair.pair.pairing for pair in dropped}
    of_pairing = {pairing: [result for result in results if result.pair.pairing == pairing] for pairing in pairings}
    classes = [PairClasses.of(of_pairing[pairing]) for pairing in pairings]
    scores = [score_of(counts) for counts in classes]
    corrected = iter(holm([score.p_value for score in scores if score is not None]))
    return tuple(
        Cell(
            pairing=pairing,
            abandoned=pairing in abandoned,
            classes=counts,
            score=score,
            p_value=None if score is None else next(corrected),
            margin=margin_of(of_pairing[pairing]),
            halves=halves_of(of_pairing[pairing]),
        )
        for pairing, counts, score in zip(pairings, classes, scores, strict=True)
    )
