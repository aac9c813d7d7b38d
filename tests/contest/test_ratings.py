"""Ratings of all players on one scale."""

from collections.abc import Callable, Sequence
from itertools import product
from math import log

import numpy as np
import pytest

from referee.contest.bounds import logistic, strongest_loser
from referee.contest.gauntlet import gauntlet
from referee.contest.numbers import elo_of_log_odds
from referee.contest.pairing import Pairing
from referee.contest.ratings import Bound, Estimate, Origin, Rating, Side, ratings_of
from referee.contest.results import PairResult
from referee.contest.round_robin import round_robin
from referee.contest.schedule import make_schedule
from tests.contest.made import LEVEL_PAIR, MASTER, SWEPT, SWEPT_AWAY, Scores, class_chances, of_classes, played
from tests.faults.sizes import size


def tournament(pairs: int, scores: Callable[[Pairing, int], Scores], players: int = 3) -> tuple[PairResult, ...]:
    """Returns a round robin in which a pairing and a round tell the scores of a pair."""
    schedule = make_schedule(round_robin(players), pairs, MASTER)
    return played(schedule, [scores(pair.pairing, pair.round) for pair in schedule])


def estimate(rating: Rating) -> Estimate:
    assert isinstance(rating, Estimate)
    return rating


def test_two_players_are_as_far_apart_as_their_score_says() -> None:
    first, second = map(estimate, ratings_of(2, of_classes(10, 20, 70)))
    assert first.elo - second.elo == pytest.approx(elo_of_log_odds(log(0.8 / 0.2)), abs=1e-4)
    assert second == Estimate(-first.elo, -first.high, -first.low)


def test_fit_gives_each_player_the_points_that_it_has() -> None:
    results = tournament(30, lambda pairing, round: SWEPT if (round + sum(pairing.players)) % 3 else SWEPT_AWAY, 5)
    elos = [estimate(rating).elo for rating in ratings_of(5, results)]
    assert sum(elos) == pytest.approx(0, abs=1e-4)
    for player in range(5):
        surprise = 0.0
        for result in results:
            first, second = result.pair.pairing.players
            expected = 2 / (1 + 10 ** ((elos[second] - elos[first]) / 400))
            if player in (first, second):
                surprise += (1 if player == first else -1) * (result.quarters / 2 - expected)
        assert surprise == pytest.approx(0, abs=1e-4)


def test_fit_ends_where_points_go_round_in_a_long_ring() -> None:
    ring = [Pairing(player, (player + 1) % 20) for player in range(20)]
    schedule = [pair for pair in make_schedule(ring, 2, MASTER) if pair.round == 1 or pair.pairing == ring[0]]
    results = played(schedule, [LEVEL_PAIR if pair.pairing == ring[0] else SWEPT for pair in schedule])
    elos = [estimate(rating).elo for rating in ratings_of(20, results)]
    assert elos[0] == -elos[1]
    assert elos[1:] == sorted(elos[1:], reverse=True)


def test_interval_of_two_players_is_that_of_the_design_effect() -> None:
    # d of 20, 60, 20 pairs: the observed variance is 0.8 of that of independent matches, four imaginary pairs add 4.
    made = estimate(ratings_of(2, of_classes(20, 60, 20))[0])
    variance = (100 * 0.8 + 4) / 104 / (200 * 0.25)
    assert made.high == pytest.approx(elo_of_log_odds(1.959964 * variance**0.5 / 2), rel=1e-5)


def test_deterministic_copies_are_equal_with_a_finite_interval() -> None:
    ratings = ratings_of(3, tournament(200, lambda pairing, round: LEVEL_PAIR))
    assert [estimate(rating).elo for rating in ratings] == [0.0] * 3
    # A fiftieth of the variance of 400 independent matches with each of the two others.
    width = elo_of_log_odds(1.959964 * (0.02 * 2 / 3 / 300) ** 0.5)
    for rating in ratings:
        assert (estimate(rating).low, estimate(rating).high) == pytest.approx((-width, width), rel=1e-5)


def beaten(pairing: Pairing, round: int) -> Scores:
    """Players 0 and 1 are equal, and beat player 2 every time."""
    return (SWEPT if round % 2 else SWEPT_AWAY) if pairing == Pairing(0, 1) else SWEPT


