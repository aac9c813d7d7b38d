"""What a worker of a cluster does for a runner (`cluster`): it tries bots, and plays groups at a referee of its own."""

import asyncio
import pickle
import sys
import tempfile
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, TypeVar

from distributed import Worker, get_worker

from referee.arena.check import check_bots
from referee.arena.failures import ArenaError
from referee.arena.folder import OutputFolder
from referee.arena.host import hosting
from referee.arena.lanes import Quarters
from referee.arena.local import local_executor
from referee.arena.played import Group, PlayedMatch
from referee.arena.sandbox import find_sandbox
from referee.arena.seeds import AttemptSeeds
from referee.arena.specification import Specification
from referee.arena.together import cancel_all, together
from referee.codec.headers import RULES_REVISION

T = TypeVar("T")

_POLL_S: Final = 0.2


@dataclass(frozen=True, slots=True)
class Order:
    """Holds groups that are to be played, with the seeds of every attempt at each of their pairs, by its number."""

    specification: Specification
    groups: tuple[Group, ...]
    seeds: dict[int, tuple[AttemptSeeds, ...]] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Delivery:
    """Holds what came of an order: the matches of each group, what kept the lanes apart, the logs by their names."""

    matches: tuple[Sequence[PlayedMatch], ...]
    lanes: str
    logs: dict[str, bytes] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Failure:
    """Holds why this worker cannot do what it was told to."""

    reason: str


def versions() -> dict[str, str]:
    """Returns what must be the same wherever a tournament is played."""
    return {
        "Python": f"{sys.version_info.major}.{sys.version_info.minor}",
        "unoduo-referee": version("unoduo-referee"),
        "rules revision": str(RULES_REVISION),
    }


async def try_bots(key: str, pickled: bytes) -> Failure | None:
    """Tries every bot of a pickled Specification as `check_bots` does; is the task of that key."""
    specification: Specification = pickle.loads(pickled)
    return await _while_wanted(key, _try_bots(specification))


async def play(key: str, pickled: bytes) -> Delivery | Failure:
    """Carries out a pickled Order; is the task of that key."""
    order: Order = pickle.loads(pickled)
    return await _while_wanted(key, _play(order))


async def _try_bots(specification: Specification) -> Failure | None:
    try:
        async with _quarters(specification) as (quarters, _):
            await check_bots(quarters)
    except (ArenaError, OSError) as error:
        return Failure(str(error))
    return None


async def _play(order: Order) -> Delivery | Failure:
    try:
        async with _quarters(order.specification) as (quarters, folder):
            async with local_executor(quarters, lambda pair, attempt: order.seeds[pair.number][attempt]) as executor:
                matches = await together(map(executor.play, order.groups))
            # All bots have ended, and write no more.
            logs = {log.name: log.read_bytes() for log in folder.logs.iterdir()}
            return Delivery(tuple(matches), quarters.sandbox.mark, logs)
    except (ArenaError, OSError) as error:
        return Failure(str(error))


@asynccontextmanager
async def _quarters(specification: Specification) -> AsyncIterator[tuple[Quarters, OutputFolder]]:
    """Yields where bots run, at a referee for them alone, and the folder of both, which is gone afterwards."""
    # Dask clears away what a worker that was killed has left there. Nothing of all that may be seen from within a box.
    scratch = Path(get_worker().local_directory)
    with tempfile.TemporaryDirectory(prefix="unoduo-", dir=scratch, ignore_cleanup_errors=True) as name:
        folder = OutputFolder(Path(name))
        folder.logs.mkdir()
        async with hosting(folder.store, specification.terms, specification.concurrency) as host:
            with folder.place_for_lanes():
                sandbox = await find_sandbox(specification, host.port, scratch.parent)
                yield Quarters(host, specification, sandbox, folder.lanes, folder.logs), folder


async def _while_wanted(key: str, work: Coroutine[Any, Any, T]) -> T:
    """Returns what work returns, and cancels it when the runner or the scheduler has let go of the task with that key.

    Dask itself lets tasks go on then.
    """
    worker = get_worker()
    task = asyncio.ensure_future(work)
    try:
        while not task.done() and _is_wanted(worker, key):
            await asyncio.wait((task,), timeout=_POLL_S)
    finally:
        # Also when this worker closes, and cancels this very task.
        await cancel_all((task,))
    return task.result()


def _is_wanted(worker: Worker, key: str) -> bool:
    state = worker.state.tasks.get(key)
    return state is not None and state.state == "executing"
