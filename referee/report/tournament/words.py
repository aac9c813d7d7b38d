"""What the figures of a tournament mean, in a few words for pages and terminals."""

from collections.abc import Mapping
from typing import Any, Final

from referee.arena.sandbox import BOXED, IN_PROCESS, ON_HONOUR
from referee.report.names import counted
from referee.report.tournament.figures import exact, percent, plain, signed

HOLM_LEVEL: Final = 0.05
_LANES: Final = {
    BOXED: "no bot could meet cards that it knew",
    ON_HONOUR: "no sandbox kept the two processes of a bot apart",
    IN_PROCESS: "the bots were functions, and nothing kept them apart",
}
_UNBOUNDED: Final = {"at most": "below the others", "at least": "above the others"}


def rating_text(rating: Mapping[str, Any]) -> str:
    """Returns a rating in Elo with its interval, as a bound, or why there is none; never a number that is made up."""
    kind: str = rating["kind"]
    elo: float | None = rating["elo"]
    if kind == "origin":
        return "0, the zero of the scale"
    if elo is None:
        return _UNBOUNDED.get(kind, kind)
    if kind == "estimate":
        return f"{signed(elo)} ({signed(rating['low'])} to {signed(rating['high'])})"
    return f"{kind} {signed(elo)}"


def score_text(player: Mapping[str, Any]) -> str:
    """Returns the share of the matches that a player won."""
    return "-" if player["score"] is None else percent(player["score"])


def difference_text(score: Mapping[str, Any]) -> str:
    """Returns a difference in Elo with its interval; an end that is open has no number."""
    low, high = score["elo_low"], score["elo_high"]
    if score["elo"] is not None:
        return f"{signed(score['elo'])} ({signed(low)} to {signed(high)})"
    return f"at least {signed(low)}" if high is None else f"at most {signed(high)}"


def is_marked(pairing: Mapping[str, Any]) -> bool:
    """Returns whether a pairing deserves a mark: all pairings together have a false one in 5 % of tables at most."""
    score = pairing["score"]
    return score is not None and score["p_value"] <= HOLM_LEVEL


def p_text(p_value: float) -> str:
    """Returns a p-value as far as it tells."""
    return "< 0.0001" if p_value < 0.0001 else plain(p_value, 4)


def correlation_text(halves: Mapping[str, Any]) -> str:
    """Returns the correlation of the halves with its interval."""
    if halves["correlation"] is None:
        return "-"
    text = signed(halves["correlation"], 2)
    if halves["interval"] is None:
        return text
    low, high = halves["interval"]
    return f"{text} ({signed(low, 2)} to {signed(high, 2)})"


def saving_text(halves: Mapping[str, Any]) -> str:
    """Returns what mirroring has saved."""
    match halves["saving"]:
        case "measured":
            return f"{percent(-halves['correlation'])} of the matches"
        case "exact":
            return "exact: every pair was shared"
        case other:
            return str(other)


def test_text(test: Mapping[str, Any]) -> str:
    """Returns what a sequential test asks and where it stands."""
    question = f"Is the first player ahead by {exact(test['elo1'])} Elo rather than by {exact(test['elo0'])}?"
    verdict = "not decided yet" if test["verdict"] is None else test["verdict"]
    bounds = f"{signed(test['lower'], 2)} to {signed(test['upper'], 2)}"
    stands = f"log-likelihood ratio {signed(test['ratio'], 2)} of {bounds}"
    return f"{question} After {counted(test['pairs'], 'pair')}: {verdict}, {stands}."


def lanes_text(mark: str) -> str:
    """Returns what has kept the two lanes of a bot apart."""
    return f"lanes {mark}: {_LANES[mark]}" if mark in _LANES else f"lanes {mark}"
