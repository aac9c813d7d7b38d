"""Matches an hour of whole tournaments: over gRPC one at a time and at full concurrency, and in process."""

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory

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
    """Holds matches an hour by contestant, how many were under way at once at most, and actions a match on average."""

    rates: list[Rate]
    at_once: int
    actions: float


class _Watch:
    """Takes the time of a tournament for some seconds, from when so many of its matches are over."""

    def __init__(self, first_matches: int, seconds: float) -> None:
        self.an_hour = asyncio.get_running_loop().create_future()
        self._first_matches = first_matches
        self._seconds = seconds
        self._began: tuple[float, int] | None = None

    def look(self, standing: Standing) -> None:
        """Looks at a tournament whenever it shows how far it has come."""
        now = time.perf_counter()
        if self._began is None:
            if standing.played >= self._first_matches:
                self._began = now, standing.played
            return
        began_at, before = self._began
        if now - began_at >= self._seconds and not self.an_hour.done():
            self.an_hour.set_result(_HOUR_S * (standing.played - before) / (now - began_at))


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
        for number in range(slices):
            for name, (asked, in_process) in contestants.items():
                output = Path(folder) / f"{number} {name}"
                work = _an_hour(replace(asked, output=output), seconds, in_process=in_process)
                rates[name].append(runner.run(work))
        actions = mean(_actions(file) for file in sorted((output / "replays").glob("*.unoduo"))[:100])
    return Played([rate_of(name, values) for name, values in rates.items()], full.concurrency, actions)


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


async def _an_hour(asked: Specification, seconds: float, *, in_process: bool) -> float:
    """Returns how many matches an hour a tournament plays."""
    watch = _Watch(asked.concurrency, seconds)
    tournament = asyncio.ensure_future(run_tournament(asked, _MASTER, watch.look, in_process=in_process))
    await asyncio.wait((tournament, watch.an_hour), return_when=asyncio.FIRST_COMPLETED)
    tournament.cancel()
    with suppress(asyncio.CancelledError):
        await tournament
    rate: float = watch.an_hour.result()
    return rate


def _actions(file: Path) -> int:
    with file.open("rb") as stream:
        report = verify(stream)
    assert report.status is Status.OK, report
    return report.actions
