"""What all matches of a referee share."""

from collections.abc import Callable
from dataclasses import dataclass

from referee.match.clock import Clock
from referee.match.referee_index import RefereeIndex
from referee.store.base import Store


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Holds the surroundings of a match; `on_closed` is called with the number of each that is over or given up."""

    store: Store
    index: RefereeIndex
    clock: Clock
    on_closed: Callable[[int], None]
