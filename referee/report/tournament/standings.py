"""The standings of a tournament as one object for JSON; `README.md` of this folder says what each key means."""

from collections.abc import Mapping
from typing import Any, Final

from referee.arena.effective import digest_of
from referee.arena.specification import Specification
from referee.arena.table import table
from referee.contest.sprt import Sprt
from referee.contest.stopping import Course
from referee.report.tournament.figures import complement, rounded

FORMAT: Final = "unoduo-standings-1"


def standings_object(
    specification: Specification, settings: Mapping[str, Any], course: Course, lanes: str
) -> dict[str, Any]:
    """Returns the standings after the results that count; `settings` are the effective ones of the tournament.

    They follow from these arguments alone. Every number is rounded, and none is other than finite.
    """
    shown = table(specification, course)
    if shown["test"] is not None:
        assert specification.sprt is not None
        shown["test"] |= _question(specification.sprt)
    told = {
        "format": FORMAT,
        "digest": digest_of(settings),
        "master_commitment": settings["master_commitment"],
        "lanes": lanes,
        "scheduled": len(specification.pairings) * specification.pairs,
        **shown,
    }
    return {key: rounded(value) for key, value in told.items()}


def _question(sprt: Sprt) -> dict[str, float]:
    """Returns what a test asks, and the log-likelihood ratios at which it decides."""
    return {
        "elo0": sprt.elo0,
        "elo1": sprt.elo1,
        "alpha": sprt.alpha,
        "beta": sprt.beta,
        "lower": sprt.lower,
        "upper": sprt.upper,
    }


def mirrored(pairing: Mapping[str, Any]) -> dict[str, Any]:
    """Returns an object of `pairings` in the eyes of its second player."""
    score, margin = pairing["score"], pairing["margin"]
    return {
        **pairing,
        "first": pairing["second"],
        "second": pairing["first"],
        "quarters": pairing["quarters"][::-1],
        "score": None if score is None else _mirrored_score(score),
        "margin": None
        if margin is None
        else {**margin, "mean": 0.0 - margin["mean"], "interval": _negated(margin["interval"])},
    }


def _mirrored_score(score: Mapping[str, Any]) -> dict[str, Any]:
    low, high = score["interval"]
    return {
        **score,
        "score": complement(score["score"]),
        "interval": [complement(high), complement(low)],
        "elo": None if score["elo"] is None else 0.0 - score["elo"],
        "elo_low": None if score["elo_high"] is None else 0.0 - score["elo_high"],
        "elo_high": None if score["elo_low"] is None else 0.0 - score["elo_low"],
        "superiority": complement(score["superiority"]),
    }


def _negated(interval: list[float] | None) -> list[float] | None:
    return None if interval is None else [0.0 - interval[1], 0.0 - interval[0]]
