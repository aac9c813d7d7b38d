"""When a tournament is over, and which of its results then count."""

from collections.abc import Sequence
from dataclasses import dataclass

from referee.contest.results import PairResult
from referee.contest.schedule import ScheduledPair
from referee.contest.sprt import Progress, Sprt, run_sprt


@dataclass(frozen=True, slots=True)
class Course:
    """Holds where a tournament stands: the results that count, if it is over, and its test if it has one."""

    results: tuple[PairResult, ...]
    over: bool
    test: Progress | None


def course(schedule: Sequence[ScheduledPair], prefix: Sequence[PairResult], sprt: Sprt | None = None) -> Course:
    """Returns where a tournament stands that has completed this beginning of its schedule.

    Without a test it is over when the whole schedule is. A test ends it at the pair that decides: what was played of
    later pairs does not count, so that the table does not depend on how many matches were under way. A test that the
    schedule is too short for is over with it, without a verdict.

    Raises ValueError if there is a test and more than one pairing.
    """
    if sprt is None:
        return Course(tuple(prefix), len(prefix) == len(schedule), None)
    if len({pair.pairing for pair in schedule}) != 1:
        raise ValueError("a sequential test is for two players")
    test = run_sprt(sprt, (result.quarters for result in prefix))
    over = test.verdict is not None or len(prefix) == len(schedule)
    return Course(tuple(prefix[: test.pairs]), over, test)
