"""By how many points a player wins."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.contest.margins import Margin, margin_of
from referee.contest.numbers import Interval
from referee.contest.results import PairResult
from referee.contest.schedule import make_schedule
from referee.rules.outcome import Termination
from tests.contest.made import MASTER, PAIR, half

Margins = list[tuple[int, int]]


def results(margins: Margins, termination: Termination = Termination.TARGET) -> tuple[PairResult, ...]:
    schedule = make_schedule([PAIR], max(1, len(margins)), MASTER)
    return tuple(
        PairResult(pair, 0, (half(2, one), half(2, other, termination)))
        for pair, (one, other) in zip(schedule, margins, strict=False)
    )


def test_no_pair_has_no_margin() -> None:
    assert margin_of([]) is None


def test_one_pair_has_no_interval() -> None:
    assert margin_of(results([(30, -10)])) == Margin(1, 10.0, None)


def test_interval_is_that_of_t_over_the_means_of_pairs() -> None:
    # The means are 10, 20, 30, 40, 50: standard error sqrt(250 / 5), and t with 4 degrees of freedom is 2.776445.
    made = margin_of(results([(10, 10), (0, 40), (60, 0), (40, 40), (80, 20)]))
    assert made is not None
    assert made.mean == 30.0
    assert made.interval == pytest.approx((30 - 2.776445 * 50**0.5, 30 + 2.776445 * 50**0.5), abs=1e-4)


def test_deterministic_copies_have_a_margin_of_exactly_nothing() -> None:
    assert margin_of(results([(120, -120)] * 50)) == Margin(50, 0.0, Interval(0.0, 0.0))


def test_pair_with_a_forfeit_is_left_out() -> None:
    out = results([(10, 20), (30, 50)])
    assert margin_of(out + results([(500, 500)], Termination.DISCONNECT)) == margin_of(out)
    assert margin_of(results([(500, 500)], Termination.RESIGNATION)) is None


@given(st.lists(st.tuples(st.integers(-600, 600), st.integers(-600, 600)), min_size=2, max_size=40))
def test_exchanged_players_negate_every_digit(margins: Margins) -> None:
    ours = margin_of(results(margins))
    theirs = margin_of(results([(-one, -other) for one, other in margins]))
    assert ours is not None
    assert theirs is not None
    assert ours.interval is not None
    assert theirs.interval is not None
    assert theirs.mean == -ours.mean
    assert theirs.interval == (-ours.interval.high, -ours.interval.low)
