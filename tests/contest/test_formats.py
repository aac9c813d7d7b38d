"""Who meets whom."""

import pytest

from referee.contest.formats import FORMATS
from referee.contest.gauntlet import gauntlet
from referee.contest.pairing import Half, Pairing
from referee.contest.round_robin import round_robin
from referee.rules.seats import Seat


def test_round_robin_pairs_everybody_with_everybody_once() -> None:
    assert round_robin(4) == (
        Pairing(0, 1), Pairing(0, 2), Pairing(0, 3), Pairing(1, 2), Pairing(1, 3), Pairing(2, 3),
    )  # fmt: skip


def test_gauntlet_pairs_the_first_of_the_list_with_each_other() -> None:
    assert gauntlet(4) == (Pairing(0, 1), Pairing(0, 2), Pairing(0, 3))


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_each_player_a_match_and_no_pairing_twice(name: str) -> None:
    for players in range(2, 12):
        pairings = FORMATS[name](players)
        assert {player for pairing in pairings for player in pairing.players} == set(range(players))
        assert len({frozenset(pairing.players) for pairing in pairings}) == len(pairings)


def test_player_cannot_meet_itself() -> None:
    with pytest.raises(ValueError, match="player 3 cannot meet itself"):
        Pairing(3, 3)


def test_seats_are_exchanged_in_the_second_half() -> None:
    assert Half.FIRST.seats == (Seat.A, Seat.B)
    assert Half.SECOND.seats == (Seat.B, Seat.A)
