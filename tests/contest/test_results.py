"""What an outcome counts for."""

import pytest

from referee.contest.pairing import Half
from referee.contest.results import HalfResult, PairResult, half_result
from referee.contest.schedule import make_schedule
from referee.rules.outcome import Outcome, Termination
from referee.rules.seats import Seat
from tests.contest.made import MASTER, PAIR, half

T = Termination


@pytest.mark.parametrize(
    ("outcome", "in_first", "in_second"),
    [
        (Outcome(Seat.A, T.TARGET, (40, 210), 7), (2, 170, (False, False)), (0, -170, (False, False))),
        (Outcome(Seat.B, T.ROUND_CAP, (90, 30), 9), (0, -60, (False, False)), (2, 60, (False, False))),
        (Outcome(None, T.ROUND_CAP, (50, 50), 9), (1, 0, (False, False)), (1, 0, (False, False))),
        (Outcome(Seat.A, T.TIMEOUT, (20, 10), 2, (Seat.B,)), (2, -10, (False, True)), (0, 10, (True, False))),
        (Outcome(Seat.B, T.RESIGNATION, (20, 10), 2), (0, -10, (False, False)), (2, 10, (False, False))),
        (Outcome(None, T.NO_SHOW, (0, 0), 0, (Seat.A, Seat.B)), (1, 0, (True, True)), (1, 0, (True, True))),
    ],
)
def test_outcome_counts_for_the_first_player_by_its_seat(
    outcome: Outcome,
    in_first: tuple[int, int, tuple[bool, bool]],
    in_second: tuple[int, int, tuple[bool, bool]],
) -> None:
    for place, (score, margin, faulted) in zip(Half, (in_first, in_second), strict=True):
        assert half_result(outcome, place) == HalfResult(score, margin, outcome.termination, faulted)


@pytest.mark.parametrize("termination", [T.VOID_ORGANISER, T.VOID_REFEREE])
def test_void_match_counts_for_nothing(termination: Termination) -> None:
    assert half_result(Outcome(None, termination, (3, 4), 1), Half.FIRST) is None


@pytest.mark.parametrize("termination", [t for t in T if not t.name.startswith("VOID")])
def test_match_is_played_out_when_the_rules_end_it(termination: Termination) -> None:
    assert half(2, termination=termination).played_out == (termination in (T.TARGET, T.ROUND_CAP))


def test_pair_is_played_out_when_both_halves_are() -> None:
    [pair] = make_schedule([PAIR], 1, MASTER)
    out, forfeit = half(2), half(0, termination=T.TIMEOUT)
    assert PairResult(pair, 0, (out, out)).played_out
    assert not PairResult(pair, 0, (out, forfeit)).played_out
    assert not PairResult(pair, 0, (forfeit, out)).played_out


def test_pair_scores_the_quarters_of_its_halves() -> None:
    [pair] = make_schedule([PAIR], 1, MASTER)
    for one in range(3):
        for other in range(3):
            assert PairResult(pair, 0, (half(one), half(other))).quarters == one + other
