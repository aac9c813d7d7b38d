"""Runs a tournament: what is due goes out, what is over is kept and booked, until it is decided."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from referee.arena.failures import ArenaError
from referee.arena.folder import OutputFolder
from referee.arena.journal import BookedMatch
from referee.arena.played import Executor, Group, PlayedMatch, groups_of
from referee.arena.specification import Specification
from referee.arena.together import cancel_all, to_its_end
from referee.contest.book import Book, BookingRefused
from referee.contest.schedule import make_schedule
from referee.contest.stopping import Course, course

Show = Callable[["Standing"], None]


@dataclass(frozen=True, slots=True)
class Standing:
    """Holds how far a tournament has come: pairs that are over, `counted` of them without a gap from the first, of all.

    `played` counts the matches that were played since this runner began.
    """

    over: int
    counted: int
    pairs: int
    played: int
    course: Course


class Tournament:
    """Is a tournament in its output folder, as far as it has come."""

    def __init__(self, specification: Specification, master: bytes, folder: OutputFolder) -> None:
        """Takes up what the folder has of it. Raises ArenaError for a folder that is damaged, and OSError."""
        self.specification = specification
        self._master = master
        self._folder = folder
        self.schedule = make_schedule(
            specification.pairings, specification.pairs, master, common_deals=specification.common_deals
        )
        self._book = Book(self.schedule, specification.attempts)
        self._matches: dict[tuple[int, int], list[bytes]] = {}
        self._over: set[int] = set()
        self._played = 0
        for match in folder.journal.read():
            self._enter(match)

    @property
    def course(self) -> Course:
        """Where it stands, by the beginning of the schedule that is over."""
        return course(self.schedule, self._book.prefix(), self.specification.sprt)

    async def run(self, executor: Executor, show: Show) -> Course:
        """Plays what is not over, and shows each step; returns when it is decided. Raises ArenaError and OSError.

        However it ends, all work that was given out has ended too, and can be given out again.
        """
        due = self._due()
        flying: set[asyncio.Task[Sequence[PlayedMatch]]] = set()
        try:
            while not (now := self.course).over:
                while len(flying) < executor.groups_at_once and (group := next(due, None)) is not None:
                    flying.add(asyncio.ensure_future(executor.play(group)))
                show(self._standing(now))
                done, _ = await asyncio.wait(flying, return_when=asyncio.FIRST_COMPLETED)
                await self._keep([task.result() for task in done])
                flying -= done
        finally:
            await cancel_all(flying)
        show(self._standing(now))
        return now

    def _due(self) -> Iterator[Group]:
        for group in groups_of(self.schedule):
            if not self._over.issuperset(pair.number for pair in group):
                yield group

    async def _keep(self, groups: Sequence[Sequence[PlayedMatch]]) -> None:
        # Writing takes its time; clocks run meanwhile. Nobody else may have the folder before it is done.
        await to_its_end(asyncio.to_thread(self._folder.keep, groups))
        for match in chain.from_iterable(groups):
            self._played += 1
            self._enter(match)

    def _enter(self, match: PlayedMatch | BookedMatch) -> None:
        try:
            self._book.enter(match.pair, match.attempt, match.half, match.outcome)
        except BookingRefused as error:
            raise ArenaError(f"the journal does not fit the schedule: {error}") from None
        if not self._book.due(match.pair)[1]:
            self._over.add(match.pair)
        deal = self.schedule[match.pair - 1].deal
        self._matches.setdefault((deal, match.attempt), []).append(match.match_id)

    def _standing(self, now: Course) -> Standing:
        return Standing(len(self._over), len(now.results), len(self.schedule), self._played, now)

    def publish_master(self) -> None:
        """Opens the master seed of a tournament that is over: nothing follows from it any more. Raises OSError."""
        self._folder.keep_master(self._master, self.specification.entropies, self._matches)
