"""The table of a tournament as plain values, for JSON and for whoever shows it."""

from typing import Any, assert_never

from referee.arena.specification import Specification
from referee.contest.numbers import Interval
from referee.contest.ratings import Bound, Estimate, Origin, Rating
from referee.contest.standings import Cell, Row, Tally, standings
from referee.contest.stopping import Course


def table(specification: Specification, course: Course) -> dict[str, Any]:
    """Returns the table after the results that count: `players` in order, `pairings` in that of the format.

    It depends on nothing but the settings of the tournament and the outcomes of its matches; `pairs` are those that
    count. Pairings are told in the eyes of their first player.
    """
    names = [player.name for player in specification.players]
    shown = standings(len(names), specification.pairings, course.results, course.dropped)
    return {
        "pairs": shown.pairs,
        "over": course.over,
        "test": None if course.test is None else _test(course),
        "players": [_player(row, names) for row in shown.rows],
        "pairings": [_pairing(cell, names) for cell in shown.cells],
    }


def _test(course: Course) -> dict[str, Any]:
    assert course.test is not None
    verdict = course.test.verdict
    return {
        "pairs": course.test.pairs,
        "ratio": course.test.ratio,
        "verdict": None if verdict is None else verdict.value,
    }


def _player(row: Row, names: list[str]) -> dict[str, Any]:
    return {"place": row.place, "name": names[row.player], "rating": _rating(row.rating), **_tally(row.tally)}


def _tally(tally: Tally) -> dict[str, Any]:
    faults = tally.faults
    return {
        "score": tally.score,
        "won": tally.won,
        "level": tally.level,
        "lost": tally.lost,
        "voids": tally.voids,
        "faults": {
            "total": faults.total,
            "timeouts": faults.timeouts,
            "illegal_actions": faults.illegal_actions,
            "disconnects": faults.disconnects,
            "no_shows": faults.no_shows,
        },
    }


def _rating(rating: Rating) -> dict[str, Any]:
    match rating:
        case Estimate(elo, low, high):
            return {"kind": "estimate", "elo": elo, "low": low, "high": high}
        case Bound(side, elo):
            return {"kind": side.value, "elo": elo}
        case Origin():
            return {"kind": "origin", "elo": 0.0}
        case _:
            assert_never(rating)


def _pairing(cell: Cell, names: list[str]) -> dict[str, Any]:
    score, margin = cell.score, cell.margin
    return {
        "first": names[cell.pairing.first],
        "second": names[cell.pairing.second],
        "abandoned": cell.abandoned,
        "pairs": cell.classes.pairs,
        "quarters": list(cell.classes.counts),
        "score": None
        if score is None
        else {
            "score": score.score,
            "interval": _interval(score.interval),
            "elo": score.elo,
            "elo_low": score.elo_low,
            "elo_high": score.elo_high,
            "games": score.games,
            "superiority": score.superiority,
            "p_value": cell.p_value,
        },
        "margin": None
        if margin is None
        else {"pairs": margin.pairs, "mean": margin.mean, "interval": _interval(margin.interval)},
        "halves": {
            "pairs": cell.halves.pairs,
            "correlation": cell.halves.correlation,
            "interval": _interval(cell.halves.interval),
            "saving": cell.halves.saving.value,
        },
    }


def _interval(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]
