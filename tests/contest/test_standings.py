"""The table of a tournament."""

from collections.abc import Sequence
from dataclasses import astuple, replace

import numpy as np
import pytest

from referee.contest.gauntlet import gauntlet
from referee.contest.halves import Saving
from referee.contest.pairing import Half, Pairing
from referee.contest.ratings import Bound, Estimate, Rating, Side
from referee.contest.results import HalfResult, PairResult, half_result
from referee.contest.round_robin import round_robin
from referee.contest.schedule import ScheduledPair, make_schedule
from referee.contest.standings import Cell, Faults, Standings, standings, tally
from referee.rules.outcome import Outcome, Termination
from referee.rules.seats import Seat
from tests.contest.made import LEVEL_PAIR, MASTER, PAIR, SWEPT, SWEPT_AWAY, Scores, played

T = Termination
TRIO = round_robin(3)


def table(scores: dict[Pairing, Scores], pairs: int = 10) -> Standings:
    """Returns the table of three players whose pairings always end the same."""
    schedule = make_schedule(TRIO, pairs, MASTER)
    return standings(3, TRIO, played(schedule, [scores[pair.pairing] for pair in schedule]))


def cells(made: Standings) -> dict[Pairing, Cell]:
    return {cell.pairing: cell for cell in made.cells}


def test_table_before_the_first_pair_has_no_figures() -> None:
    made = standings(3, TRIO, [])
    assert (made.pairs, [row.place for row in made.rows]) == (0, [1, 1, 1])
    assert [row.tally.score for row in made.rows] == [None] * 3
    assert [row.rating for row in made.rows] == [Bound(Side.APART, None)] * 3
    for cell in made.cells:
        assert (cell.score, cell.p_value, cell.margin) == (None, None, None)
        assert cell.halves.saving is Saving.UNKNOWN


def test_players_are_in_the_order_of_their_ratings_and_equals_share_a_place() -> None:
    made = table({Pairing(0, 1): SWEPT_AWAY, Pairing(0, 2): SWEPT_AWAY, Pairing(1, 2): LEVEL_PAIR})
    assert [(row.place, row.player) for row in made.rows] == [(1, 1), (1, 2), (3, 0)]
    assert [row.tally.score for row in made.rows] == [0.75, 0.75, 0.0]
    assert isinstance(made.rows[0].rating, Estimate)
    assert isinstance(made.rows[2].rating, Bound)


def test_player_above_all_that_are_rated_is_first_and_one_below_last() -> None:
    pairings = round_robin(4)
    schedule = make_schedule(pairings, 5, MASTER)
    level = Pairing(1, 2)
    scores = [LEVEL_PAIR if pair.pairing == level else SWEPT_AWAY for pair in schedule]
    made = standings(4, pairings, played(schedule, scores))
    assert [row.player for row in made.rows] == [3, 1, 2, 0]
    assert [row.place for row in made.rows] == [1, 2, 2, 4]


def test_ratings_and_not_shares_decide_the_order_of_the_rated() -> None:
    pairings = gauntlet(4)
    schedule = make_schedule(pairings, 10, MASTER)
    results = played(schedule, [_of_gauntlet(pair) for pair in schedule])
    made = standings(4, pairings, results)
    assert all(isinstance(row.rating, Estimate) for row in made.rows)
    assert [(row.place, row.player) for row in made.rows] == [(1, 1), (2, 0), (3, 2), (3, 3)]
    assert [row.tally.score for row in made.rows] == [0.6, 0.7333333333333333, 0.1, 0.1]


def _of_gauntlet(pair: ScheduledPair) -> Scores:
    """Player 0 wins 40 % of player 1 and 90 % of the others."""
    if pair.pairing.second == 1:
        return SWEPT if pair.round <= 4 else SWEPT_AWAY
    return SWEPT if pair.round <= 9 else SWEPT_AWAY


def test_players_below_all_that_are_rated_follow_them_in_the_order_of_their_shares() -> None:
    """Players 2, 3 and 4 are level; 2 beats 1, which beats 0 all the time and so has the largest share."""
    met = [Pairing(2, 3), Pairing(2, 4), Pairing(3, 4), Pairing(1, 2), Pairing(0, 1), Pairing(0, 5)]
    ends = {Pairing(1, 2): SWEPT_AWAY, Pairing(0, 1): SWEPT_AWAY, Pairing(0, 5): SWEPT_AWAY}
    schedule = [pair for pair in make_schedule(met, 6, MASTER) if pair.round <= 2 or pair.pairing != Pairing(1, 2)]
    made = standings(6, met, played(schedule, [ends.get(pair.pairing, LEVEL_PAIR) for pair in schedule]))
    assert [(row.place, row.player) for row in made.rows] == [(1, 2), (2, 3), (2, 4), (4, 1), (5, 0), (6, 5)]
    assert [row.tally.score for row in made.rows][2:] == [0.5, 0.75, 0.0, 1.0]


def test_cells_count_their_own_pairing() -> None:
    made = cells(table({Pairing(0, 1): SWEPT, Pairing(0, 2): LEVEL_PAIR, Pairing(1, 2): SWEPT_AWAY}))
    assert made[Pairing(0, 1)].classes.counts == (0, 0, 0, 0, 10)
    assert made[Pairing(0, 2)].classes.counts == (0, 0, 10, 0, 0)
    assert made[Pairing(1, 2)].classes.counts == (10, 0, 0, 0, 0)
    margins = [made[pairing].margin for pairing in TRIO]
    assert [margin.mean for margin in margins if margin] == [100.0, 0.0, -100.0]
    assert [made[pairing].halves.saving for pairing in TRIO] == [Saving.UNKNOWN, Saving.EXACT, Saving.UNKNOWN]