def test_player_that_loses_everything_is_shown_as_a_bound() -> None:
    first, second, loser = ratings_of(3, tournament(50, beaten))
    assert estimate(first).elo == estimate(second).elo == 0.0
    assert loser == Bound(Side.BELOW, elo_of_log_odds(log(1 / 0.05 ** (1 / 100) - 1)))


def test_player_that_wins_everything_is_the_same_bound_from_the_other_side() -> None:
    loser = ratings_of(3, tournament(50, beaten))[2]
    winner = ratings_of(3, tournament(50, lambda pairing, round: _exchanged(beaten(pairing, round))))[2]
    assert isinstance(loser, Bound)
    assert loser.elo is not None
    assert winner == Bound(Side.ABOVE, -loser.elo)


def _exchanged(scores: Scores) -> Scores:
    return 2 - scores[0], 2 - scores[1]


def test_player_that_comes_first_in_the_list_may_be_bound_too() -> None:
    def scores(pairing: Pairing, round: int) -> Scores:
        return SWEPT if pairing.first == 0 else LEVEL_PAIR

    bound = Bound(Side.ABOVE, -elo_of_log_odds(log(1 / 0.05 ** (1 / 100) - 1)))
    assert ratings_of(3, tournament(50, scores))[0] == bound


def test_gauntlet_that_one_player_wins_has_it_for_the_zero_of_its_bounds() -> None:
    results = played(make_schedule(gauntlet(4), 10, MASTER), [SWEPT] * 30)
    bound = Bound(Side.BELOW, elo_of_log_odds(log(1 / 0.05 ** (1 / 10) - 1)))
    assert ratings_of(4, results) == (Origin(), bound, bound, bound)


def test_player_is_bound_without_a_number_by_those_that_it_has_not_met() -> None:
    met = [Pairing(0, 1), Pairing(0, 2), Pairing(1, 2), Pairing(2, 3), Pairing(3, 4)]
    wins = {Pairing(2, 3): SWEPT, Pairing(3, 4): SWEPT}
    schedule = make_schedule(met, 4, MASTER)
    ratings = ratings_of(5, played(schedule, [wins.get(pair.pairing, LEVEL_PAIR) for pair in schedule]))
    assert all(isinstance(rating, Estimate) for rating in ratings[:3])
    assert isinstance(ratings[3], Bound)
    assert ratings[3].elo is not None
    assert ratings[4] == Bound(Side.BELOW, None)


def test_players_without_a_match_are_apart() -> None:
    assert ratings_of(2, []) == (Bound(Side.APART, None),) * 2
    assert ratings_of(3, of_classes(3, 3, 3))[2] == Bound(Side.APART, None)


def test_player_that_has_only_a_common_victim_is_apart() -> None:
    met = [Pairing(0, 1), Pairing(0, 2), Pairing(1, 2), Pairing(2, 3), Pairing(4, 3)]
    wins = {Pairing(2, 3): SWEPT, Pairing(4, 3): SWEPT}
    schedule = make_schedule(met, 4, MASTER)
    ratings = ratings_of(5, played(schedule, [wins.get(pair.pairing, LEVEL_PAIR) for pair in schedule]))
    assert ratings[4] == Bound(Side.APART, None)


@pytest.mark.parametrize(
    "opponents",
    [
        [[0.7]],
        [[0.0], [0.1]],
        [[1.0], [0.3, -0.5], [2.0, 2.5, 4.0], [-1.5]],
        [[1.0], [0.3, -0.5], [2.0, 2.5, 4.0], [-1.5]] * 20,
    ],
)
def test_bound_is_where_losing_everything_has_a_chance_of_one_in_twenty(opponents: list[list[float]]) -> None:
    bound = strongest_loser(opponents)
    chance = np.prod([1 - logistic(bound - min(strengths)) for strengths in opponents])
    assert chance == pytest.approx(0.05)


