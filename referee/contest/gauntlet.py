"""Gauntlet: the first player of the list meets each of the others, who do not meet."""

from referee.contest.pairing import Pairing


def gauntlet(players: int) -> tuple[Pairing, ...]:
    """Returns the pairings of player 0 with each other of so many players (at least 2)."""
    return tuple(Pairing(0, other) for other in range(1, players))