def test_marks_are_corrected_for_the_number_of_pairings() -> None:
    made = cells(table({Pairing(0, 1): SWEPT, Pairing(0, 2): LEVEL_PAIR, Pairing(1, 2): SWEPT}, pairs=2))
    raw = made[Pairing(0, 1)].score
    assert raw is not None
    assert raw.p_value < 0.05 < 2 * raw.p_value
    assert made[Pairing(0, 1)].p_value == pytest.approx(3 * raw.p_value)
    assert made[Pairing(0, 2)].p_value == 1.0


def pair_of(number: int, attempt: int, first: Outcome, second: Outcome) -> PairResult:
    halves: list[HalfResult] = []
    for half, outcome in zip(Half, (first, second), strict=True):
        result = half_result(outcome, half)
        assert result is not None
        halves.append(result)
    return PairResult(make_schedule([PAIR], 5, MASTER)[number - 1], attempt, (halves[0], halves[1]))


def test_faults_and_voids_are_booked_to_their_owners() -> None:
    results = [
        pair_of(
            1, 2,
            Outcome(Seat.B, T.TIMEOUT, (0, 50), 1, (Seat.A,)),
            Outcome(Seat.A, T.ILLEGAL_ACTION, (0, 50), 1, (Seat.B,)),
        ),
        pair_of(2, 0, Outcome(None, T.NO_SHOW, (0, 0), 0, (Seat.A, Seat.B)), Outcome(None, T.ROUND_CAP, (7, 7), 3)),
        pair_of(
            3, 1,
            Outcome(Seat.A, T.DISCONNECT, (0, 0), 0, (Seat.B,)),
            Outcome(Seat.A, T.RESIGNATION, (90, 0), 2),
        ),
        pair_of(
            4, 0,
            Outcome(Seat.B, T.TIMEOUT, (0, 0), 0, (Seat.A,)),
            Outcome(Seat.B, T.TARGET, (205, 0), 5),
        ),
    ]  # fmt: skip
    first, second = tally(0, results), tally(1, results)
    assert (first.won, first.level, first.lost, first.voids) == (2, 2, 4, 3)
    assert (second.won, second.level, second.lost, second.voids) == (4, 2, 2, 3)
    assert first.faults == Faults(timeouts=2, illegal_actions=1, disconnects=0, no_shows=1)
    assert second.faults == Faults(timeouts=0, illegal_actions=0, disconnects=1, no_shows=1)
    assert (first.faults.total, second.faults.total) == (4, 2)
    assert first.score == 3 / 8
    assert tally(2, results).score is None


def random_results(players: int, pairs: int, seed: int) -> tuple[PairResult, ...]:
    dice = np.random.default_rng(seed)
    schedule = make_schedule(round_robin(players), pairs, MASTER)
    return tuple(PairResult(pair, int(dice.integers(2)), (_random_half(dice), _random_half(dice))) for pair in schedule)


def _random_half(dice: np.random.Generator) -> HalfResult:
    score = int(dice.choice([0, 0, 1, 2]))
    fault = bool(dice.random() < 0.1)
    return HalfResult(
        score,
        int(dice.integers(-300, 300)),
        T.TIMEOUT if fault else T.TARGET,
        (fault and score == 0, fault and score == 2),
    )


def exchanged(result: PairResult, places: Sequence[int]) -> PairResult:
    """Returns the result with its players renumbered, told in the eyes of whoever is now earlier in the list."""
    first, second = (places[player] for player in result.pair.pairing.players)
    if first < second:
        return replace(result, pair=replace(result.pair, pairing=Pairing(first, second)))
    one, other = (
        HalfResult(2 - half.score, -half.margin, half.termination, (half.faulted[1], half.faulted[0]))
        for half in result.halves
    )
    return PairResult(replace(result.pair, pairing=Pairing(second, first)), result.attempt, (one, other))


def printed(rating: Rating) -> str:
    return " ".join(f"{part:.3f}" if isinstance(part, float) else str(part) for part in astuple(rating))


@pytest.mark.parametrize("seed", range(5))
def test_exchanged_players_mirror_the_table_to_every_digit(seed: int) -> None:
    places = [1, 0, 2, 3]
    results = random_results(4, 30, seed)
    ours = standings(4, round_robin(4), results)
    theirs = standings(4, round_robin(4), [exchanged(result, places) for result in results])
    for one, other in zip(ours.rows, theirs.rows, strict=True):
        assert (places[one.player], one.place, one.tally) == (other.player, other.place, other.tally)
        assert printed(one.rating) == printed(other.rating)
    mirrored = cells(theirs)
    for cell in ours.cells:
        first, second = (places[player] for player in cell.pairing.players)
        if first < second:
            assert mirrored[Pairing(first, second)] == replace(cell, pairing=Pairing(first, second))
        else:
            counterpart = mirrored[Pairing(second, first)]
            assert counterpart.classes == cell.classes.mirrored()
            assert (counterpart.p_value, counterpart.halves) == (cell.p_value, cell.halves)
            assert cell.score is not None
            assert counterpart.score is not None
            assert cell.score.elo is not None
            assert counterpart.score.score + cell.score.score == 1.0
            assert counterpart.score.elo == -cell.score.elo
            assert cell.margin is not None
            assert counterpart.margin is not None
            assert counterpart.margin.mean == -cell.margin.mean
