"""Moves a second through the whole service, beside a server that only moves bytes."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import psutil

from tests.benchmarks.load import BareLoad, Load, RefereeLoad
from tests.benchmarks.rates import Rate, interleaved

MATCHES = 50
BARE = "bare grpc.aio, single streams"


class _Contestant:
    """Is a load at a server, with the processor time that its moves cost the server."""

    def __init__(self, server: "_Server", load: Load) -> None:
        self.load = load
        self._server = server
        self._moves = 0
        self._cpu_s = 0.0

    def slice(self, runner: asyncio.Runner, seconds: float) -> int:
        """Lets the load run for some time and returns how many moves it made."""
        before_s = self._server.cpu_s()
        moves = runner.run(self.load.run(seconds))
        self._cpu_s += self._server.cpu_s() - before_s
        self._moves += moves
        return moves

    def cpu_us(self) -> float:
        """Returns the processor time of a move, in microseconds."""
        return 1_000_000 * self._cpu_s / self._moves


def served_moves(*, slices: int, seconds: float) -> tuple[list[Rate], dict[str, float]]:
    """Returns rates and the server's microseconds of processor time a move.

    They are those of the referee, with one and with fifty seats a session and over both stores, and of `BARE`, which
    pushes messages of the size that a single-seat session gets on average.
    """
    with _server("memory") as memory, _server("sqlite") as sqlite, asyncio.Runner() as runner:
        contestants = {
            "memory store, single-seat sessions": _Contestant(memory, RefereeLoad(memory.port, MATCHES, 1)),
            "memory store, two sessions of fifty seats": _Contestant(
                memory, RefereeLoad(memory.port, MATCHES, MATCHES)
            ),
            "SQLite, single-seat sessions": _Contestant(sqlite, RefereeLoad(sqlite.port, MATCHES, 1)),
            "SQLite, two sessions of fifty seats": _Contestant(sqlite, RefereeLoad(sqlite.port, MATCHES, MATCHES)),
        }
        loads = [contestant.load for contestant in contestants.values()]
        for load in loads:
            runner.run(load.open())
            runner.run(load.run(seconds))
        with _server("bare", str(loads[0].received_bytes // loads[0].received_messages)) as bare:
            loads.append(BareLoad(bare.port, MATCHES))
            runner.run(loads[-1].open())
            runner.run(loads[-1].run(seconds))
            contestants[BARE] = _Contestant(bare, loads[-1])
            works = {name: partial(contestant.slice, runner, seconds) for name, contestant in contestants.items()}
            rates = interleaved(works, slices=slices, seconds=seconds / 2)
            for load in loads:
                runner.run(load.close())
    return rates, {name: contestant.cpu_us() for name, contestant in contestants.items()}


class _Server:
    """Is a server process that listens on `port`."""

    def __init__(self, port: int, pid: int) -> None:
        self.port = port
        self._process = psutil.Process(pid)

    def cpu_s(self) -> float:
        """Returns the processor time that it has used, in seconds."""
        times = self._process.cpu_times()
        return times.user + times.system


@contextmanager
def _server(*arguments: str) -> Iterator[_Server]:
    """Starts a server process and yields it; it ends with the block."""
    command = [sys.executable, "-m", "tests.benchmarks.serving", *arguments]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        try:
            yield _Server(int(process.stdout.readline()), process.pid)
        finally:
            process.stdin.close()
            process.wait(timeout=30)
