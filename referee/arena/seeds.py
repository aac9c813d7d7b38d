"""The seeds that a pair of matches needs, apart from the master seed: who plays need not know more."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from referee.contest.pairing import Half
from referee.contest.schedule import ScheduledPair
from referee.contest.seeds import pair_bot_seed
from referee.deal.master import pair_seed
from referee.rules.seats import SEATS


@dataclass(frozen=True, slots=True)
class AttemptSeeds:
    """Holds what an attempt at a pair follows from: the seed of its deal, those of the bots by half and seat."""

    deal: bytes = field(repr=False)
    bots: dict[Half, tuple[bytes, ...]] = field(repr=False)


SeedsOf = Callable[[ScheduledPair, int], AttemptSeeds]
"""Returns the seeds of an attempt at a pair, from 0."""


def seeds_of_master(master: bytes, entropies: Sequence[bytes]) -> SeedsOf:
    """Returns what derives all seeds of a tournament (`contest/seeds.py`, `deal/master.py`), in other processes too."""
    return partial(_seeds, master, entropies)


def _seeds(master: bytes, entropies: Sequence[bytes], pair: ScheduledPair, attempt: int) -> AttemptSeeds:
    bots = {half: tuple(pair_bot_seed(master, pair.number, attempt, half, seat) for seat in SEATS) for half in Half}
    return AttemptSeeds(pair_seed(master, pair.deal, attempt, entropies), bots)
