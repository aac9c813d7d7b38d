"""What is to be played, and its order."""

from collections import Counter

import pytest

from referee.contest.pairing import Pairing
from referee.contest.round_robin import round_robin
from referee.contest.schedule import make_schedule
from referee.contest.seeds import order_key
from tests.contest.made import MASTER

PAIRINGS = round_robin(5)


def test_schedule_has_so_many_pairs_of_each_pairing_numbered_from_1() -> None:
    schedule = make_schedule(PAIRINGS, 7, MASTER)
    assert [pair.number for pair in schedule] == list(range(1, 71))
    assert Counter(pair.pairing for pair in schedule) == dict.fromkeys(PAIRINGS, 7)


def test_every_beginning_of_the_schedule_is_even_but_for_one_pair() -> None:
    counts = Counter(dict.fromkeys(PAIRINGS, 0))
    for pair in make_schedule(PAIRINGS, 7, MASTER):
        counts[pair.pairing] += 1
        assert max(counts.values()) - min(counts.values()) <= 1


def test_order_of_a_round_is_that_of_its_keys() -> None:
    third = [pair.pairing for pair in make_schedule(PAIRINGS, 3, MASTER) if pair.round == 3]
    keys = {pairing: order_key(MASTER, 3, place) for place, pairing in enumerate(PAIRINGS)}
    assert third == sorted(PAIRINGS, key=keys.__getitem__)


def test_order_differs_between_rounds_and_between_masters() -> None:
    def orders(master: bytes) -> list[list[Pairing]]:
        schedule = make_schedule(PAIRINGS, 4, master)
        return [[pair.pairing for pair in schedule if pair.round == round] for round in (1, 2, 3, 4)]

    ours, theirs = orders(MASTER), orders(bytes(32))
    assert all(one != other for place, one in enumerate(ours) for other in ours[:place])
    assert ours != theirs


def test_more_pairs_continue_the_same_schedule() -> None:
    assert make_schedule(PAIRINGS, 9, MASTER)[:40] == make_schedule(PAIRINGS, 4, MASTER)


def test_each_pair_has_a_deal_of_its_own() -> None:
    assert all(pair.deal == pair.number for pair in make_schedule(PAIRINGS, 3, MASTER))


def test_common_deals_are_the_same_for_all_pairings_of_a_round() -> None:
    schedule = make_schedule(PAIRINGS, 3, MASTER, common_deals=True)
    assert all(pair.deal == pair.round for pair in schedule)
    assert [pair.pairing for pair in schedule] == [pair.pairing for pair in make_schedule(PAIRINGS, 3, MASTER)]


def test_schedule_without_a_pair_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one pair, not 0"):
        make_schedule(PAIRINGS, 0, MASTER)


def test_pairing_named_twice_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^a pairing is there twice"):
        make_schedule([Pairing(0, 1), Pairing(1, 0)], 1, MASTER)
