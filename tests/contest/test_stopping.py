"""When a tournament is over, and what counts then."""

import pytest

from referee.contest.results import Abandoned, PairResult
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


def test_nothing_of_an_abandoned_pairing_counts() -> None:
    schedule = make_schedule(round_robin(3), 3, MASTER)
    results = played(schedule, [SWEPT] * 9)
    lost = schedule[5].pairing
    prefix: list[PairResult | Abandoned] = [*results[:5], Abandoned(schedule[5], 3), *results[6:]]
    made = course(schedule, prefix)
    assert made.over
    assert made.results == tuple(result for result in results if result.pair.pairing != lost)
    assert made.dropped == tuple(result for result in prefix if result.pair.pairing == lost)
    assert [pair.attempt for pair in made.dropped] == [0, 3, 0]
    assert not course(schedule, prefix[:8]).over


def test_abandoned_test_is_over_without_a_verdict() -> None:
    prefix: list[PairResult | Abandoned] = [*ALL_WON[:5], Abandoned(SCHEDULE[5], 3)]
    made = course(SCHEDULE, prefix, Sprt(0, 50))
    assert (made.over, made.results, made.dropped) == (True, (), tuple(prefix))
    assert course(SCHEDULE, [*prefix, *ALL_WON[6:]], Sprt(0, 50)) == made
    assert made.test is not None
    assert (made.test.pairs, made.test.verdict) == (0, None)


def test_test_that_has_decided_is_not_abandoned_any_more() -> None:
    decided = course(SCHEDULE, ALL_WON, Sprt(0, 50))
    prefix: list[PairResult | Abandoned] = [*ALL_WON[:50], Abandoned(SCHEDULE[50], 3)]
    assert course(SCHEDULE, prefix, Sprt(0, 50)) == decided
