"""Moves a second through the whole service, beside a server that only moves bytes and a disk that only commits."""

import asyncio
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial

from unoduo.v1 import session_pb2

from tests.benchmarks.commits import bare_commits
from tests.benchmarks.load import BareLoad, Load, RefereeLoad
from tests.benchmarks.rates import Rate, interleaved
from tests.benchmarks.sampling import Profile
from tests.benchmarks.servers import Server, server

MATCHES = 50
BARE = "bare grpc.aio, single streams"
MEMORY_SINGLE = "memory store, single-seat sessions"
MEMORY_FIFTY = "memory store, two sessions of fifty seats"
_SQLITE_SINGLE = "SQLite, single-seat sessions"
_SQLITE_FIFTY = "SQLite, two sessions of fifty seats"
_ON_DECISION = ", on decision"
_PROFILED = (MEMORY_SINGLE, MEMORY_FIFTY)


@dataclass(frozen=True, slots=True)
class Served:
    """Holds what was measured.

    `rates` are moves a second, and rows a second of the commits; `server_cpu_us` and `load_cpu_us` are microseconds
    of processor time a move, by contestant; `profiles` are those of some contestants, with their numbers of moves.
    """

    rates: list[Rate]
    server_cpu_us: dict[str, float]
    load_cpu_us: dict[str, float]
    profiles: dict[str, tuple[Profile, int]]


class _Contestant:
    """Is a load at a server, with the processor time that its moves cost both."""

    def __init__(self, server: Server, load: Load) -> None:
        self.server = server
        self.load = load
        self._moves = 0
        self._server_cpu_s = 0.0
        self._load_cpu_s = 0.0

    def slice(self, runner: asyncio.Runner, seconds: float) -> int:
        """Lets the load run for some time and returns how many moves it made."""
        server_before_s, load_before_s = self.server.cpu_s(), time.process_time()
        moves = runner.run(self.load.run(seconds))
        self._server_cpu_s += self.server.cpu_s() - server_before_s
        self._load_cpu_s += time.process_time() - load_before_s
        self._moves += moves
        return moves

    def server_cpu_us(self) -> float:
        """Returns the processor time of a move that the server used, in microseconds."""
        return 1e6 * self._server_cpu_s / self._moves

    def load_cpu_us(self) -> float:
        """Returns the same of the load."""
        return 1e6 * self._load_cpu_s / self._moves

    def profile(self, runner: asyncio.Runner, seconds: float) -> tuple[Profile, int]:
        """Returns where the time of the server goes, and for how many moves."""
        self.server.start_profile()
        moves = runner.run(self.load.run(seconds))
        return self.server.profile(), moves

    def rows_a_commit(self, runner: asyncio.Runner, seconds: float) -> int:
        """Returns how many entries the store of the server commits together, on average."""
        before = self.server.commits()
        moves = runner.run(self.load.run(seconds))
        return max(1, round(moves / (self.server.commits() - before)))


def served_moves(*, slices: int, seconds: float) -> Served:
    """Measures the referee with one and with fifty seats a session, over both stores, beside its yardsticks.

    They are `BARE`, which pushes messages of the size that a single-seat session gets on average, and commits in groups
    of the size that the store of the referee makes of the same load. Sessions of fifty seats are told each entry, and
    in a contestant of their own, as bots of the Python client are, only what they decide upon.
    """
    with ExitStack() as stack:
        runner = stack.enter_context(asyncio.Runner())
        memory, sqlite = stack.enter_context(server("memory")), stack.enter_context(server("sqlite"))
        contestants: dict[str, _Contestant] = {}
        for name, serving in ((MEMORY_SINGLE, memory), (_SQLITE_SINGLE, sqlite)):
            contestants[name] = _opened(runner, serving, RefereeLoad(serving.port, MATCHES, 1), seconds)
        for name, serving in ((MEMORY_FIFTY, memory), (_SQLITE_FIFTY, sqlite)):
            load = RefereeLoad(serving.port, MATCHES, MATCHES)
            contestants[name] = _opened(runner, serving, load, seconds)
            load = RefereeLoad(serving.port, MATCHES, MATCHES, session_pb2.DELIVERY_ON_DECISION)
            contestants[name + _ON_DECISION] = _opened(runner, serving, load, seconds)
        typical = contestants[MEMORY_SINGLE].load
        bare = stack.enter_context(server("bare", str(typical.received_bytes // typical.received_messages)))
        contestants[BARE] = _opened(runner, bare, BareLoad(bare.port, MATCHES), seconds)
        works: dict[str, Callable[[], int]] = {
            name: partial(contestant.slice, runner, seconds / 2) for name, contestant in contestants.items()
        }
        for name in (_SQLITE_SINGLE, _SQLITE_FIFTY):
            rows = contestants[name].rows_a_commit(runner, seconds)
            works[f"bare commits of {rows} rows, as {name}"] = stack.enter_context(bare_commits(rows))
        rates = interleaved(works, slices=slices, seconds=seconds)
        profiles = {name: contestants[name].profile(runner, 2 * seconds) for name in _PROFILED}
        for contestant in contestants.values():
            runner.run(contestant.load.close())
    return Served(
        rates,
        {name: contestant.server_cpu_us() for name, contestant in contestants.items()},
        {name: contestant.load_cpu_us() for name, contestant in contestants.items()},
        profiles,
    )


def _opened(runner: asyncio.Runner, serving: Server, load: Load, seconds: float) -> _Contestant:
    runner.run(load.open())
    runner.run(load.run(seconds))
    return _Contestant(serving, load)
