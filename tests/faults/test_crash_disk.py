"""A disk that is full or read-only for a while stops matches and costs nothing; for too long, it costs the match."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from unoduo.v1 import match_pb2
from unoduo.v1 import referee_service_pb2 as pb

from referee.store.sqlite import SqliteStore
from tests.faults.kill_course import Course, course
from tests.faults.kill_players import Whereabouts
from tests.server.wire import Referee, referee
from tests.store.faults import Disk

PATIENCE_S = 100
MATCHES = 6
FROZEN = match_pb2.LIFECYCLE_FROZEN

Harm = Callable[[Disk], None]
HARMS = {
    "full": (Disk.fill, Disk.make_room),
    "read-only": (lambda disk: disk.set_read_only(True), lambda disk: disk.set_read_only(False)),
}


@asynccontextmanager
async def _playing(directory: Path, disk: Disk, retry_limit_s: float) -> AsyncIterator[tuple[Referee, Course]]:
    """Yields a referee and matches that are under way on it."""
    whereabouts = Whereabouts()
    store = SqliteStore(directory, connect=disk.connect, retry_limit_s=retry_limit_s)
    async with asyncio.timeout(PATIENCE_S), referee(store) as host, course(whereabouts, MATCHES) as played:
        whereabouts.moved(host.running.address)
        await _until(lambda: played.actions > 200 and len(played.open) == MATCHES)
        yield host, played


async def _until(holds: Callable[[], bool]) -> None:
    while True:
        if holds():
            return
        await asyncio.sleep(0.01)


async def _all_frozen(host: Referee) -> int:
    """Returns once every match that is not over stands still, and how many there are."""
    while True:
        listed: Any = await host.stub.ListMatches(pb.ListMatchesRequest())
        open_ones = [match for match in listed.matches if match.lifecycle != match_pb2.LIFECYCLE_ENDED]
        if all(match.lifecycle == FROZEN for match in open_ones):
            assert open_ones
            return len(open_ones)
        await asyncio.sleep(0.01)


@pytest.mark.parametrize(("harm", "mend"), HARMS.values(), ids=HARMS)
async def test_disk_that_fails_for_a_while_freezes_matches_that_then_go_on(
    harm: Harm, mend: Harm, tmp_path: Path
) -> None:
    disk = Disk()
    async with _playing(tmp_path / "store", disk, retry_limit_s=60) as (host, played):
        for _ in range(2):
            harm(disk)
            await _all_frozen(host)
            before = played.actions
            mend(disk)
            await _until(lambda before=before: played.actions > before + 50)  # type: ignore[misc]
        await played.see_the_end()
        assert played.findings == []
        assert set(played.ends) == {"TERMINATION_TARGET"}


@pytest.mark.parametrize(("harm", "mend"), HARMS.values(), ids=HARMS)
async def test_disk_that_fails_for_too_long_voids_matches_once_it_is_well(
    harm: Harm, mend: Harm, tmp_path: Path
) -> None:
    disk = Disk()
    async with _playing(tmp_path / "store", disk, retry_limit_s=0.3) as (host, played):
        harm(disk)
        await _all_frozen(host)
        # Longer than the store goes on trying: the matches are given up.
        await asyncio.sleep(1)
        frozen = await _all_frozen(host)
        mend(disk)
        await played.see_the_end()
        assert played.findings == []
        # But for one whose end was in the log already, and one that nobody was told of.
        assert frozen - 2 <= played.ends["TERMINATION_VOID_REFEREE"] <= frozen
        assert set(played.ends) <= {"TERMINATION_TARGET", "TERMINATION_VOID_REFEREE"}
