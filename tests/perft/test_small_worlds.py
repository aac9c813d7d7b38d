"""Every state of small worlds: the counts are as they were, nobody is ever stuck, and each round can end (I20)."""

from typing import Any

import pytest

from referee.rules.cards import Card
from referee.rules.seats import Seat
from tests.perft.explore import Blind, explore, leading_to
from tests.perft.inspection import Thorough
from tests.perft.records import kept_counts
from tests.perft.worlds import DECKS, OPTIONS, world

# Exploring the others takes minutes: they are slow.
FAST = {(deck, option) for deck in ("six", "six-doubles", "eight") for option in OPTIONS}
# Looking at each move takes ten times as long: for the decks not named here that is left to `make perft`.
FAST_INSPECTED = {("six-doubles", option) for option in ("duo", "shuffle", "player", "inert")}
SLOW_INSPECTED = {(deck, option) for deck in ("six", "six-doubles") for option in OPTIONS}
EVERY_WORLD = {(deck, option) for deck in DECKS for option in OPTIONS}


def worlds(fast: set[tuple[str, str]], slow: set[tuple[str, str]]) -> list[Any]:
    def marks(named: tuple[str, str]) -> Any:
        if named in fast:
            return ()
        return pytest.mark.slow if named in slow else pytest.mark.exhaustive

    return [pytest.param(*named, marks=marks(named)) for named in sorted(EVERY_WORLD)]


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("deck", "option"), worlds(FAST, EVERY_WORLD))
def test_small_world_has_the_counts_that_are_kept(deck: str, option: str) -> None:
    tally = explore(world(deck, option), Blind())
    assert tally.counts() == kept_counts(deck)[option]
    assert tally.endless == 0


@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("deck", "option"), worlds(FAST_INSPECTED, SLOW_INSPECTED))
def test_invariants_and_checker_hold_at_every_move_of_a_small_world(deck: str, option: str) -> None:
    explored = world(deck, option)
    assert explore(explored, Thorough(explored)).counts() == kept_counts(deck)[option]


@pytest.mark.parametrize("option", [option for option in OPTIONS if option != "duo"])
def test_option_changes_the_counts_of_some_world(option: str) -> None:
    assert any(kept_counts(deck)[option] != kept_counts(deck)["duo"] for deck in DECKS)


@pytest.mark.parametrize("deck", DECKS)
def test_small_world_is_what_it_is_said_to_be(deck: str) -> None:
    hand_size, cards = DECKS[deck]
    assert (hand_size, len(cards.split())) in ((1, 6), (1, 7), (1, 8), (2, 9))
    assert list(kept_counts(deck)) == list(OPTIONS)


def test_engine_that_is_wrong_has_other_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    def reverse_skips(seat: Seat, last: Card) -> Seat:
        return seat if last.name.endswith(("SKIP", "REVERSE")) else seat.other

    for module in ("decide", "evolve"):
        monkeypatch.setattr(f"referee.rules.{module}.seat_after_play", reverse_skips)
    assert explore(world("six-doubles", "duo"), Blind()).counts() != kept_counts("six-doubles")["duo"]


def test_states_from_which_no_way_leads_to_an_end_are_found() -> None:
    moves = [(1, 2), (2, 3), (3, 1), (3, 4), (5, 6), (6, 5), (1, 5)]
    assert leading_to({4}, moves) == {1, 2, 3, 4}
