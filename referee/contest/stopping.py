"""When a tournament is over, and which of its results then count."""

from collections.abc import Sequence
from dataclasses import dataclass

from referee.contest.results import Abandoned, PairResult
from referee.contest.schedule import ScheduledPair
from referee.contest.sprt import Progress, Sprt, run_sprt


@dataclass(frozen=True, slots=True)
class Course:
    """Holds where a tournament stands: the results that count, if it is over, and its test if it has one.

    `dropped` are all pairs of pairings in which one was abandoned; none of them counts.
    """

    results: tuple[PairResult, ...]
    over: bool
    test: Progress | None
    dropped: tuple[PairResult | Abandoned, ...] = ()


def course(
    schedule: Sequence[ScheduledPair], prefix: Sequence[PairResult | Abandoned], sprt: Sprt | None = None
) -> Course:
    """Returns where a tournament stands that has completed this beginning of its schedule.

    Nothing of a pairing counts in which a pair was abandoned, so that nobody gains by that. A test is over with it.

    Without a test it is over when the whole schedule is. A test ends it at the pair that decides: what was played of
    later pairs does not count, so that the table does not depend on how many matches were under way. A test that the
    schedule is too short for is over with it, without a verdict.

    Raises ValueError if there is a test and more than one pairing.
    """
    if sprt is not None:
        return _tested(schedule, prefix, sprt)
    over = len(prefix) == len(schedule)
    played = tuple(result for result in prefix if isinstance(result, PairResult))
    if len(played) == len(prefix):
        return Course(played, over, None)
    abandoned = {result.pair.pairing for result in prefix if isinstance(result, Abandoned)}
    counting = tuple(result for result in played if result.pair.pairing not in abandoned)
    return Course(counting, over, None, tuple(result for result in prefix if result.pair.pairing in abandoned))


def _tested(schedule: Sequence[ScheduledPair], prefix: Sequence[PairResult | Abandoned], sprt: Sprt) -> Course:
    if len({pair.pairing for pair in schedule}) != 1:
        raise ValueError("a sequential test is for two players")
    played: list[PairResult] = []
    abandoned = None
    for result in prefix:
        if isinstance(result, Abandoned):
            abandoned = result
            break
        played.append(result)
    test = run_sprt(sprt, (result.quarters for result in played))
    if abandoned is not None and test.verdict is None:
        return Course((), True, run_sprt(sprt, ()), (*played, abandoned))
    over = test.verdict is not None or len(prefix) == len(schedule)
    return Course(tuple(played[: test.pairs]), over, test)
