"""Which players can be compared."""

import pytest

from referee.contest.components import main_component, reached


def points(players: int, *wins: tuple[int, int, float]) -> list[list[float]]:
    made = [[0.0] * players for _ in range(players)]
    for winner, loser, number in wins:
        made[winner][loser] += number
    return made


def component(players: int, *wins: tuple[int, int, float]) -> tuple[int, ...]:
    made = points(players, *wins)
    return main_component(made, reached(made))


def test_player_reaches_by_way_of_others() -> None:
    reach = reached(points(4, (0, 1, 2.0), (1, 2, 0.5), (3, 0, 1.0)))
    assert [*map(sorted, reach)] == [[0, 1, 2], [1, 2], [2], [0, 1, 2, 3]]


@pytest.mark.parametrize(
    ("wins", "members"),
    [
        ([(0, 1, 1), (1, 0, 1), (0, 2, 2), (1, 2, 2)], (0, 1)),
        ([(2, 0, 1), (0, 1, 1), (1, 2, 1)], (0, 1, 2)),
        ([(0, 1, 0.5), (1, 0, 0.5), (2, 0, 1)], (0, 1)),
        ([(0, 1, 1), (1, 0, 1), (2, 3, 3), (3, 2, 1)], (2, 3)),
        ([(1, 0, 2), (1, 2, 2)], (1,)),
        ([(0, 1, 2), (2, 1, 2)], (1,)),
        ([(1, 0, 2)], (1,)),
    ],
)
def test_main_component_is_the_largest_then_the_busiest_then_the_best(
    wins: list[tuple[int, int, float]], members: tuple[int, ...]
) -> None:
    assert component(4, *wins) == members
