"""What all matches of a referee share."""

from collections.abc import Callable
from dataclasses import dataclass

from referee.match.clock import Clock
from referee.match.referee_index import RefereeIndex
from referee.store.base import MatchRow, Store


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Holds the surroundings of a match.

    `on_sealed` is called with the number of each match that is over, `on_given_up` with the row of each that cannot go
    on in memory.
    """

    store: Store
    index: RefereeIndex
    clock: Clock
    on_sealed: Callable[[int], None]
    on_given_up: Callable[[MatchRow], None]
