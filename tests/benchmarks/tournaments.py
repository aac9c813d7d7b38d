"""Matches an hour of whole tournaments: over gRPC one at a time and at full concurrency, and in process."""

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory

import psutil

from referee.arena.run import run_tournament
from referee.arena.specification import Specification, specification
from referee.arena.tournament import Standing
from referee.audit.report import Status
from referee.audit.verify import verify
from tests.benchmarks.rates import Rate, rate_of

BOT = "greedy"
TARGET = 200
ONE_AT_A_TIME = "over gRPC, one match at a time"
FULL = "over gRPC, as many at once as the cores ask for"
IN_PROCESS = "in process"
_MASTER = bytes(range(32))
_MORE_PAIRS_THAN_PLAYED = 100_000
_HOUR_S = 3_600
_COMMAND = ["python", "-m", "unoduo_client", BOT, "--address", "{address}", "--assigned", "--no-journal"]


@dataclass(frozen=True, slots=True)
class Played:
    """Holds what was measured.

    `rates` are matches an hour, `cpu_ms` milliseconds of processor time a match of all processes together, by
    contestant; `at_once` is how many matches were under way at most, `actions` how many a match has on average.
    """

    rates: list[Rate]
    cpu_ms: dict[str, float]
    at_once: int
    actions: float


class _Watch:
    """Takes the time of a tournament for some seconds, from when so many of its matches are over."""

    def __init__(self, first_matches: int, seconds: float) -> None:
        self.measured: asyncio.Future[tuple[float, float]] = asyncio.get_running_loop().create_future()
        self._first_matches = first_matches
        self._seconds = seconds
        self._began: tuple[float, int, float] | None = None

    def look(self, standing: Standing) -> None:
        """Looks at a tournament whenever it shows how far it has come."""
        now = time.perf_counter()
        if self._began is None:
            if standing.played >= self._first_matches:
                self._began = now, standing.played, _cpu_s()
            return
        began_at, before, cpu_before_s = self._began
        if now - began_at >= self._seconds and not self.measured.done():
            matches = standing.played - before
            self.measured.set_result((_HOUR_S * matches / (now - began_at), 1e3 * (_cpu_s() - cpu_before_s) / matches))


def played_matches(*, slices: int, seconds: float) -> Played:
    """Measures tournaments of two equal bots, a new one for each slice, without the start and the end of the bots."""
    with TemporaryDirectory() as folder, asyncio.Runner() as runner:
        full = _asked(Path(folder))
        contestants = {
            ONE_AT_A_TIME: (replace(full, concurrency=1), False),
            FULL: (full, False),
            IN_PROCESS: (full, True),
        }
        rates: dict[str, list[float]] = {name: [] for name in contestants}
        cpu_ms: dict[str, list[float]] = {name: [] for name in contestants}
        for number in range(slices):
            for name, (asked, in_process) in contestants.items():
                output = Path(folder) / f"{number} {name}"
                work = _measured(replace(asked, output=output), seconds, in_process=in_process)
                rate, cpu = runner.run(work)
                rates[name].append(rate)
                cpu_ms[name].append(cpu)
        actions = mean(_actions(file) for file in sorted((output / "replays").glob("*.unoduo"))[:100])
    medians = {name: median(values) for name, values in cpu_ms.items()}
    return Played([rate_of(name, values) for name, values in rates.items()], medians, full.concurrency, actions)


def _asked(folder: Path) -> Specification:
    players = [{"name": f"{BOT} {place}", "command": _COMMAND, "function": BOT} for place in (1, 2)]
    values = {
        "output": "cup",
        "seed_file": "cup.seed",
        "pairs": _MORE_PAIRS_THAN_PLAYED,
        "rules": {"target": TARGET},
        "players": players,
    }
    return specification(values, folder)


async def _measured(asked: Specification, seconds: float, *, in_process: bool) -> tuple[float, float]:
    """Returns how many matches an hour a tournament plays, and what processor time a match takes (ms)."""
    watch = _Watch(asked.concurrency, seconds)
    tournament = asyncio.ensure_future(run_tournament(asked, _MASTER, watch.look, in_process=in_process))
    await asyncio.wait((tournament, watch.measured), return_when=asyncio.FIRST_COMPLETED)
    tournament.cancel()
    with suppress(asyncio.CancelledError):
        await tournament
    return watch.measured.result()


def _cpu_s() -> float:
    """Returns the processor time that this process and all that it has started have used so far."""
    own = psutil.Process()
    times = [process.cpu_times() for process in (own, *own.children(recursive=True))]
    return sum(time.user + time.system for time in times)


def _actions(file: Path) -> int:
    with file.open("rb") as stream:
        report = verify(stream)
    assert report.status is Status.OK, report
    return report.actions
