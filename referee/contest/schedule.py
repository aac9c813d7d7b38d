"""What is to be played, all of it and its order, before anything is."""

from collections.abc import Sequence
from dataclasses import dataclass

from referee.contest.pairing import Pairing
from referee.contest.seeds import order_key


@dataclass(frozen=True, slots=True)
class ScheduledPair:
    """Holds one mirrored pair of matches.

    `number` is its place in the schedule, from 1, and names it in every derivation. `deal` is the number that its deal
    is derived from: its own, or with common deals that of its round, which is then the deal of every pairing. Pairs
    with the same `deal` are one cluster to the statistics.
    """

    number: int
    round: int
    pairing: Pairing
    deal: int


def make_schedule(
    pairings: Sequence[Pairing], pairs: int, master: bytes, *, common_deals: bool = False
) -> tuple[ScheduledPair, ...]:
    """Returns so many mirrored pairs (at least 1) of each pairing, in the order in which they count.

    A round has one pair of each pairing, in an order of its own that follows from the master seed (32 bytes): any
    beginning of the schedule gives the pairings equal numbers of pairs, but for one. More pairs continue the same
    schedule. Raises ValueError for less than one pair, a pairing named twice or a master of wrong size.
    """
    if pairs < 1:
        raise ValueError(f"a pairing needs at least one pair, not {pairs}")
    if len({frozenset(pairing.players) for pairing in pairings}) != len(pairings):
        raise ValueError("a pairing is there twice")
    schedule: list[ScheduledPair] = []
    for round in range(1, pairs + 1):
        for place in sorted(range(len(pairings)), key=lambda place: order_key(master, round, place)):
            number = len(schedule) + 1
            schedule.append(ScheduledPair(number, round, pairings[place], round if common_deals else number))
    return tuple(schedule)
