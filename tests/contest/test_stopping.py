"""When a tournament is over, and what counts then."""

import pytest

from referee.contest.round_robin import round_robin
from referee.contest.schedule import make_schedule
from referee.contest.sprt import Sprt, Verdict
from referee.contest.stopping import course
from tests.contest.made import LEVEL_PAIR, MASTER, PAIR, SWEPT, SWEPT_AWAY, played

SCHEDULE = make_schedule([PAIR], 60, MASTER)
ALL_WON = played(SCHEDULE, [SWEPT] * 60)


def test_tournament_without_a_test_is_over_with_its_schedule() -> None:
    assert not course(SCHEDULE, ALL_WON[:59]).over
    made = course(SCHEDULE, ALL_WON)
    assert made.over
    assert (made.results, made.test) == (ALL_WON, None)


def test_test_ends_a_tournament_at_the_pair_that_decides() -> None:
    decided = course(SCHEDULE, ALL_WON, Sprt(0, 50))
    assert decided.over
    assert decided.test is not None
    assert decided.test.verdict is Verdict.STRONGER
    assert decided.results == ALL_WON[: decided.test.pairs]
    assert len(decided.results) < 30


def test_later_pairs_change_nothing_once_a_test_has_decided() -> None:
    decided = course(SCHEDULE, ALL_WON, Sprt(0, 50))
    later = played(SCHEDULE, [SWEPT] * len(decided.results) + [SWEPT_AWAY] * 30)
    assert course(SCHEDULE, later, Sprt(0, 50)) == decided


def test_undecided_test_goes_on_to_the_end_of_the_schedule() -> None:
    scores = [SWEPT, LEVEL_PAIR, SWEPT_AWAY] * 20
    made = course(SCHEDULE, played(SCHEDULE, scores[:59]), Sprt())
    assert not made.over
    assert len(made.results) == 59
    made = course(SCHEDULE, played(SCHEDULE, scores), Sprt())
    assert made.over
    assert made.test is not None
    assert made.test.verdict is None


def test_test_of_more_than_two_players_is_refused() -> None:
    with pytest.raises(ValueError, match="two players"):
        course(make_schedule(round_robin(3), 2, MASTER), [], Sprt())
