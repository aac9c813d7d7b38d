"""The score of a pairing and its interval."""

from itertools import product
from math import isclose, log10, sqrt
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from referee.contest.numbers import share
from referee.contest.scores import PairClasses, Score, design_effect, score_of
from tests.contest.made import class_chances, duel, enumerated

counts = st.tuples(*[st.integers(0, 300)] * 5).filter(any)

PAIRS = (20, 50, 200)
CORRELATIONS = (0.0, -0.1, -0.3, -0.6)


def score(*classes: int) -> Score:
    made = score_of(PairClasses((classes[0], classes[1], classes[2], classes[3], classes[4])))
    assert made is not None
    return made


def three(lost: int, level: int, won: int) -> Score:
    return score(lost, 0, level, 0, won)


def test_no_pair_has_no_score() -> None:
    assert score_of(PairClasses((0, 0, 0, 0, 0))) is None


def test_classes_count_pairs_by_quarters() -> None:
    results = duel([(0, 0), (1, 0), (2, 0), (0, 2), (1, 1), (2, 1), (2, 2), (2, 2)])
    assert PairClasses.of(results) == PairClasses((1, 1, 3, 1, 2))


def test_score_is_the_formula_of_the_documents() -> None:
    lost, quarter, level, three_quarters, won = classes = (10, 1, 60, 3, 26)
    n = sum(classes)
    m = (0.25 * quarter + 0.5 * level + 0.75 * three_quarters + won) / n
    v = sum(count * (place / 4 - m) ** 2 for place, count in enumerate(classes)) / n
    s = m * (1 - m) / 2
    d = max(0.02, (n * v + 4 * s) / ((n + 4) * s))
    games = 2 * n / d
    z = NormalDist().inv_cdf(0.975)
    center = (m + z * z / (2 * games)) / (1 + z * z / games)
    width = z / (1 + z * z / games) * sqrt(m * (1 - m) / games + z * z / (4 * games**2))
    made = score(*classes)
    assert lost == 10
    assert made.pairs == n
    assert made.score == pytest.approx(m)
    assert made.games == pytest.approx(games)
    assert made.interval == pytest.approx((center - width, center + width))
    for elo, share_ in zip((made.elo, made.elo_low, made.elo_high), (m, *made.interval), strict=True):
        assert elo == pytest.approx(400 * log10(share_ / (1 - share_)))
    superiority = NormalDist().cdf((m - 0.5) * sqrt(4 * games))
    assert made.superiority == pytest.approx(superiority)
    assert made.p_value == pytest.approx(2 * (1 - superiority))


def test_independent_halves_count_as_so_many_matches() -> None:
    assert score(25, 0, 50, 0, 25).games == pytest.approx(200)


def test_deterministic_copies_have_exactly_one_half_and_a_finite_interval() -> None:
    made = three(0, 200, 0)
    assert (made.score, made.elo, made.superiority, made.p_value) == (0.5, 0.0, 0.5, 1.0)
    assert design_effect(PairClasses((0, 0, 200, 0, 0))) == pytest.approx(0.02)
    assert 0.48 < made.interval.low < 0.5 < made.interval.high < 0.52
    assert 0.48 < three(0, 100_000, 0).interval.high < 0.501


def test_player_that_loses_everything_has_a_bound_on_one_side() -> None:
    made = three(50, 0, 0)
    assert (made.score, made.elo, made.elo_low) == (0.0, None, None)
    assert made.interval.low == 0.0
    assert 0.0 < made.interval.high < 0.05
    assert made.elo_high is not None
    assert made.elo_high < -500
    assert (made.games, made.superiority) == (100.0, 0.0)


@given(counts)
def test_no_figure_is_ever_absurd(classes: tuple[int, ...]) -> None:
    made = score(*classes)
    assert 0 <= made.interval.low <= made.score <= made.interval.high <= 1
    assert 0 <= made.superiority <= 1
    assert 0 <= made.p_value <= 1
    assert 0 < made.games < 1e6
    elos = [elo for elo in (made.elo_low, made.elo, made.elo_high) if elo is not None]
    assert elos == sorted(elos)
    assert all(abs(elo) < 1e5 for elo in elos)


def digits(figure: float) -> list[str]:
    return [f"{figure:.{places}f}" for places in range(1, 8)]


@given(counts)
def test_exchanged_players_mirror_every_digit(classes: tuple[int, ...]) -> None:
    ours = score(*classes)
    theirs = score(*PairClasses((classes[0], classes[1], classes[2], classes[3], classes[4])).mirrored().counts)
    pairs = [(ours.score, theirs.score), (ours.superiority, theirs.superiority)]
    pairs += [(ours.interval.low, theirs.interval.high), (ours.interval.high, theirs.interval.low)]
    for one, other in pairs:
        assert one + other == 1.0
        assert digits(one) == digits(1 - other)
    assert (ours.games, ours.p_value) == (theirs.games, theirs.p_value)
    for one_elo, other_elo in (
        (ours.elo, theirs.elo),
        (ours.elo_low, theirs.elo_high),
        (ours.elo_high, theirs.elo_low),
    ):
        assert one_elo == (None if other_elo is None else -other_elo)


@given(st.floats(-0.5, 0.5))
@example(3e-17)
def test_shares_of_two_players_print_as_complements(advantage: float) -> None:
    assert share(-advantage) == 1 - share(advantage) or share(advantage) == 1 - share(-advantage)
    for one, other in zip(digits(share(advantage)), digits(share(-advantage)), strict=True):
        places = len(one) - 2
        assert int(one.replace(".", "")) + int(other.replace(".", "")) == 10**places


def coverage(pairs: int, expected: float, correlation: float) -> float | None:
    """Returns how likely the interval holds the expected score, over all that can come of so many pairs."""
    chances = class_chances(expected, correlation)
    if chances is None:
        return None
    held = 0.0
    for (lost, level, won), probability in enumerated(pairs, chances):
        low, high = three(lost, level, won).interval
        held += probability * (low <= expected <= high)
    return held


def possible(scores: tuple[float, ...]) -> list[tuple[int, float, float]]:
    return [case for case in product(PAIRS, scores, CORRELATIONS) if class_chances(*case[1:]) is not None]


@pytest.mark.parametrize(("pairs", "expected", "correlation"), possible((0.5, 0.6, 0.8, 0.9)))
def test_interval_holds_the_true_score_as_often_as_it_says(pairs: int, expected: float, correlation: float) -> None:
    held = coverage(pairs, expected, correlation)
    assert held is not None
    assert 0.93 <= held <= 0.985


@pytest.mark.parametrize(("pairs", "expected", "correlation"), possible((0.95, 0.99)))
def test_interval_holds_an_extreme_score_often_enough(pairs: int, expected: float, correlation: float) -> None:
    held = coverage(pairs, expected, correlation)
    assert held is not None
    assert held >= 0.92


def test_enumeration_leaves_nothing_out() -> None:
    chances = class_chances(0.6, -0.3)
    assert chances is not None
    assert isclose(sum(probability for _, probability in enumerated(50, chances)), 1.0)
    assert isclose(sum(share * place / 2 for place, share in enumerate(chances)), 0.6)


@pytest.mark.parametrize("correlation", CORRELATIONS)
def test_copies_with_their_own_dice_are_found_equal_in_most_tournaments(correlation: float) -> None:
    chances = class_chances(0.5, correlation)
    assert chances is not None
    tournaments = np.random.default_rng(6).multinomial(200, chances, size=1000)
    held = 0
    for lost, level, won in tournaments.tolist():
        low, high = three(lost, level, won).interval
        held += low <= 0.5 <= high
    assert 930 <= held <= 985
