"""Results as if players of known strength had played them, for pages that have something to show."""

from collections.abc import Sequence
from random import Random

from referee.adjudication.terms import FaultPolicy, Terms, TimeControl
from referee.arena.specification import Specification
from referee.contest.pairing import Half
from referee.contest.results import PairResult
from referee.contest.schedule import make_schedule
from referee.report.tournament.matches import Distinction, Match
from referee.rules.outcome import Outcome, Termination
from referee.rules.ruleset import DUO
from referee.rules.seats import Seat
from tests.contest.made import MASTER, half
from tests.report.accounts import faulty


def simulated(asked: Specification, elos: Sequence[float], seed: int = 1) -> tuple[PairResult, ...]:
    """Returns results of the whole schedule; the same cards win for either player in about every other pair."""
    dice = Random(seed)
    told = []
    for pair in make_schedule(asked.pairings, asked.pairs, MASTER):
        first, second = pair.pairing.players
        expected = 1 / (1 + 10 ** ((elos[second] - elos[first]) / 400))
        luck = dice.random()
        # What is luck for seat A in the first half is bad luck in the second.
        won = (luck < expected, (1 - luck if dice.random() < 0.5 else dice.random()) < expected)
        one, other = (half(2 * win, (1 if win else -1) * dice.randint(5, 240)) for win in won)
        told.append(PairResult(pair, 0, (one, other)))
    return tuple(told)


def with_faults(results: Sequence[PairResult]) -> tuple[PairResult, ...]:
    """Returns results of which some were lost by faults, after void attempts."""
    kinds = (Termination.TIMEOUT, Termination.DISCONNECT, Termination.ILLEGAL_ACTION, Termination.NO_SHOW)
    return tuple(
        faulty(result, kinds[place // 40 % 4], place // 80 % 2) if place % 40 == 7 else result
        for place, result in enumerate(results)
    )


def match(pair: int, winner: Seat | None = Seat.A, names: tuple[str, str] = ("Anna", "Bert")) -> Match:
    """Returns a match that a page links to."""
    terms = Terms(DUO, TimeControl(), FaultPolicy())
    outcome = Outcome(winner, Termination.TARGET, (188, 203), 9)
    return Match(pair, 0, Half.FIRST, bytes(16), names, terms, outcome, 1204, 96, bytes(32))


def distinctions(names: tuple[str, str] = ("Anna", "Bert")) -> dict[Distinction, Match]:
    return {distinction: match(place, names=names) for place, distinction in enumerate(Distinction, 1)}
