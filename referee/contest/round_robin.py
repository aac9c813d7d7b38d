"""Round robin: everybody meets everybody."""

from itertools import combinations

from referee.contest.pairing import Pairing


def round_robin(players: int) -> tuple[Pairing, ...]:
    """Returns a pairing for any two of so many players (at least 2), the earlier in the list being its first."""
    return tuple(Pairing(first, second) for first, second in combinations(range(players), 2))
