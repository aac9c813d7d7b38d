"""The sequential test of two players."""

from collections.abc import Callable
from math import isfinite, log

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from referee.contest.numbers import advantage_of_elo
from referee.contest.sprt import Progress, Sprt, Verdict, log_likelihood_ratio, run_sprt
from tests.contest.made import class_chances
from tests.faults.sizes import size

counts = st.tuples(*[st.integers(0, 400)] * 3).filter(any)
WON, LEVEL, LOST = 4, 2, 0


def likeliest(counts: tuple[int, ...], mean: float) -> list[float]:
    """Returns the likeliest distribution over scores 0, 1/2, 1 with a mean, by the multiplier that holds the mean."""
    share = [max(count, 1e-9) / sum(counts) for count in counts]
    offsets = [score - mean for score in (0.0, 0.5, 1.0)]
    low, high = -1 / offsets[2], -1 / offsets[0]
    for _ in range(200):
        middle = (low + high) / 2
        slope = sum(p * offset / (1 + middle * offset) for p, offset in zip(share, offsets, strict=True))
        low, high = (middle, high) if slope > 0 else (low, middle)
    return [p / (1 + low * offset) for p, offset in zip(share, offsets, strict=True)]


@given(counts, st.floats(0.3, 0.7), st.floats(0.3, 0.7))
@example((1, 1, 1), 0.5, 0.6)
@example((0, 1, 0), 0.5, 0.6)
def test_ratio_is_that_of_the_likeliest_distributions(
    classes: tuple[int, int, int], score0: float, score1: float
) -> None:
    expected = sum(
        count * log(one / nil)
        for count, nil, one in zip(classes, likeliest(classes, score0), likeliest(classes, score1), strict=True)
        if count
    )
    assert log_likelihood_ratio(*classes, score0, score1) == pytest.approx(expected, abs=1e-3)


@given(counts, st.floats(-400, 400))
def test_exchanged_players_negate_the_ratio(classes: tuple[int, int, int], elo: float) -> None:
    score = 0.5 + advantage_of_elo(elo)
    ours = log_likelihood_ratio(*classes, 0.5, score)
    lost, level, won = classes
    assert log_likelihood_ratio(won, level, lost, 0.5, 1 - score) == pytest.approx(ours, abs=1e-9)


def test_limits_are_those_of_wald() -> None:
    assert Sprt(alpha=0.05, beta=0.1).upper == pytest.approx(log(0.9 / 0.05))
    assert Sprt(alpha=0.05, beta=0.1).lower == pytest.approx(log(0.1 / 0.95))


def test_defaults_are_those_of_the_documents() -> None:
    assert Sprt() == Sprt(0.0, 20.0, 0.05, 0.05, 10, 2000)


def test_ratio_is_that_of_the_pairs_seen_so_far() -> None:
    test = Sprt(0, 50, most_pairs=12)
    scores = [WON, LEVEL, LOST, LEVEL, WON, LEVEL, WON, WON, LEVEL, WON, LOST, WON]
    for pairs in range(1, 13):
        seen = scores[:pairs]
        lost, level, won = (seen.count(score) for score in (LOST, LEVEL, WON))
        expected = log_likelihood_ratio(lost, level, won, 0.5, 0.5 + advantage_of_elo(50))
        assert run_sprt(test, seen) == Progress(pairs, expected, Verdict.UNDECIDED if pairs == 12 else None)


def test_copies_are_found_not_stronger() -> None:
    made = run_sprt(Sprt(), [LEVEL] * 2000)
    assert made.verdict is Verdict.NOT_STRONGER
    assert made.pairs < 100


def test_test_begins_to_look_at_its_first_look() -> None:
    steep = Sprt(0, 800)
    assert run_sprt(steep, [LOST] * 9).verdict is None
    assert run_sprt(steep, [LOST] * 10) == run_sprt(steep, [LOST] * 50)
    assert run_sprt(steep, [LOST] * 50).pairs == 10
    assert run_sprt(steep, [LOST] * 50).verdict is Verdict.NOT_STRONGER


