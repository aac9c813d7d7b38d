"""A disk that is full ends the runner: no match is void by it, and the table is that of an unbroken run."""

import asyncio
from functools import partial
from pathlib import Path

import pytest

from referee.arena import host
from referee.arena.failures import ArenaError
from referee.arena.tournament import Standing
from referee.store.sqlite import SqliteStore
from tests.arena.cups import cup, results, row, run
from tests.arena.processes import until
from tests.store.faults import Disk


async def test_full_disk_ends_the_runner_and_no_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = Disk()
    asked, whole = (cup(tmp_path / name, "greedy", "random", pairs=6) for name in ("cut", "whole"))
    unbroken = await run(whole)
    with monkeypatch.context() as patch:
        patch.setattr(host, "SqliteStore", partial(SqliteStore, connect=disk.connect))
        patch.setattr(host, "_STORE_PATIENCE_S", 0.3)
        steps: list[Standing] = []
        runner = asyncio.create_task(run(asked, steps))
        await until(lambda: steps and steps[-1].over >= 1)
        disk.fill()
        with pytest.raises(ArenaError, match=r"disk|cannot go on"):
            await runner
    standings = await run(asked)
    assert results(standings) == results(unbroken)
    assert row(standings, "0 greedy")["voids"] == 0