def test_intervals_take_the_pairs_of_a_deal_for_one_observation() -> None:
    players, schedule = 4, make_schedule(round_robin(4), 25, MASTER, common_deals=True)
    dice = np.random.default_rng(8)
    results = played(schedule, [(int(dice.choice([0, 2])), int(dice.choice([0, 1, 2]))) for _ in schedule])
    ratings = [estimate(rating) for rating in ratings_of(players, results)]
    # The same in other words: the last player is the fixed point, and only then all are shifted to mean 0.
    free = players - 1
    information, deals = np.zeros((free, free)), np.zeros((25, free))
    for result in results:
        first, second = result.pair.pairing.players
        expected = 1 / (1 + 10 ** ((ratings[second].elo - ratings[first].elo) / 400))
        slope = np.array([(player == first) - (player == second) for player in range(free)], dtype=float)
        information += 2 * expected * (1 - expected) * np.outer(slope, slope)
        deals[result.pair.deal - 1] += (result.quarters / 2 - 2 * expected) * slope
    middle = (25 * deals.T @ deals + 4 * information) / 29
    shift = np.vstack([np.eye(free), np.zeros(free)]) - 1 / players
    inverse = shift @ np.linalg.inv(information)
    widths = 1.959964 * np.sqrt(np.diag(inverse @ middle @ inverse.T))
    for rating, width in zip(ratings, widths, strict=True):
        assert rating.high - rating.elo == pytest.approx(elo_of_log_odds(width), rel=1e-5)
        assert rating.elo - rating.low == pytest.approx(elo_of_log_odds(width), rel=1e-5)


def test_ratings_end_at_a_millionth_and_are_never_minus_nothing() -> None:
    assert elo_of_log_odds(1 / 3) == round(elo_of_log_odds(1 / 3), 6) == 57.905931
    assert str(elo_of_log_odds(-1e-12)) == "0.0"


def test_renumbered_players_have_the_same_ratings() -> None:
    schedule = make_schedule(round_robin(4), 25, MASTER)
    chance = np.random.default_rng(3)
    scores = [(int(chance.choice([0, 1, 2])), int(chance.choice([0, 2]))) for _ in schedule]
    place = [2, 0, 3, 1]
    renumbered = make_schedule([Pairing(*(place[player] for player in p.players)) for p in round_robin(4)], 25, MASTER)
    ours, theirs = ratings_of(4, played(schedule, scores)), ratings_of(4, played(renumbered, scores))
    assert [theirs[place[player]] for player in range(4)] == list(ours)


def simulated(
    strengths: Sequence[float], pairs: int, correlation: float, common_deals: bool, tournaments: int
) -> float:
    """Returns how often the intervals of all players hold their strengths."""
    chance = np.random.default_rng([pairs, int(-10 * correlation), common_deals])
    schedule = make_schedule(round_robin(len(strengths)), pairs, MASTER, common_deals=common_deals)
    outcomes = {}
    for first, second in product(range(len(strengths)), repeat=2):
        score = logistic(strengths[first] - strengths[second])
        chances = class_chances(score, max(correlation, -min(score / (1 - score), (1 - score) / score)))
        assert chances is not None
        outcomes[first, second] = np.cumsum(chances)
    classes = (SWEPT_AWAY, LEVEL_PAIR, SWEPT)
    held = 0
    for _ in range(tournaments):
        dice = chance.random(len(schedule))
        scores = [
            classes[min(2, int(np.searchsorted(outcomes[pair.pairing.players], die)))]
            for pair, die in zip(schedule, dice, strict=True)
        ]
        for strength, rating in zip(strengths, ratings_of(len(strengths), played(schedule, scores)), strict=True):
            true = elo_of_log_odds(strength - sum(strengths) / len(strengths))
            held += estimate(rating).low <= true <= estimate(rating).high
    return held / (tournaments * len(strengths))


@pytest.mark.slow
@pytest.mark.parametrize(("correlation", "common_deals"), [(0.0, False), (-0.3, False), (-0.6, True)])
def test_intervals_of_six_players_hold_their_strengths_as_often_as_they_say(
    correlation: float, common_deals: bool, record_property: Callable[[str, object], None]
) -> None:
    held = simulated((-0.9, -0.4, -0.1, 0.2, 0.4, 0.8), 50, correlation, common_deals, size(1000, 10_000))
    record_property("intervals that hold the true strength", held)
    assert 0.93 <= held <= 0.97
