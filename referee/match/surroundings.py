"""What all matches of a referee share."""

from collections.abc import Callable
from dataclasses import dataclass

from referee.match.clock import Clock
from referee.match.referee_index import RefereeIndex
from referee.match.signing import Signer
from referee.store.base import MatchRow, Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """Says who may come to a match beside the two sessions that play it.

    `max_calls_a_seat` calls of `Act` may be open for a seat, `max_spectators` may watch, and they are told an entry
    `spectator_delay_ms` after its commit.
    """

    max_calls_a_seat: int
    max_spectators: int
    spectator_delay_ms: int


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Holds the surroundings of a match.

    `on_sealed` is called with the number of each match that is over, `on_given_up` with the row of each that cannot go
    on in memory. Without a `signer` nothing is signed.
    """

    store: Store
    index: RefereeIndex
    clock: Clock
    on_sealed: Callable[[int], None]
    on_given_up: Callable[[MatchRow], None]
    admission: Admission
    signer: Signer | None = None
