"""The correlation of the halves of a pair, and what mirroring saves."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.contest.halves import Halves, Saving, halves_of
from referee.contest.results import PairResult
from referee.rules.outcome import Termination
from tests.contest.made import SWEPT, SWEPT_AWAY, class_chances, duel, enumerated, half, of_classes

pair_scores = st.lists(st.tuples(st.sampled_from([0, 1, 2]), st.sampled_from([0, 1, 2])), min_size=1, max_size=60)


def test_correlation_is_that_of_the_halves_told_both_ways() -> None:
    scores = [(2, 2)] * 9 + [(2, 0)] * 12 + [(0, 2)] * 7 + [(0, 0)] * 4
    made = halves_of(duel(scores))
    firsts, seconds = zip(*(scores + [(other, one) for one, other in scores]), strict=True)
    assert made.pairs == 32
    assert made.correlation == pytest.approx(np.corrcoef(firsts, seconds)[0, 1])


def test_interval_ends_where_goodness_of_fit_reaches_its_limit() -> None:
    lost, level, won = 30, 120, 50
    made = halves_of(of_classes(lost, level, won))
    assert made.correlation is not None
    assert made.interval is not None
    m = (won + level / 2) / 200
    for end in made.interval:
        chances = class_chances(m, end)
        assert chances is not None
        expected = [200 * chance for chance in chances]
        observed = (lost, level, won)
        squares = sum((one - other) ** 2 / other for one, other in zip(observed, expected, strict=True))
        assert squares == pytest.approx(3.841459, abs=1e-4)
    assert made.interval.low < made.correlation < made.interval.high


def test_deterministic_copies_save_exactly() -> None:
    assert halves_of(duel([(2, 0), (0, 2)] * 10)) == Halves(20, -1.0, None, Saving.EXACT)
    assert halves_of(duel([(2, 0)])) == Halves(1, -1.0, None, Saving.EXACT)


def test_independent_halves_save_nothing_measurable() -> None:
    made = halves_of(of_classes(50, 100, 50))
    assert made.correlation == 0.0
    assert made.saving is Saving.NONE_MEASURABLE


def test_halves_that_go_together_save_nothing_measurable() -> None:
    made = halves_of(of_classes(100, 0, 100))
    assert made.correlation == 1.0
    assert made.saving is Saving.NONE_MEASURABLE


def test_luck_that_changes_sides_is_a_measured_saving() -> None:
    made = halves_of(of_classes(20, 160, 20))
    assert made.correlation == pytest.approx(-0.6)
    assert made.interval is not None
    assert made.interval.high < -0.4
    assert made.saving is Saving.MEASURED


@pytest.mark.parametrize("scores", [[], [SWEPT] * 30, [SWEPT_AWAY] * 30])
def test_one_sided_pairing_says_nothing_of_its_halves(scores: list[tuple[int, int]]) -> None:
    assert halves_of(duel(scores)) == Halves(len(scores), None, None, Saving.UNKNOWN)


def test_few_pairs_have_no_interval() -> None:
    made = halves_of(of_classes(1, 5, 1))
    assert made == Halves(7, -84 / 196, None, Saving.UNKNOWN)
    assert halves_of(of_classes(1, 6, 1)).interval is not None


def test_low_end_is_open_while_few_pairs_are_won_twice_by_the_weaker() -> None:
    seven, eight = halves_of(of_classes(7, 90, 50)).interval, halves_of(of_classes(8, 90, 50)).interval
    assert seven is not None
    assert eight is not None
    assert seven.low == -1.0
    assert eight.low > -0.6


def test_pair_with_a_forfeit_is_left_out() -> None:
    results = of_classes(20, 60, 20)
    forfeit = PairResult(results[0].pair, 0, (half(2), half(2, termination=Termination.TIMEOUT)))
    assert halves_of((*results, forfeit)) == halves_of(results)


def test_level_halves_show_no_correlation_of_their_own() -> None:
    made = halves_of(duel([(1, 1)] * 40))
    assert made.correlation == 0.0
    assert made.saving is Saving.NONE_MEASURABLE


@given(pair_scores)
def test_both_players_see_the_same_correlation(scores: list[tuple[int, int]]) -> None:
    ours = halves_of(duel(scores))
    assert halves_of(duel([(2 - one, 2 - other) for one, other in scores])) == ours
    assert ours.correlation is None or -1 <= ours.correlation <= 1
    assert ours.interval is None or -1 <= ours.interval.low <= ours.interval.high <= 1


CASES = [
    pytest.param(*case, marks=[pytest.mark.slow] if case[0] == 200 else [])
    for case in product((20, 50, 200), (0.5, 0.6, 0.8, 0.9), (0.2, 0.0, -0.1, -0.3, -0.6))
    if class_chances(*case[1:]) is not None
]


@pytest.mark.parametrize(("pairs", "score", "correlation"), CASES)
def test_interval_holds_the_true_correlation_often_enough(pairs: int, score: float, correlation: float) -> None:
    chances = class_chances(score, correlation)
    assert chances is not None
    held = looked = 0.0
    for (lost, level, won), probability in enumerated(pairs, chances):
        if probability > 1e-9:
            interval = halves_of(of_classes(lost, level, won)).interval
            if interval is not None:
                looked += probability
                held += probability * (interval.low <= correlation <= interval.high)
    assert held / looked >= 0.93
