"""A referee that dies at the worst moments loses nothing that it said, and its matches go on."""

import asyncio
import signal
from pathlib import Path

import pytest

from referee.cli.failures import ExitCode
from tests.faults.crash_points import Plan, Point
from tests.faults.journal_store import compare_index
from tests.faults.kill_course import course
from tests.faults.kill_players import Whereabouts
from tests.faults.launcher import launched, serving
from tests.faults.sizes import size

PATIENCE_S = 30
MATCHES = 4
WAL_HEAD, FRAME_HEAD, PAGE = 32, 24, 4096

FIRST_PASSAGES = {
    Point.BEFORE_COMMIT: 90,
    Point.AFTER_COMMIT: 60,
    Point.IN_A_PAGE: 70,
    Point.DISK_ERROR: 50,
    Point.BETWEEN_READIES: 1,
    Point.BEFORE_SEAL: 2,
    Point.AFTER_SEAL: 1,
    Point.BEFORE_CREATE: 3,
    Point.AFTER_CREATE: 4,
}
EXIT_CODES = {Point.IN_A_PAGE: -signal.SIGXFSZ, Point.DISK_ERROR: ExitCode.FAILED}
READING = (Point.READING_SECRETS, Point.READING_ENTRIES)


@pytest.mark.parametrize("point", FIRST_PASSAGES)
async def test_crash_at_each_point_loses_and_doubles_nothing(point: Point, tmp_path: Path) -> None:
    for passage in range(FIRST_PASSAGES[point], FIRST_PASSAGES[point] + size(1, 20)):
        store, whereabouts = tmp_path / f"store-{passage}", Whereabouts()
        async with asyncio.timeout(PATIENCE_S), course(whereabouts, MATCHES) as played:
            async with serving(store, Plan(point, passage)) as process:
                whereabouts.moved(process.address)
                code = await process.ended()
                whereabouts.gone()
            assert code == EXIT_CODES.get(point, -signal.SIGKILL), process.error_output()
            if point is Point.IN_A_PAGE:
                assert _ends_in_a_page(store)
            async with serving(store) as process:
                whereabouts.moved(process.address)
                await played.see_the_end()
                assert process.bugs() == []
        assert [*played.findings, *await compare_index(store)] == []


@pytest.mark.parametrize("point", READING)
async def test_crash_while_matches_are_rebuilt_loses_and_doubles_nothing(point: Point, tmp_path: Path) -> None:
    for life in range(size(1, 20)):
        # Each match that was under way is read once at least.
        passage = 2 + life % (MATCHES - 1)
        store, whereabouts = tmp_path / f"store-{life}", Whereabouts()
        async with asyncio.timeout(PATIENCE_S), course(whereabouts, MATCHES) as played:
            async with serving(store) as process:
                whereabouts.moved(process.address)
                while await process.lives_for(0.01) and played.actions < 200:
                    pass
                whereabouts.gone()
            async with launched(store, Plan(point, passage)) as process:
                if await process.serving():
                    whereabouts.moved(process.address)
                code = await process.ended()
                whereabouts.gone()
            assert code == -signal.SIGKILL, process.error_output()
            async with serving(store) as process:
                whereabouts.moved(process.address)
                await played.see_the_end()
                assert process.bugs() == []
        assert [*played.findings, *await compare_index(store)] == []
        assert played.resumed


def _ends_in_a_page(store: Path) -> bool:
    """Returns whether the write-ahead log is torn within the last of its pages."""
    frames = (store / "referee.db-wal").stat().st_size - WAL_HEAD
    return frames % (FRAME_HEAD + PAGE) != 0
