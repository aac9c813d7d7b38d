"""Moves a second through the whole service, beside a server that only moves bytes."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from tests.benchmarks.load import BareLoad, Load, RefereeLoad
from tests.benchmarks.rates import Rate, interleaved

MATCHES = 50
BARE = "bare grpc.aio, single streams"


def served_moves(*, slices: int, seconds: float) -> list[Rate]:
    """Returns the rates of the referee, with one and with fifty seats a session and over both stores, and of `BARE`.

    The bare server pushes messages of the size that a single-seat session gets on average.
    """
    with _server("memory") as memory, _server("sqlite") as sqlite, asyncio.Runner() as runner:
        loads: dict[str, Load] = {
            "memory store, single-seat sessions": RefereeLoad(memory, MATCHES, 1),
            "memory store, two sessions of fifty seats": RefereeLoad(memory, MATCHES, MATCHES),
            "SQLite, single-seat sessions": RefereeLoad(sqlite, MATCHES, 1),
            "SQLite, two sessions of fifty seats": RefereeLoad(sqlite, MATCHES, MATCHES),
        }
        for load in loads.values():
            runner.run(load.open())
            runner.run(load.run(seconds))
        single = next(iter(loads.values()))
        with _server("bare", str(single.received_bytes // single.received_messages)) as bare:
            loads[BARE] = BareLoad(bare, MATCHES)
            runner.run(loads[BARE].open())
            runner.run(loads[BARE].run(seconds))
            contestants = {name: partial(_slice, runner, load, seconds) for name, load in loads.items()}
            rates = interleaved(contestants, slices=slices, seconds=seconds / 2)
            for load in loads.values():
                runner.run(load.close())
    return rates


def _slice(runner: asyncio.Runner, load: Load, seconds: float) -> int:
    return runner.run(load.run(seconds))


@contextmanager
def _server(*arguments: str) -> Iterator[int]:
    """Starts a server process and yields its port; the process ends with the block."""
    command = [sys.executable, "-m", "tests.benchmarks.serving", *arguments]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.stdin.close()
            process.wait(timeout=30)
