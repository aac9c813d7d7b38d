"""The book of a tournament: what counts, and what is to be played."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.contest.book import Book, BookingRefused
from referee.contest.pairing import Half
from referee.contest.results import Abandoned, PairResult, half_result
from referee.contest.schedule import make_schedule
from referee.rules.outcome import Outcome, Termination
from referee.rules.seats import Seat
from tests.contest.made import MASTER, PAIR

SCHEDULE = make_schedule([PAIR], 4, MASTER)
WIN_A = Outcome(Seat.A, Termination.TARGET, (10, 205), 5)
WIN_B = Outcome(Seat.B, Termination.TARGET, (215, 20), 5)
VOID = Outcome(None, Termination.VOID_REFEREE, (0, 0), 0)

Entry = tuple[int, int, Half, Outcome]


def book(*entries: Entry) -> Book:
    made = Book(SCHEDULE, 3)
    for entry in entries:
        made.enter(*entry)
    return made


def test_first_attempt_with_both_halves_is_due_at_the_start() -> None:
    assert Book(SCHEDULE, 3).due(3) == (0, (Half.FIRST, Half.SECOND))


def test_pair_counts_when_both_halves_are_booked() -> None:
    made = book((1, 0, Half.SECOND, WIN_B))
    assert made.result(SCHEDULE[0]) is None
    assert made.due(1) == (0, (Half.FIRST,))
    made.enter(1, 0, Half.FIRST, WIN_B)
    assert made.due(1) == (0, ())
    result = made.result(SCHEDULE[0])
    assert isinstance(result, PairResult)
    assert (result.pair, result.attempt) == (SCHEDULE[0], 0)
    assert result.halves == (half_result(WIN_B, Half.FIRST), half_result(WIN_B, Half.SECOND))
    assert [half.score for half in result.halves] == [0, 2]


@pytest.mark.parametrize(
    "halves",
    [
        [(Half.FIRST, VOID), (Half.SECOND, WIN_A)],
        [(Half.SECOND, WIN_A), (Half.FIRST, VOID)],
        [(Half.FIRST, WIN_A), (Half.SECOND, VOID)],
        [(Half.SECOND, VOID), (Half.FIRST, VOID)],
    ],
)
def test_void_half_makes_both_due_again(halves: list[tuple[Half, Outcome]]) -> None:
    made = book(*((2, 0, half, outcome) for half, outcome in halves))
    assert made.due(2) == (1, (Half.FIRST, Half.SECOND))
    assert made.result(SCHEDULE[1]) is None


def test_half_of_a_void_attempt_that_comes_late_counts_for_nothing() -> None:
    made = book((1, 0, Half.FIRST, VOID), (1, 1, Half.FIRST, WIN_A), (1, 1, Half.SECOND, WIN_A))
    before = made.result(SCHEDULE[0])
    made.enter(1, 0, Half.SECOND, WIN_B)
    assert made.result(SCHEDULE[0]) == before
    assert isinstance(before, PairResult)
    assert (before.attempt, before.quarters) == (1, 2)


def test_pair_is_abandoned_when_each_attempt_at_it_was_void() -> None:
    made = book(*((1, 0, half, WIN_A) for half in Half), *((2, attempt, Half.SECOND, VOID) for attempt in (0, 1)))
    assert made.due(2) == (2, (Half.FIRST, Half.SECOND))
    made.enter(2, 2, Half.FIRST, VOID)
    assert made.due(2) == (3, ())
    assert made.prefix() == (made.result(SCHEDULE[0]), Abandoned(SCHEDULE[1], 3))
    # The other half of the last attempt may come late; there is none after it.
    made.enter(2, 2, Half.SECOND, WIN_A)
    with pytest.raises(BookingRefused, match="not due"):
        made.enter(2, 3, Half.FIRST, WIN_A)


def test_prefix_ends_before_the_first_pair_that_is_not_over() -> None:
    made = book(*((pair, 0, half, WIN_A) for pair in (1, 2, 4) for half in Half))
    assert [result.pair.number for result in made.prefix()] == [1, 2]
    made.enter(3, 0, Half.FIRST, WIN_A)
    assert [result.pair.number for result in made.prefix()] == [1, 2]
    made.enter(3, 0, Half.SECOND, WIN_A)
    assert [result.pair.number for result in made.prefix()] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ((9, 0, Half.FIRST, WIN_A), "pair 9, attempt 0, half 1: there is no such pair"),
        ((0, 0, Half.FIRST, WIN_A), "there is no such pair"),
        ((1, 1, Half.FIRST, WIN_A), "pair 1, attempt 1, half 1: this attempt is not due"),
        ((1, -1, Half.FIRST, WIN_A), "this attempt is not due"),
        ((1, 0, Half.SECOND, WIN_B), "pair 1, attempt 0, half 2: booked already"),
        ((2, 0, Half.FIRST, WIN_A), "booked already"),
        ((2, 2, Half.FIRST, WIN_A), "this attempt is not due"),
    ],
)
def test_match_without_a_place_is_refused_and_changes_nothing(entry: Entry, message: str) -> None:
    made = book((1, 0, Half.SECOND, WIN_A), (2, 0, Half.FIRST, VOID))
    with pytest.raises(BookingRefused, match=message) as refused:
        made.enter(*entry)
    assert (refused.value.pair, refused.value.attempt, refused.value.half) == entry[:3]
    assert refused.value.message in message
    assert made.due(1) == (0, (Half.FIRST,))
    assert made.due(2) == (1, (Half.FIRST, Half.SECOND))


@given(st.integers(0, 2**32))
def test_book_is_the_same_in_whatever_order_the_matches_ended(seed: int) -> None:
    chance = Random(seed)
    attempts: list[list[Entry]] = []
    for pair in (1, 2, 3):
        voids = chance.choice([0, 0, 1, 2])
        for attempt in range(voids + 1):
            outcomes = [chance.choice([WIN_A, WIN_B]) for _ in Half]
            if attempt < voids:
                outcomes[chance.randrange(2)] = VOID
            attempts.append([(pair, attempt, half, outcome) for half, outcome in zip(Half, outcomes, strict=True)])
    in_order = [entry for entries in attempts for entry in entries]
    # Another order: any, as long as an attempt begins after the void that calls for it.
    shuffled = sorted(in_order, key=lambda entry: (entry[1], chance.random()))
    one, other = book(*in_order), book(*shuffled)
    assert one.prefix() == other.prefix()
    assert len(one.prefix()) == 3
    assert [one.due(pair.number) for pair in SCHEDULE] == [other.due(pair.number) for pair in SCHEDULE]
