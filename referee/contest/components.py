"""Which players can be compared at all: those that have points of each other, directly or by way of others."""

from collections.abc import Sequence

Points = Sequence[Sequence[float]]
"""`points[i][j]` are the matches that player i has won of player j, a level one being half a match for both."""


def reached(points: Points) -> tuple[frozenset[int], ...]:
    """Returns for each player those that it has points of, directly or by way of others, and itself."""
    reach = [{player, *(other for other, won in enumerate(row) if won > 0)} for player, row in enumerate(points)]
    for middle in range(len(points)):
        for player in range(len(points)):
            if middle in reach[player]:
                reach[player] |= reach[middle]
    return tuple(map(frozenset, reach))


def main_component(points: Points, reach: Sequence[frozenset[int]]) -> tuple[int, ...]:
    """Returns the largest set of players that all reach each other, ascending.

    Of equally large ones it is that with the most matches, then that with the most points.
    """
    components = {
        tuple(other for other in sorted(reach[player]) if player in reach[other]) for player in range(len(points))
    }

    def weight(component: tuple[int, ...]) -> tuple[int, float, float]:
        won = sum(sum(points[player]) for player in component)
        lost = sum(row[player] for row in points for player in component)
        return len(component), won + lost, won

    return max(sorted(components), key=weight)
