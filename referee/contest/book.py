"""Books the matches that have ended, in whatever order they do, and says what counts and what is to be played."""

from collections.abc import Sequence

from referee.contest.pairing import Half
from referee.contest.results import Abandoned, HalfResult, PairResult, half_result
from referee.contest.schedule import ScheduledPair
from referee.rules.outcome import Outcome


class BookingRefused(Exception):
    """Reports a match that the schedule has no place for: `pair`, `attempt` and `half` as they were given."""

    def __init__(self, pair: int, attempt: int, half: Half, message: str) -> None:
        super().__init__(f"pair {pair}, attempt {attempt}, half {half.value}: {message}")
        self.pair = pair
        self.attempt = attempt
        self.half = half
        self.message = message


class Book:
    """Holds the matches of a schedule that are over.

    A void match voids the attempt that it belongs to: both halves are due again under the next number, until so
    many `attempts` were; then the pair is abandoned. The book is the same whatever the order in which the halves
    came, so that one rebuilt from replays equals the one that grew. A match that was cut and dropped is not booked at
    all.
    """

    def __init__(self, schedule: Sequence[ScheduledPair], attempts: int) -> None:
        self._schedule = tuple(schedule)
        self._attempts = attempts
        self._accounts = {pair.number: _Account() for pair in self._schedule}
        self._prefix: list[PairResult | Abandoned] = []

    def enter(self, pair: int, attempt: int, half: Half, outcome: Outcome) -> None:
        """Books a match that has ended, void ones too.

        Raises:
            BookingRefused: if there is no such pair, if the half is booked already, or if the attempt is not due
                because an earlier one is not void.
        """
        account = self._accounts.get(pair)
        if account is None:
            raise BookingRefused(pair, attempt, half, "there is no such pair")
        if not 0 <= attempt <= min(account.attempt, self._attempts - 1):
            raise BookingRefused(pair, attempt, half, "this attempt is not due")
        if (attempt, half) in account.halves:
            raise BookingRefused(pair, attempt, half, "booked already")
        account.halves[attempt, half] = result = half_result(outcome, half)
        if result is None and attempt == account.attempt:
            account.attempt += 1

    def due(self, pair: int) -> tuple[int, tuple[Half, ...]]:
        """Returns the attempt that a pair is at, from 0, and the halves of it that are not over.

        There are none if it counts, or if each attempt was void.
        """
        account = self._accounts[pair]
        if account.attempt == self._attempts:
            return account.attempt, ()
        return account.attempt, tuple(half for half in Half if (account.attempt, half) not in account.halves)

    def result(self, pair: ScheduledPair) -> PairResult | Abandoned | None:
        """Returns what became of a pair, or None as long as one of its halves is due."""
        account = self._accounts[pair.number]
        if account.attempt == self._attempts:
            return Abandoned(pair, account.attempt)
        first = account.halves.get((account.attempt, Half.FIRST))
        second = account.halves.get((account.attempt, Half.SECOND))
        if first is None or second is None:
            return None
        return PairResult(pair, account.attempt, (first, second))

    def prefix(self) -> tuple[PairResult | Abandoned, ...]:
        """Returns what became of the schedule's pairs up to the first that is not over.

        Only these count: pairs that are over early are those of short matches, and no fair sample.
        """
        for pair in self._schedule[len(self._prefix) :]:
            result = self.result(pair)
            if result is None:
                break
            self._prefix.append(result)
        return tuple(self._prefix)


class _Account:
    """Holds what is booked of one pair; `attempt` is the lowest that is not void, a void half is None."""

    __slots__ = ("attempt", "halves")

    def __init__(self) -> None:
        self.attempt = 0
        self.halves: dict[tuple[int, Half], HalfResult | None] = {}
