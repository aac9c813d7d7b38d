"""Points of hands and the end of a match (RULES.md R11, R12)."""

from collections.abc import Iterable

from referee.rules.cards import Card
from referee.rules.outcome import Outcome, Termination
from referee.rules.ruleset import Ruleset
from referee.rules.seats import SEATS, Seat


def hand_points(hand: Iterable[Card]) -> int:
    """Returns the points that a hand costs its owner at the end of a round (RULES.md R11)."""
    return sum(card.points for card in hand)


def match_outcome(ruleset: Ruleset, round: int, totals: tuple[int, int]) -> Outcome | None:
    """Returns how the match ends after this round, or None if another round follows (RULES.md R12).

    The target ends it only if the totals differ; the round cap ends it always, level totals being a draw.
    """
    total_a, total_b = totals
    if max(totals) >= ruleset.target and total_a != total_b:
        return Outcome(_lower(totals), Termination.TARGET, totals, round)
    if round >= ruleset.round_cap:
        return Outcome(_lower(totals), Termination.ROUND_CAP, totals, round)
    return None


def _lower(totals: tuple[int, int]) -> Seat | None:
    if totals[0] == totals[1]:
        return None
    return min(SEATS, key=totals.__getitem__)
