"""What is given to whoever plays matches, and what comes back."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Protocol

from referee.contest.pairing import Half
from referee.contest.schedule import ScheduledPair
from referee.rules.outcome import Outcome

Group = tuple[ScheduledPair, ...]
"""Pairs with the same deal, at least one: none of them can be looked at before all are over."""


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """Holds a match that is over: half of an attempt at a pair, its id, its outcome and its replay file."""

    pair: int
    attempt: int
    half: Half
    match_id: bytes
    outcome: Outcome
    replay: bytes = field(repr=False)


class Executor(Protocol):
    """Plays matches somewhere: on this machine or on others. Results do not depend on where."""

    @property
    def groups_at_once(self) -> int:
        """How many groups it is worth while to have under way."""

    async def play(self, group: Group) -> Sequence[PlayedMatch]:
        """Plays every pair of a group until it counts, and returns all its matches, also those that are void.

        Seeds follow from pair, attempt, half and seat alone: called again after it was cut, it plays what was not over
        in just the same way. Raises ArenaError if it cannot.
        """


def groups_of(schedule: Sequence[ScheduledPair]) -> tuple[Group, ...]:
    """Returns the pairs of a schedule by their deals, which stand together in it."""
    return tuple(tuple(pairs) for _, pairs in groupby(schedule, key=lambda pair: pair.deal))
