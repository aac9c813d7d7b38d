"""What is given out and taken back while a tournament is played."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from referee.arena.failures import ArenaError
from referee.arena.folder import OutputFolder
from referee.arena.played import Group, PlayedMatch
from referee.arena.tournament import Tournament
from tests.arena.cups import MASTER, cup
from tests.arena.processes import until


class Waiting:
    """Plays three groups at once and never ends, but with the third one if that is to fail."""

    groups_at_once = 3

    def __init__(self, failure: ArenaError | None = None) -> None:
        self.under_way = 0
        self.most = 0
        self._failure = failure

    async def play(self, group: Group) -> Sequence[PlayedMatch]:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        try:
            if self.under_way == self.groups_at_once and self._failure is not None:
                raise self._failure
            await asyncio.Event().wait()
        finally:
            # An end takes its time.
            await asyncio.sleep(0.01)
            self.under_way -= 1
        raise AssertionError


@pytest.fixture
def tournament(tmp_path: Path) -> Tournament:
    asked = cup(tmp_path, "greedy", "random", pairs=20)
    return Tournament(asked, MASTER, OutputFolder(asked.output))


async def test_work_that_is_given_out_has_ended_when_a_run_is_cancelled(tournament: Tournament) -> None:
    executor = Waiting()
    running = asyncio.create_task(tournament.run(executor, lambda standing: None))
    await until(lambda: executor.under_way == 3)
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running
    assert (executor.under_way, executor.most) == (0, 3)


async def test_work_that_is_given_out_has_ended_when_some_of_it_fails(tournament: Tournament) -> None:
    executor = Waiting(ArenaError("no more"))
    with pytest.raises(ArenaError, match="no more"):
        await tournament.run(executor, lambda standing: None)
    assert (executor.under_way, executor.most) == (0, 3)
