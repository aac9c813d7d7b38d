"""Processes that do jobs in Python, and can be ended at any moment, whatever they are doing.

A pool of `concurrent.futures` cannot: if a process is killed while it writes a result, the pool waits for the rest for
ever, and so does the end of the program.
"""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Final, Generic, TypeVar

from referee.arena.box import die_with

J = TypeVar("J")
R = TypeVar("R")
# Not forked: this process has threads.
_CONTEXT: Final = get_context("spawn")


class WorkerEnded(Exception):
    """Tells that a process has ended before its job was done."""


class Workers(Generic[J, R]):
    """Has processes that do one job each at a time."""

    def __init__(self, work: Callable[[J], R], count: int) -> None:
        """Starts so many processes. Raises OSError."""
        self._workers: list[_Worker[J, R]] = []
        self._free: asyncio.Queue[_Worker[J, R]] = asyncio.Queue()
        # Those of the loop may be fewer than the processes.
        self._threads = ThreadPoolExecutor(count)
        try:
            for _ in range(count):
                self._workers.append(_Worker(work))
        except OSError:
            self.end()
            raise
        for worker in self._workers:
            self._free.put_nowait(worker)

    async def do(self, job: J) -> R:
        """Returns what a process makes of a job; if that is cancelled, the process is ended, and there is none for it.

        Raises WorkerEnded.
        """
        worker = await self._free.get()
        call = asyncio.get_running_loop().run_in_executor(self._threads, worker.do, job)
        try:
            result = await asyncio.shield(call)
        except asyncio.CancelledError:
            worker.kill()
            await asyncio.wait((call,))
            # Nobody cares any more how it ended.
            call.exception()
            raise
        self._free.put_nowait(worker)
        return result

    def end(self) -> None:
        """Ends all processes, none of which has a job any more."""
        for worker in self._workers:
            worker.kill()
        for worker in self._workers:
            worker.close()
        self._threads.shutdown()


class _Worker(Generic[J, R]):
    """Is one process."""

    def __init__(self, work: Callable[[J], R]) -> None:
        self._connection, other_end = _CONTEXT.Pipe()
        # Only the process has the other end, so that its end is noticed.
        with other_end:
            self._process = _CONTEXT.Process(target=_serve, args=(other_end, os.getpid(), work))
            self._process.start()

    def do(self, job: J) -> R:
        """Returns what the process makes of a job, and blocks meanwhile. Raises WorkerEnded."""
        try:
            self._connection.send(job)
            result: R = self._connection.recv()
        except (EOFError, OSError):
            raise WorkerEnded from None
        return result

    def kill(self) -> None:
        """Ends the process; a job under way fails."""
        self._process.kill()

    def close(self) -> None:
        """Waits for the end of the process, which was killed."""
        self._process.join()
        self._connection.close()


@asynccontextmanager
async def working(work: Callable[[J], R], count: int) -> AsyncIterator[Workers[J, R]]:
    """Yields processes that do a work, a function that can be found again by its name; they end with the block."""
    workers = Workers(work, count)
    try:
        yield workers
    finally:
        workers.end()


def _serve(connection: Connection, runner: int, work: Callable[[Any], Any]) -> None:
    """Does jobs until nobody has any."""
    die_with(runner)
    # What interrupts the runner is sent to all processes of its terminal; it ends this one when it is time.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        connection.send(work(connection.recv()))
