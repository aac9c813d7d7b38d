"""Processes that do jobs, and end at any moment."""

import asyncio
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import active_children
from pathlib import Path

import pytest

from referee.arena.workers import WorkerEnded, working
from tests.arena.processes import PATIENCE_S, until

_MORE_THAN_A_PIPE_HOLDS = 1 << 26


def double(number: int) -> int:
    return 2 * number


def leave(_job: int) -> None:
    os._exit(3)


def meet(own: Path) -> None:
    own.touch()
    while len([*own.parent.iterdir()]) < 2:
        time.sleep(0.01)


def hang(began: Path) -> None:
    began.touch()
    time.sleep(600)


def answer_at_length(began: Path) -> bytes:
    began.touch()
    return bytes(_MORE_THAN_A_PIPE_HOLDS)


async def test_jobs_are_done_by_so_many_processes() -> None:
    async with working(double, 2) as workers, asyncio.timeout(PATIENCE_S):
        assert len(active_children()) == 2
        assert await asyncio.gather(*map(workers.do, range(9))) == [2 * number for number in range(9)]
    assert active_children() == []


async def test_all_processes_have_a_job_at_once_however_few_threads_the_loop_has(tmp_path: Path) -> None:
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    async with working(meet, 2) as workers, asyncio.timeout(PATIENCE_S):
        await asyncio.gather(*(workers.do(tmp_path / name) for name in ("one", "other")))


async def test_end_of_a_process_is_told() -> None:
    async with working(leave, 1) as workers, asyncio.timeout(PATIENCE_S):
        with pytest.raises(WorkerEnded):
            await workers.do(1)


@pytest.mark.parametrize("work", [hang, answer_at_length])
async def test_canceled_job_ends_its_process_whatever_that_is_doing(
    tmp_path: Path, work: Callable[[Path], object]
) -> None:
    async with working(work, 1) as workers:
        job = asyncio.create_task(workers.do(tmp_path / "began"))
        await until((tmp_path / "began").exists)
        job.cancel()
        async with asyncio.timeout(PATIENCE_S):
            with pytest.raises(asyncio.CancelledError):
                await job
    assert active_children() == []


async def test_job_that_waits_for_a_process_can_be_canceled() -> None:
    async with working(double, 1) as workers, asyncio.timeout(PATIENCE_S):
        jobs = [asyncio.create_task(workers.do(number)) for number in range(3)]
        await asyncio.sleep(0)
        jobs[1].cancel()
        assert await jobs[0] == 0
        assert await jobs[2] == 4