def test_nothing_after_the_deciding_pair_counts() -> None:
    decided = run_sprt(Sprt(0, 50), [WON] * 100)
    assert decided.verdict is Verdict.STRONGER
    assert decided.pairs < 30
    assert decided.ratio == pytest.approx(decided.pairs * log(2 * (0.5 + advantage_of_elo(50))))
    assert run_sprt(Sprt(0, 50), [WON] * decided.pairs + [LOST] * 500) == decided
    assert run_sprt(Sprt(0, 50), [WON] * (decided.pairs - 1)).verdict is None


def test_test_without_an_answer_ends_undecided() -> None:
    scores = [WON, LEVEL, LOST, LEVEL, WON, LEVEL] * 10
    assert run_sprt(Sprt(most_pairs=40), scores[:39]).verdict is None
    made = run_sprt(Sprt(most_pairs=40), scores)
    assert (made.pairs, made.verdict) == (40, Verdict.UNDECIDED)


def test_test_before_the_first_pair_has_no_ratio() -> None:
    assert run_sprt(Sprt(), []) == Progress(0, 0.0, None)


def test_pair_with_a_level_half_counts_half_for_each_of_its_neighbors() -> None:
    neighbors = run_sprt(Sprt(), [LOST, LEVEL, LEVEL, WON, WON, WON, WON])
    assert run_sprt(Sprt(), [1, 1, 3, 3, WON, WON, WON]).ratio == pytest.approx(neighbors.ratio)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"elo0": 20.0}, "elo0 must be less than elo1"),
        ({"elo1": 2001.0}, "from -2000 to 2000"),
        ({"elo0": -2001.0}, "from -2000 to 2000"),
        ({"alpha": 0.0}, "between 0.000001 and 0.5"),
        ({"alpha": 1e-320}, "between 0.000001 and 0.5"),
        ({"alpha": 0.5}, "between 0.000001 and 0.5"),
        ({"beta": 0.0}, "between 0.000001 and 0.5"),
        ({"beta": 0.5}, "between 0.000001 and 0.5"),
        ({"first_look": 0}, "first look"),
        ({"most_pairs": 9}, "first look"),
    ],
)
def test_settings_that_ask_nothing_are_refused(settings: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Sprt(**settings)  # type: ignore[arg-type]


def test_test_may_look_once() -> None:
    assert run_sprt(Sprt(first_look=1, most_pairs=1), [WON]).verdict is Verdict.UNDECIDED


@pytest.mark.parametrize("correlation", [0.0, -0.3, -0.6])
@pytest.mark.parametrize(("elo", "error"), [(0.0, Verdict.STRONGER), (50.0, Verdict.NOT_STRONGER)])
def test_errors_are_about_as_rare_as_asked_for(
    elo: float, error: Verdict, correlation: float, record_property: Callable[[str, object], None]
) -> None:
    runs = size(4000, 40_000)
    chances = class_chances(0.5 + advantage_of_elo(elo), correlation)
    assert chances is not None
    dice = np.random.default_rng([int(elo), int(-10 * correlation)])
    test = Sprt(0, 50)
    errors = 0
    for _ in range(runs):
        scores = dice.choice([LOST, LEVEL, WON], size=test.most_pairs, p=np.array(chances) / sum(chances))
        errors += run_sprt(test, scores.tolist()).verdict is error
    record_property("share of wrong verdicts", errors / runs)
    assert errors / runs <= 0.065


@pytest.mark.parametrize("quarters", range(5))
def test_test_at_its_limits_has_a_finite_ratio(quarters: int) -> None:
    for elo0, elo1 in ((-2000.0, 2000.0), (1999.0, 2000.0), (-2000.0, -1999.0)):
        sprt = Sprt(elo0=elo0, elo1=elo1, alpha=0.000001, beta=0.000001)
        assert isfinite(run_sprt(sprt, [quarters] * 30).ratio)
        assert all(map(isfinite, (sprt.lower, sprt.upper)))
